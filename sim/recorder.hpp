#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/fingerprint.hpp"
#include "sim/network.hpp"
#include "sim/ratio.hpp"
#include "sim/task_graph.hpp"
#include "sim/units.hpp"

namespace vgsim {

/// An interval of a flow with one limit.
struct FlowInterval {
  SimTime begin{};
  SimTime end{};
  std::optional<ResourceId> limited_by;  ///< nothing: the flow's own rate cap

  bool operator==(const FlowInterval&) const = default;
};

/// Times of a task in one iteration, and the dependency that it waited for. ready <= flow_begin <=
/// flow_end <= end.
struct TaskRecord {
  SimTime ready{};                   ///< end of the last dependency; 0 for a task without any
  SimTime flow_begin{};              ///< ready + delay
  SimTime flow_end{};                ///< flow_begin for a task without a flow
  SimTime end{};                     ///< flow_end + latency
  TaskId last_dependency = kNoTask;  ///< the one that ended last (of several the lowest id)
  std::uint16_t dependency_lag = 0;  ///< how many iterations earlier it ran
  /// Contiguous from flow_begin to flow_end, consecutive limits differ, none empty. Empty for a
  /// task without a flow and for a flow that ends at its start. For a task of several rounds these
  /// are sums: the time under each limit, in order of first occurrence, moved to the end of the
  /// task, so that ready to flow_begin is the time of delays, waiting and all latencies but the
  /// last.
  std::vector<FlowInterval> intervals;
};

/// Iterations that were skipped because the simulation state repeated: the last `iterations` took
/// `time` and would repeat identically `count` times.
struct Repeat {
  std::uint64_t iterations = 0;
  SimTime time{};
  std::uint64_t count = 0;
};

/// The record of a run, from which all results are derived.
struct Timeline {
  std::vector<TaskRecord> tasks;  ///< of the last iteration, by TaskId
  /// Of the kept iterations before it, the latest first.
  std::vector<std::vector<TaskRecord>> earlier;
  std::vector<SimTime> first_ends;  ///< see first_end(); empty for a run of one iteration
  std::uint64_t iterations = 0;     ///< simulated, without the repeated ones
  Repeat repeat;
  SimTime makespan{};          ///< end of the task that ends last; 0 without tasks
  std::uint64_t events = 0;    ///< processed by the engine: flow begins, task ends, changes
  std::vector<Ratio> carried;  ///< by ResourceId: sum of amount x coefficient of flows that ran
  std::uint64_t event_fingerprint = 0;  ///< of the sequence of events, see fingerprint.hpp

  [[nodiscard]] const TaskRecord& task(TaskId id) const {
    return tasks.at(static_cast<std::size_t>(id));
  }
  /// When the task ended in the first iteration.
  [[nodiscard]] SimTime first_end(TaskId id) const {
    return first_ends.empty() ? task(id).end : first_ends.at(static_cast<std::size_t>(id));
  }
  /// `back` iterations before the last; nullptr when that was not kept or not run.
  [[nodiscard]] const TaskRecord* find(TaskId id, std::uint64_t back) const;
};

/// The task that ends last in the last iteration, of several the lowest id; nothing without tasks.
[[nodiscard]] std::optional<TaskId> last_task(const Timeline& timeline);

/// Builds a Timeline from calls of the engine, in order of time.
class Recorder {
 public:
  /// For a run of at most `iterations`. Keeps the records of the last `keep`, even if tasks have
  /// begun up to `ahead` later iterations when the run ends.
  Recorder(std::size_t tasks, std::uint64_t iterations, std::size_t keep = 1,
           std::size_t ahead = 0);

  void ready(TaskId task, std::uint64_t iteration, SimTime now, TaskId last_dependency,
             std::uint16_t dependency_lag);
  void flow_begin(TaskId task, std::uint64_t iteration, SimTime now);
  /// From `now` on `limited_by` limits the flow. Repetitions are merged; of several calls at one
  /// time the last applies.
  void limited(TaskId task, std::uint64_t iteration, SimTime now,
               std::optional<ResourceId> limited_by);
  /// Ends the flow of a task. The task ends one latency later.
  void flow_end(TaskId task, std::uint64_t iteration, SimTime now);
  /// Adds the time for which `limited_by` limited a round of a task with several rounds.
  void add_limited_time(TaskId task, std::uint64_t iteration, std::optional<ResourceId> limited_by,
                        SimTime length);
  /// Ends a task with several rounds.
  void end_rounds(TaskId task, std::uint64_t iteration, SimTime now, SimTime latency);
  void end(TaskId task, std::uint64_t iteration, SimTime now);
  /// Sets Timeline::carried.
  void carried(std::vector<Ratio> amounts);
  /// Counts an event and adds it to the fingerprint. `what` is the kind of event.
  void event(SimTime now, std::uint32_t what, std::uint32_t id);

  /// End of a task in one of the last iterations.
  [[nodiscard]] SimTime end_of(TaskId task, std::uint64_t iteration) const {
    return window_[iteration % window_.size()][index(task)].end;
  }

  [[nodiscard]] Timeline finish(std::uint64_t iterations, const Repeat& repeat) &&;

 private:
  [[nodiscard]] TaskRecord& at(TaskId task, std::uint64_t iteration) {
    return window_[iteration % window_.size()][static_cast<std::size_t>(task)];
  }

  std::vector<std::vector<TaskRecord>> window_;
  std::size_t keep_;
  Timeline timeline_;
  Fingerprint events_;
};

}  // namespace vgsim
