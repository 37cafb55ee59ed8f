#pragma once

#include <stdexcept>

#include "sim/network.hpp"
#include "sim/task_graph.hpp"

namespace vgsim::scenario {

/// A step that a job was about to simulate, with the links that it goes over.
struct SimulatedStep {
  TaskGraph graph;
  Network network;
};

/// Whether a step does the very same as another one: equal tasks that depend on each other alike,
/// with equal flows over equal routes, and as much capacity at all times on each resource that a
/// route crosses. A resource that nothing crosses makes no difference.
[[nodiscard]] bool does_the_same(const SimulatedStep& step, const TaskGraph& graph,
                                 const Network& network);

/// Thrown instead of simulating a step that is not wanted (see RunSettings::wants_step).
class StepNotWanted : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace vgsim::scenario
