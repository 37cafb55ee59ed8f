#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/traces/traced_iteration.hpp"
#include "models/traces/traced_layers.hpp"

namespace vgsim::traces {

/// Measured passes from the kernels of a trace. Times in seconds.
struct MeasuredPass {
  double seconds = 0;                 ///< kernels of a pass, forward and backward, with gaps
  double launch_interval = 0;         ///< on the host, between two launches; 0: unknown
  std::size_t passes = 0;             ///< number of passes in these medians
  std::vector<std::int64_t> kernels;  ///< of each layer's forward pass
  std::string precision;  ///< of the products with the longest total time; empty: unknown
};

/// The passes equal to `pass`, which has these layers. Nothing if the trace contains no kernels of
/// it, or no backward pass.
[[nodiscard]] std::optional<MeasuredPass> measured_pass(const Trace& trace,
                                                        const TracedPasses& passes,
                                                        const TracedIteration& pass,
                                                        const std::vector<TracedLayer>& layers);

/// The share of a GPU's peak (operations/s) in a pass' products with which a model predicts the
/// measured time. The model adds `kernel_gap` seconds for each kernel and twice as much in the
/// backward pass. It can exceed 1 for a network of small kernels, which these gaps limit.
[[nodiscard]] double achieved_share(const MeasuredPass& measured, double forward_flops, double peak,
                                    double kernel_gap);

}  // namespace vgsim::traces
