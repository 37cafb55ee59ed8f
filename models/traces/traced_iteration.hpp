#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/traces/operation.hpp"
#include "models/traces/operation_work.hpp"

namespace vgsim::traces {

/// One forward operation of an iteration for which work_of() has a result.
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
  double reduced_bytes = 0;  ///< summed by all-reduces and reduce-scatters of gradients
  double tensor_bytes = 0;   ///< summed by tensor-parallel ranks
  std::size_t first = 0;     ///< operations of the trace, to the one before `last`
  std::size_t last = 0;
};

/// The part of an iteration that an operation belongs to.
enum class Phase : std::uint8_t { kForward, kBackward, kOptimizer };

struct TracedPasses {
  std::vector<TracedIteration> passes;
  std::vector<Phase> phases;  ///< of each operation of the trace
  /// Ranks of the largest group that sums activations in the forward pass, as tensor-parallel ranks
  /// do; 1 if there is none.
  std::int64_t tensor_ranks = 1;
  /// Bytes of a pass that an unknown group sums in the forward pass.
  double unknown_forward_bytes = 0;
};

/// The passes in a trace. A new one starts with a forward operation after a backward pass, after
/// the mark of a step or, if neither is recorded, when the first weight is used again. Operations
/// of the backward pass, including recomputation, and of optimizers are not forward operations.
[[nodiscard]] TracedPasses passes_of(const Trace& trace);

/// The pass with most gradients, then most operations; nullptr if there is none.
[[nodiscard]] const TracedIteration* fullest_of(const std::vector<TracedIteration>& passes);

}  // namespace vgsim::traces
