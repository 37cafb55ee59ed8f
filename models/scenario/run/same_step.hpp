#pragma once

#include <stdexcept>

#include "sim/network.hpp"
#include "sim/task_graph.hpp"

namespace vgsim::scenario {

/// A step to simulate, with its network.
struct SimulatedStep {
  TaskGraph graph;
  Network network;
};

/// Whether two steps are equivalent: equal tasks with equal dependencies, equal flows over equal
/// routes, and equal capacities at all times on each resource of a route. Unused resources do not
/// count.
[[nodiscard]] bool does_the_same(const SimulatedStep& step, const TaskGraph& graph,
                                 const Network& network);

/// Thrown if RunSettings::wants_step rejects a step.
class StepNotWanted : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace vgsim::scenario
