#pragma once

#include <cstddef>
#include <vector>

#include "models/traces/operation.hpp"
#include "models/traces/operation_work.hpp"

namespace vgsim::traces {

/// One forward operation of an iteration that work_of() understands.
struct ForwardStep {
  const Operation* operation = nullptr;
  OperationWork work;
};

/// One forward and backward pass.
struct TracedIteration {
  std::vector<ForwardStep> forward;  ///< in order
  std::vector<TensorUse> gradients;  ///< in the order in which they became ready
};

/// The passes that a trace holds: a new one starts with a forward operation after a gradient, after
/// the mark of a step or, where gradients are not recorded, where the first weight is used again.
/// Operations of the backward pass, also those that compute activations again, are no forward
/// operations.
[[nodiscard]] std::vector<TracedIteration> iterations(const Trace& trace);

}  // namespace vgsim::traces
