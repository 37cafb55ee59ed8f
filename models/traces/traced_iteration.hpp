#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/traces/operation.hpp"
#include "models/traces/operation_work.hpp"

namespace vgsim::traces {

/// One forward operation of an iteration that work_of() understands.
struct ForwardStep {
  const Operation* operation = nullptr;
  OperationWork work;
  std::size_t index = 0;  ///< of the operation in its trace
};

/// One forward and backward pass.
struct TracedIteration {
  std::vector<ForwardStep> forward;  ///< in order
  std::vector<TensorUse> gradients;  ///< in the order in which they became ready
  bool backward = false;             ///< operations of a backward pass were recorded
  double backward_flops = 0;         ///< of its products
  std::size_t backward_products = 0;
  double reduced_bytes = 0;  ///< that all-reduces and reduce-scatters of gradients sum up
  double tensor_bytes = 0;   ///< that those of tensor-parallel ranks do
  std::size_t first = 0;     ///< operations of the trace, to the one before `last`
  std::size_t last = 0;
};

/// What an operation belongs to.
enum class Phase : std::uint8_t { kForward, kBackward, kOptimizer };

struct TracedPasses {
  std::vector<TracedIteration> passes;
  std::vector<Phase> phases;  ///< of each operation of the trace
  /// Ranks of the largest group that sums up activations in the forward pass, as those that share
  /// layers do; 1: none does.
  std::int64_t tensor_ranks = 1;
  /// Bytes of a pass that are summed up in the forward pass by a group that the trace does not
  /// tell.
  double unknown_forward_bytes = 0;
};

/// The passes that a trace holds: a new one starts with a forward operation after a backward pass,
/// after the mark of a step or, where neither is recorded, where the first weight is used again.
/// Operations of the backward pass, also those that compute activations again, and of optimizers
/// are no forward operations.
[[nodiscard]] TracedPasses passes_of(const Trace& trace);

/// The one with most gradients, then most operations; nullptr of none.
[[nodiscard]] const TracedIteration* fullest_of(const std::vector<TracedIteration>& passes);

}  // namespace vgsim::traces
