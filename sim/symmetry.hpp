#pragma once

#include <functional>

#include "sim/engine.hpp"
#include "sim/network.hpp"
#include "sim/partition.hpp"
#include "sim/task_graph.hpp"

namespace vgsim {

/// Receives the graph that was simulated, the quotient or the full one, with its timeline.
using Inspect = std::function<void(const TaskGraph&, const Network&, const Timeline&)>;

/// Returns the same timeline as simulate(), but simulates the quotient: one task and one resource
/// of each class. Events and their fingerprint are those of the quotient. Where a flow has several
/// bottleneck resources, a different one may be named. Runs with vary_delay or time-sliced devices
/// are not symmetric and use simulate().
[[nodiscard]] Timeline simulate_by_classes(const TaskGraph& graph, const Network& network,
                                           const RunOptions& options = {},
                                           const Inspect& inspect = {});

}  // namespace vgsim
