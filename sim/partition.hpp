#pragma once

#include <cstdint>
#include <vector>

#include "sim/network.hpp"
#include "sim/task_graph.hpp"

namespace vgsim {

/// Classes of tasks and resources that behave alike.
struct Partition {
  std::vector<std::uint32_t> task_class;      ///< by TaskId
  std::vector<std::uint32_t> resource_class;  ///< by ResourceId
  std::uint32_t task_classes = 0;
  std::uint32_t resource_classes = 0;
};

/// Who is alike by itself: equal numbers, from 0 in the order of first use. Tasks by their work,
/// but not their routes, resources by their capacity and how it changes.
struct OwnColours {
  OwnColours(const TaskGraph& graph, const Network& network);

  std::vector<std::uint32_t> of_task;      ///< by TaskId
  std::vector<std::uint32_t> of_resource;  ///< by ResourceId
};

/// The coarsest equitable partition of a graph placed on a network, by colour refinement: tasks of
/// a class have the same work and as many edges of a kind to and from each class, and each of
/// their flows crosses as many resources of each class with each coefficient; each resource of a
/// class is crossed by as many flows of each class. Classes of tasks are
/// numbered by their lowest member, those of resources as the flows of the lowest tasks meet them.
///
/// Tasks of one class then do the same at the same times, in exact arithmetic: max-min rates are a
/// function of such counts (every class is filled in one step), and so are, by induction over
/// events, all starts and ends. See M. Grohe, K. Kersting, M. Mladenov, E. Selman, Dimension
/// reduction via colour refinement, ESA 2014.
[[nodiscard]] Partition coarsest_equitable_partition(const TaskGraph& graph, const Network& network,
                                                     const OwnColours& own);

}  // namespace vgsim
