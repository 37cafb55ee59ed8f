#pragma once

#include <optional>
#include <string>

#include "models/traces/measured_pass.hpp"
#include "models/traces/traced_iteration.hpp"
#include "topology/input/diagnostics.hpp"

namespace vgsim::traces {

/// E603: why a trace without a layer tells no network.
[[nodiscard]] input::Diagnostics no_network(const Trace& trace, const std::string& file);

/// E603 where parts of the network were compiled: their layers do not show.
[[nodiscard]] std::optional<input::Diagnostics> compiled_network(const Trace& trace,
                                                                 const std::string& file);

/// What a network that was read of a trace comes to, in a pass.
struct NetworkSums {
  double parameters = 0;
  double forward_flops = 0;
};

/// E604 where the trace itself says otherwise: collectives that sum up another volume of gradients
/// than the parameters have, products of the backward pass that do not fit those of the forward
/// pass. `passes`: all of the trace; `pass`: the one that was read.
[[nodiscard]] input::Diagnostics contradictions(const TracedPasses& passes,
                                                const TracedIteration& pass,
                                                const NetworkSums& sums, const std::string& file);

/// E604: products that would need more than the peak of the GPU.
[[nodiscard]] input::Diagnostics faster_than_peak(const MeasuredPass& measured,
                                                  const NetworkSums& sums, double peak,
                                                  const std::string& file);

}  // namespace vgsim::traces
