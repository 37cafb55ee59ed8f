#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "sim/exact.hpp"
#include "sim/network.hpp"
#include "sim/units.hpp"

namespace vgsim {

/// A task of a graph. Counts from 0 in the order of adding; ties are broken in favour of the
/// lowest id, so a caller that numbers tasks by a rule of its own gets results by that rule.
enum class TaskId : std::uint32_t {};

/// An amount to carry over a route; see FluidNetwork for what the members mean.
struct FlowWork {
  RouteId route{};
  Exact amount;
  std::optional<Exact> rate_cap;
  std::int64_t weight = 1;
};

/// A piece of work: first the delay (latency, launch overhead, computation), then the flow.
///
/// The last three members are for the caller alone: for instance the kind of activity, the device
/// that it happens on, the iteration that it belongs to. Tasks that agree in them do not exclude
/// each other; work that shares a device one at a time is chained by dependencies.
struct Task {
  SimTime delay{};  ///< not negative
  std::optional<FlowWork> flow;
  std::uint32_t category = 0;
  std::uint32_t subject = 0;
  std::uint32_t group = 0;
};

/// Thrown for a graph that cannot be run to its end because dependencies form a cycle.
class CycleError : public std::runtime_error {
 public:
  CycleError(std::vector<TaskId> cycle, std::vector<TaskId> unreachable);

  /// One cycle, each task before the one that depends on it, starting with its lowest id.
  [[nodiscard]] const std::vector<TaskId>& cycle() const { return cycle_; }
  /// All tasks that could never start: those on cycles and those behind them, ascending.
  [[nodiscard]] const std::vector<TaskId>& unreachable() const { return unreachable_; }

 private:
  std::vector<TaskId> cycle_;
  std::vector<TaskId> unreachable_;
};

/// For each task the tasks that wait for it, in ascending order.
class Successors {
 public:
  Successors(std::size_t tasks, std::span<const std::pair<TaskId, TaskId>> edges);

  [[nodiscard]] std::span<const TaskId> of(TaskId task) const {
    const auto i = static_cast<std::size_t>(task);
    return std::span(targets_).subspan(offsets_[i], offsets_[i + 1] - offsets_[i]);
  }

 private:
  std::vector<std::size_t> offsets_;
  std::vector<TaskId> targets_;
};

/// Tasks and what each must wait for.
class TaskGraph {
 public:
  using Edge = std::pair<TaskId, TaskId>;  ///< first must end before second becomes ready

  /// Throws std::invalid_argument when the delay is negative.
  TaskId add(Task task);

  /// `after` becomes ready only once `before` has ended. Saying it twice changes nothing.
  /// Throws std::out_of_range when one of them does not exist.
  void depend(TaskId before, TaskId after);

  [[nodiscard]] std::size_t size() const { return tasks_.size(); }
  [[nodiscard]] const Task& task(TaskId id) const {
    return tasks_.at(static_cast<std::size_t>(id));
  }
  [[nodiscard]] const std::vector<Task>& tasks() const { return tasks_; }
  /// In the order of depend().
  [[nodiscard]] const std::vector<Edge>& edges() const { return edges_; }

  [[nodiscard]] Successors successors() const { return {tasks_.size(), edges_}; }

  /// Throws CycleError when some task could never start. O(tasks + dependencies).
  void check() const;

 private:
  std::vector<Task> tasks_;
  std::vector<Edge> edges_;
};

}  // namespace vgsim
