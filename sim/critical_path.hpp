#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/network.hpp"
#include "sim/recorder.hpp"
#include "sim/task_graph.hpp"
#include "sim/units.hpp"

namespace vgsim {

/// The activity of an interval on the critical path.
enum class PathKind : std::uint8_t {
  delay,     ///< the task's own delay or latency
  resource,  ///< its flow, limited by a resource
  rate_cap,  ///< its flow, limited by its own cap
};

/// An interval of the critical path; never empty.
struct PathSegment {
  SimTime begin{};
  SimTime end{};
  TaskId task{};
  PathKind kind = PathKind::delay;
  std::optional<ResourceId> resource;  ///< for PathKind::resource

  bool operator==(const PathSegment&) const = default;
};

/// The critical path of `target`: the chain from `target` through the last dependency of each task
/// back to `start`, in order of time.
///
/// Segments are contiguous from `start` to the end of `target`, so their lengths add up to that
/// difference. There are none when `target` ended by `start`. `target` refers to the last
/// iteration. Throws std::out_of_range when there is no such task, std::invalid_argument when start
/// < 0 or precedes the iterations that the timeline kept.
[[nodiscard]] std::vector<PathSegment> critical_path(const Timeline& timeline, TaskId target,
                                                     SimTime start = SimTime{0});

/// The same for the task that ends last; empty for a timeline without tasks.
[[nodiscard]] std::vector<PathSegment> critical_path(const Timeline& timeline);

/// The time of a path with one cause.
struct PathShare {
  PathKind kind = PathKind::delay;
  /// PathKind::delay and rate_cap: the category of the tasks; PathKind::resource: the ResourceId.
  std::uint32_t key = 0;
  SimTime time{};

  bool operator==(const PathShare&) const = default;
};

/// Sums the path's time within [begin, end) by cause, sorted by kind and key, without empty
/// entries. The times add up to the part of the window that the path covers.
[[nodiscard]] std::vector<PathShare> shares(const std::vector<PathSegment>& path,
                                            const TaskGraph& graph, SimTime begin, SimTime end);

}  // namespace vgsim
