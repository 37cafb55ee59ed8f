#pragma once

#include <optional>
#include <string>

#include "models/traces/measured_pass.hpp"
#include "models/traces/traced_iteration.hpp"
#include "topology/input/diagnostics.hpp"

namespace vgsim::traces {

/// E603: the reason why a trace without a layer contains no network.
[[nodiscard]] input::Diagnostics no_network(const Trace& trace, const std::string& file);

/// E603 if parts of the network were compiled: their layers are not visible.
[[nodiscard]] std::optional<input::Diagnostics> compiled_network(const Trace& trace,
                                                                 const std::string& file);

/// Totals of the network that was read from a trace, for one pass.
struct NetworkSums {
  double parameters = 0;
  double forward_flops = 0;
};

/// E604 if the trace contradicts itself: collectives that sum a different volume of gradients than
/// the parameters have, or products of the backward pass that do not match those of the forward
/// pass. `passes`: all of the trace; `pass`: the one that was read.
[[nodiscard]] input::Diagnostics contradictions(const TracedPasses& passes,
                                                const TracedIteration& pass,
                                                const NetworkSums& sums, const std::string& file);

/// E604: products that would exceed the peak of the GPU.
[[nodiscard]] input::Diagnostics faster_than_peak(const MeasuredPass& measured,
                                                  const NetworkSums& sums, double peak,
                                                  const std::string& file);

}  // namespace vgsim::traces
