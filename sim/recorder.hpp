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

/// A stretch of a flow's life during which one thing held it back.
struct FlowInterval {
  SimTime begin{};
  SimTime end{};
  std::optional<ResourceId> limited_by;  ///< nothing: the flow's own rate cap

  bool operator==(const FlowInterval&) const = default;
};

/// When a task ran, in one iteration, and why then. ready <= flow_begin <= flow_end <= end.
struct TaskRecord {
  SimTime ready{};                   ///< when the last dependency ended; 0 for a task without any
  SimTime flow_begin{};              ///< ready + delay
  SimTime flow_end{};                ///< flow_begin for a task without a flow
  SimTime end{};                     ///< flow_end + latency
  TaskId last_dependency = kNoTask;  ///< ended last (of several the lowest id)
  std::uint16_t dependency_lag = 0;  ///< how many iterations earlier that one was
  /// Back to back from flow_begin to flow_end, neighbours limited by different things, none empty.
  /// Empty for a task without a flow and for a flow that ends at its start. Of a task of several
  /// rounds these are sums: how long each thing held its flows back, in order of first occurrence
  /// and moved to the end, so that ready to flow_begin is what it spent on delays, waiting and all
  /// latencies but the last.
  std::vector<FlowInterval> intervals;
};

/// Iterations that were not run because the state of the run had come back: the `iterations` up
/// to then took `time`, and `count` times as many again would have done the very same.
struct Repeat {
  std::uint64_t iterations = 0;
  SimTime time{};
  std::uint64_t count = 0;
};

/// The one record of a run that everything else is read from.
struct Timeline {
  std::vector<TaskRecord> tasks;  ///< of the last iteration, by TaskId
  /// Of the iterations before it, the latest first, as far as they were kept.
  std::vector<std::vector<TaskRecord>> earlier;
  std::vector<SimTime> first_ends;  ///< see first_end(); empty where one iteration was to be run
  std::uint64_t iterations = 0;     ///< that were run, without the repeated ones
  Repeat repeat;
  SimTime makespan{};          ///< end of the task that ends last; 0 without tasks
  std::uint64_t events = 0;    ///< what the engine handled: flow begins, task ends, changes
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

/// The task that ends last in the last iteration, of several the lowest id; nothing for an empty
/// timeline.
[[nodiscard]] std::optional<TaskId> last_task(const Timeline& timeline);

/// Builds a Timeline from what the engine tells it, in order of time.
class Recorder {
 public:
  /// Of a run of at most so many iterations. Keeps the records of the last `keep`, also where tasks
  /// have begun as many as `ahead` later ones when the run ends.
  Recorder(std::size_t tasks, std::uint64_t iterations, std::size_t keep = 1,
           std::size_t ahead = 0);

  void ready(TaskId task, std::uint64_t iteration, SimTime now, TaskId last_dependency,
             std::uint16_t dependency_lag);
  void flow_begin(TaskId task, std::uint64_t iteration, SimTime now);
  /// From `now` on the flow is held back by `limited_by`. Repetitions are merged; of several
  /// calls at one time the last counts.
  void limited(TaskId task, std::uint64_t iteration, SimTime now,
               std::optional<ResourceId> limited_by);
  /// Ends the flow of a task, but not yet the task.
  void flow_end(TaskId task, std::uint64_t iteration, SimTime now);
  /// A round of a task of several was held back by `limited_by` for that long.
  void held(TaskId task, std::uint64_t iteration, std::optional<ResourceId> limited_by,
            SimTime length);
  /// Ends a task of several rounds.
  void end_rounds(TaskId task, std::uint64_t iteration, SimTime now, SimTime latency);
  void end(TaskId task, std::uint64_t iteration, SimTime now);
  /// By ResourceId.
  void carried(std::vector<Ratio> amounts);
  /// Counts an event into the total and the fingerprint. `what` tells kinds of event apart.
  void event(SimTime now, std::uint32_t what, std::uint32_t id);

  /// Of one of the last iterations.
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
