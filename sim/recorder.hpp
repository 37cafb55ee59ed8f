#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sim/exact.hpp"
#include "sim/fingerprint.hpp"
#include "sim/network.hpp"
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

/// When a task ran and why then. ready <= flow_begin <= end.
struct TaskRecord {
  SimTime ready{};       ///< when the last dependency ended; 0 for a task without any
  SimTime flow_begin{};  ///< ready + delay
  SimTime end{};         ///< flow_begin for a task without a flow
  std::optional<TaskId> last_dependency;  ///< ended last (of several the lowest id)
  /// Back to back from flow_begin to end, neighbours limited by different things, none empty.
  /// Empty for a task without a flow and for a flow that ends at its start.
  std::vector<FlowInterval> intervals;
};

/// The one record of a run that everything else is read from.
struct Timeline {
  std::vector<TaskRecord> tasks;  ///< by TaskId
  SimTime makespan{};             ///< end of the task that ends last; 0 without tasks
  std::uint64_t events = 0;       ///< what the engine handled: flow begins, task ends, changes
  std::vector<Exact> carried;     ///< by ResourceId: sum of amount x coefficient of its flows
  std::uint64_t event_fingerprint = 0;  ///< of the sequence of events, see fingerprint.hpp

  [[nodiscard]] const TaskRecord& task(TaskId id) const {
    return tasks.at(static_cast<std::size_t>(id));
  }
};

/// The task that ends last, of several the lowest id; nothing for an empty timeline.
[[nodiscard]] std::optional<TaskId> last_task(const Timeline& timeline);

/// Builds a Timeline from what the engine tells it, in order of time.
class Recorder {
 public:
  Recorder(std::size_t tasks, std::size_t resources);

  void ready(TaskId task, SimTime now, std::optional<TaskId> last_dependency);
  void flow_begin(TaskId task, SimTime now);
  /// From `now` on the flow is held back by `limited_by`. Repetitions are merged; of several
  /// calls at one time the last counts.
  void limited(TaskId task, SimTime now, std::optional<ResourceId> limited_by);
  void end(TaskId task, SimTime now);
  void carried(ResourceId resource, const Exact& amount);
  /// Counts an event into the total and the fingerprint. `what` tells kinds of event apart.
  void event(SimTime now, std::uint32_t what, std::uint32_t id);

  [[nodiscard]] Timeline finish() &&;

 private:
  [[nodiscard]] TaskRecord& at(TaskId task) {
    return timeline_.tasks[static_cast<std::size_t>(task)];
  }

  Timeline timeline_;
  Fingerprint events_;
};

}  // namespace vgsim
