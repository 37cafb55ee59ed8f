#include "sim/recorder.hpp"

#include <utility>

namespace vgsim {
namespace {

void close_interval(std::vector<FlowInterval>& intervals, SimTime now) {
  if (intervals.empty()) return;
  intervals.back().end = now;
  if (intervals.back().begin == now) intervals.pop_back();
}

}  // namespace

std::optional<TaskId> last_task(const Timeline& timeline) {
  std::optional<TaskId> last;
  for (std::size_t i = 0; i < timeline.tasks.size(); ++i) {
    if (!last || timeline.task(*last).end < timeline.tasks[i].end) last = static_cast<TaskId>(i);
  }
  return last;
}

Recorder::Recorder(std::size_t tasks, std::size_t resources) {
  timeline_.tasks.resize(tasks);
  timeline_.carried.resize(resources);
}

void Recorder::ready(TaskId task, SimTime now, std::optional<TaskId> last_dependency) {
  at(task).ready = now;
  at(task).last_dependency = last_dependency;
}

void Recorder::flow_begin(TaskId task, SimTime now) { at(task).flow_begin = now; }

void Recorder::limited(TaskId task, SimTime now, std::optional<ResourceId> limited_by) {
  std::vector<FlowInterval>& intervals = at(task).intervals;
  close_interval(intervals, now);
  if (!intervals.empty() && intervals.back().limited_by == limited_by) return;
  intervals.push_back({now, now, limited_by});
}

void Recorder::end(TaskId task, SimTime now) {
  close_interval(at(task).intervals, now);
  at(task).end = now;
  if (timeline_.makespan < now) timeline_.makespan = now;
}

void Recorder::carried(ResourceId resource, const Exact& amount) {
  timeline_.carried[static_cast<std::size_t>(resource)] += amount;
}

void Recorder::event(SimTime now, std::uint32_t what, std::uint32_t id) {
  ++timeline_.events;
  events_.add(static_cast<std::uint64_t>(now.count()));
  events_.add(static_cast<std::uint64_t>(what) << 32 | id);
}

Timeline Recorder::finish() && {
  timeline_.event_fingerprint = events_.value();
  return std::move(timeline_);
}

}  // namespace vgsim
