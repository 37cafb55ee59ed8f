#pragma once

#include <cstddef>
#include <vector>

#include "sim/network.hpp"
#include "sim/recorder.hpp"
#include "sim/task_graph.hpp"
#include "sim/units.hpp"

namespace vgsim::scenario {

/// How many equal stretches of an iteration a load curve has.
inline constexpr std::size_t kLoadStretches = 48;

/// An iteration that was run, in the time of its run.
struct RanIteration {
  const TaskGraph& graph;
  const Timeline& timeline;
  SimTime begin{};
  SimTime end{};  ///< after `begin`
};

/// What each of the resources carries in each stretch of the iteration, by the order of `wanted`.
/// Each flow counts evenly over its time; one outside the iteration stands where that of a
/// neighbouring iteration would, so that a curve adds up to all that the resource carries.
[[nodiscard]] std::vector<std::vector<double>> carried_over_time(
    const RanIteration& ran, const Network& network, const std::vector<ResourceId>& wanted);

}  // namespace vgsim::scenario
