#pragma once

#include <cstdint>
#include <vector>

#include "sim/network.hpp"
#include "sim/task_graph.hpp"

namespace vgsim {

/// Classes of tasks and resources that behave identically.
struct Partition {
  std::vector<std::uint32_t> task_class;      ///< by TaskId
  std::vector<std::uint32_t> resource_class;  ///< by ResourceId
  std::uint32_t task_classes = 0;
  std::uint32_t resource_classes = 0;
};

/// Colours before refinement: equal numbers for equal elements, from 0 in the order of first use.
/// Tasks are compared by their work without the route, resources by their capacity and its changes.
struct InitialColours {
  InitialColours(const TaskGraph& graph, const Network& network);

  std::vector<std::uint32_t> of_task;      ///< by TaskId
  std::vector<std::uint32_t> of_resource;  ///< by ResourceId
};

/// The coarsest equitable partition of a graph placed on a network, by colour refinement. Tasks of
/// a class have the same work and equally many edges of each kind to and from each class, and their
/// flows cross equally many resources of each class with each coefficient. Resources of a class are
/// crossed by equally many flows of each class. Classes of tasks are numbered by their lowest
/// member, classes of resources in the order in which the flows of the lowest tasks cross them.
///
/// Tasks of one class have identical timelines in exact arithmetic: max-min rates depend on these
/// counts only (progressive filling raises every class in one step), and so do, by induction over
/// events, all starts and ends. See M. Grohe, K. Kersting, M. Mladenov, E. Selman, Dimension
/// reduction via colour refinement, ESA 2014.
[[nodiscard]] Partition coarsest_equitable_partition(const TaskGraph& graph, const Network& network,
                                                     const InitialColours& own);

}  // namespace vgsim
