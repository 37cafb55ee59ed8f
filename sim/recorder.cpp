#include "sim/recorder.hpp"

#include <algorithm>
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

const TaskRecord* Timeline::find(TaskId id, std::uint64_t back) const {
  if (back == 0) return &task(id);
  if (back > earlier.size()) return nullptr;
  return &earlier[back - 1].at(static_cast<std::size_t>(id));
}

Recorder::Recorder(std::size_t tasks, std::uint64_t iterations, std::size_t keep, std::size_t ahead)
    : window_(keep + ahead), keep_(keep) {
  for (auto& records : window_) records.resize(tasks);
  if (iterations > 1) timeline_.first_ends.resize(tasks);
}

void Recorder::ready(TaskId task, std::uint64_t iteration, SimTime now, TaskId last_dependency,
                     std::uint16_t dependency_lag) {
  TaskRecord& record = at(task, iteration);
  record.ready = now;
  record.last_dependency = last_dependency;
  record.dependency_lag = dependency_lag;
  record.intervals.clear();
}

void Recorder::flow_begin(TaskId task, std::uint64_t iteration, SimTime now) {
  at(task, iteration).flow_begin = now;
}

void Recorder::limited(TaskId task, std::uint64_t iteration, SimTime now,
                       std::optional<ResourceId> limited_by) {
  std::vector<FlowInterval>& intervals = at(task, iteration).intervals;
  close_interval(intervals, now);
  if (!intervals.empty() && intervals.back().limited_by == limited_by) return;
  intervals.push_back({now, now, limited_by});
}

void Recorder::add_limited_time(TaskId task, std::uint64_t iteration,
                                std::optional<ResourceId> limited_by, SimTime length) {
  if (length == SimTime{0}) return;
  std::vector<FlowInterval>& intervals = at(task, iteration).intervals;
  for (FlowInterval& interval : intervals) {
    if (interval.limited_by != limited_by) continue;
    interval.end += length;
    return;
  }
  intervals.push_back({SimTime{0}, length, limited_by});
}

/// The latency of the last round follows the flows, the latencies of the others precede them.
void Recorder::end_rounds(TaskId task, std::uint64_t iteration, SimTime now, SimTime latency) {
  TaskRecord& record = at(task, iteration);
  SimTime from = now - latency;
  for (const FlowInterval& interval : record.intervals) from -= interval.end - interval.begin;
  record.flow_begin = from;
  for (FlowInterval& interval : record.intervals) {
    const SimTime length = interval.end - interval.begin;
    interval.begin = from;
    interval.end = from += length;
  }
  record.flow_end = from;
  end(task, iteration, now);
}

void Recorder::flow_end(TaskId task, std::uint64_t iteration, SimTime now) {
  TaskRecord& record = at(task, iteration);
  close_interval(record.intervals, now);
  record.flow_end = now;
}

void Recorder::end(TaskId task, std::uint64_t iteration, SimTime now) {
  at(task, iteration).end = now;
  if (iteration == 0 && !timeline_.first_ends.empty()) timeline_.first_ends[index(task)] = now;
  if (timeline_.makespan < now) timeline_.makespan = now;
}

void Recorder::carried(std::vector<Ratio> amounts) { timeline_.carried = std::move(amounts); }

void Recorder::event(SimTime now, std::uint32_t what, std::uint32_t id) {
  ++timeline_.events;
  events_.add(static_cast<std::uint64_t>(now.count()));
  events_.add(static_cast<std::uint64_t>(what) << 32 | id);
}

Timeline Recorder::finish(std::uint64_t iterations, const Repeat& repeat) && {
  timeline_.event_fingerprint = events_.value();
  timeline_.iterations = iterations;
  timeline_.repeat = repeat;
  for (std::uint64_t back = 0; back < std::min<std::uint64_t>(iterations, keep_); ++back) {
    auto& records = window_[(iterations - 1 - back) % window_.size()];
    if (back == 0) {
      timeline_.tasks = std::move(records);
    } else {
      timeline_.earlier.push_back(std::move(records));
    }
  }
  return std::move(timeline_);
}

}  // namespace vgsim
