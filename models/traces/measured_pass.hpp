#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/traces/traced_iteration.hpp"
#include "models/traces/traced_layers.hpp"

namespace vgsim::traces {

/// What the kernels of a trace tell of its passes. Seconds.
struct MeasuredPass {
  double seconds = 0;                 ///< of a pass' kernels, forward and backward, and their gaps
  double launch_interval = 0;         ///< on the host, from one launch to the next; 0: not told
  std::size_t passes = 0;             ///< of which these are medians
  std::vector<std::int64_t> kernels;  ///< of each layer's forward pass
  std::string precision;              ///< of the products that take longest; empty: none is known
};

/// Of the passes that are like `pass`, which has these layers. Nothing where the trace holds no
/// kernels of it, or none of a backward pass.
[[nodiscard]] std::optional<MeasuredPass> measured_pass(const Trace& trace,
                                                        const TracedPasses& passes,
                                                        const TracedIteration& pass,
                                                        const std::vector<TracedLayer>& layers);

/// The share of a GPU's peak (operations per second) that a pass' products reach, such that a model
/// which loses `kernel_gap` seconds with each kernel, and takes twice as long going backward, needs
/// as long as was measured. May be above 1 for a network of small kernels, which these gaps limit.
[[nodiscard]] double achieved_share(const MeasuredPass& measured, double forward_flops, double peak,
                                    double kernel_gap);

}  // namespace vgsim::traces
