#include "sim/critical_path.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <utility>

namespace vgsim {
namespace {

/// Collects segments from the latest to the earliest and clips them to the start of the window.
class Backwards {
 public:
  explicit Backwards(SimTime start) : start_(start) {}

  void add(PathSegment segment) {
    segment.begin = std::max(segment.begin, start_);
    if (segment.begin < segment.end) segments_.push_back(segment);
  }

  void add_task(TaskId id, const TaskRecord& task) {
    add({task.flow_end, task.end, id, PathKind::delay, std::nullopt});
    for (auto i = task.intervals.rbegin(); i != task.intervals.rend(); ++i) {
      const PathKind kind = i->limited_by ? PathKind::resource : PathKind::rate_cap;
      add({i->begin, i->end, id, kind, i->limited_by});
    }
    add({task.ready, task.flow_begin, id, PathKind::delay, std::nullopt});
  }

  std::vector<PathSegment> finish() && {
    std::reverse(segments_.begin(), segments_.end());
    return std::move(segments_);
  }

 private:
  SimTime start_;
  std::vector<PathSegment> segments_;
};

std::uint32_t key_of(const PathSegment& segment, const TaskGraph& graph) {
  if (segment.kind == PathKind::resource) return static_cast<std::uint32_t>(*segment.resource);
  return graph.category(segment.task);
}

}  // namespace

std::vector<PathSegment> critical_path(const Timeline& timeline, TaskId target, SimTime start) {
  if (start < SimTime{0}) throw std::invalid_argument("a critical path starts before time 0");
  Backwards path(start);
  std::uint64_t back = 0;
  TaskId id = target;
  for (const TaskRecord* task = &timeline.task(target); task->end > start;) {
    path.add_task(id, *task);
    if (task->last_dependency == kNoTask) break;
    id = task->last_dependency;
    back += task->dependency_lag;
    task = timeline.find(id, back);
    if (task == nullptr) {
      throw std::invalid_argument("a critical path leads past the iterations that were kept");
    }
  }
  return std::move(path).finish();
}

std::vector<PathSegment> critical_path(const Timeline& timeline) {
  const std::optional<TaskId> last = last_task(timeline);
  return last ? critical_path(timeline, *last) : std::vector<PathSegment>{};
}

std::vector<PathShare> shares(const std::vector<PathSegment>& path, const TaskGraph& graph,
                              SimTime begin, SimTime end) {
  std::map<std::pair<PathKind, std::uint32_t>, SimTime> times;
  for (const PathSegment& segment : path) {
    const SimTime from = std::max(segment.begin, begin);
    const SimTime to = std::min(segment.end, end);
    if (from < to) times[{segment.kind, key_of(segment, graph)}] += to - from;
  }
  std::vector<PathShare> result;
  for (const auto& [cause, time] : times) result.push_back({cause.first, cause.second, time});
  return result;
}

}  // namespace vgsim
