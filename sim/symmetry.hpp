#pragma once

#include <functional>

#include "sim/engine.hpp"
#include "sim/network.hpp"
#include "sim/partition.hpp"
#include "sim/task_graph.hpp"

namespace vgsim {

/// Is shown what was run, the classes or all, with its timeline.
using Inspect = std::function<void(const TaskGraph&, const Network&, const Timeline&)>;

/// The same as simulate(), ends and records included, but runs one task and one resource of each
/// class. Events and their fingerprint are those of the classes. Where several resources hold a
/// flow back at once, another of them may be named. Runs with vary_delay or turns have no symmetry
/// to use and go to simulate().
[[nodiscard]] Timeline simulate_by_classes(const TaskGraph& graph, const Network& network,
                                           const RunOptions& options = {},
                                           const Inspect& inspect = {});

}  // namespace vgsim
