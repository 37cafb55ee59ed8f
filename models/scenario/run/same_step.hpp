#pragma once

#include <deque>
#include <stdexcept>

#include "sim/engine.hpp"
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

/// Simulated steps and their timelines, so that a changed job whose step is not affected takes the
/// timeline instead of simulating again. Only those with the same sequence of events whenever they
/// are simulated: no random delays, time slices or conditions for the end.
class KnownSteps {
 public:
  void add(const TaskGraph& graph, const Network& network, const RunOptions& options,
           const Timeline& timeline);
  /// The timeline of an equal step; nullptr if there is none, or if it exceeds the limit of events.
  [[nodiscard]] const Timeline* find(const TaskGraph& graph, const Network& network,
                                     const RunOptions& options) const;

 private:
  struct KnownStep {
    SimulatedStep step;
    RunOptions options;
    Timeline timeline;
  };
  std::deque<KnownStep> steps_;
};

/// Thrown if RunSettings::wants_step rejects a step.
class StepNotWanted : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace vgsim::scenario
