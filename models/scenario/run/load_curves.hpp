#pragma once

#include <cstddef>
#include <vector>

#include "sim/network.hpp"
#include "sim/recorder.hpp"
#include "sim/task_graph.hpp"
#include "sim/units.hpp"

namespace vgsim::scenario {

/// Number of equal intervals of a load curve.
inline constexpr std::size_t kLoadStretches = 48;

/// A simulated iteration, in simulated time.
struct RanIteration {
  const TaskGraph& graph;
  const Timeline& timeline;
  SimTime begin{};
  SimTime end{};  ///< after `begin`
};

/// The load of each resource in each interval of the iteration, in the order of `wanted`. A flow
/// counts evenly over its time; flows outside the iteration are shifted by whole iterations, so
/// that a curve adds up to the total load of the resource.
[[nodiscard]] std::vector<std::vector<double>> carried_over_time(
    const RanIteration& ran, const Network& network, const std::vector<ResourceId>& wanted);

}  // namespace vgsim::scenario
