#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <vector>

#include "sim/network.hpp"
#include "sim/recorder.hpp"
#include "sim/task_graph.hpp"
#include "sim/turns.hpp"

namespace vgsim {

/// When to give up. Both are off by default.
struct Limits {
  std::optional<std::uint64_t> max_events;
  /// Asked now and then (every thousand events or so) whether real time is up. It cannot change a
  /// result, only cut it off.
  std::function<bool()> deadline_passed;
};

/// How far a run has come.
struct Progress {
  SimTime now{};
  std::uint64_t iterations_done = 0;  ///< by all tasks
  std::uint64_t iterations = 0;       ///< to be run; falls when iterations are found to repeat
  std::uint64_t events = 0;
};

/// Tasks whose delay is work on a device that is shared in turns.
struct TurnPlan {
  struct Seat {
    std::uint32_t device = 0;
    std::uint32_t tenant = 0;
    TurnLane lane = TurnLane::kKernels;
  };
  std::vector<TurnDevice> devices;
  std::vector<std::optional<Seat>> seats;  ///< by TaskId; the tasks behind its end have none

  [[nodiscard]] const Seat* seat(TaskId task) const {
    return index(task) < seats.size() && seats[index(task)] ? &*seats[index(task)] : nullptr;
  }
};

/// How to run a graph.
struct RunOptions {
  Limits limits;
  std::uint64_t iterations = 1;  ///< how many times over, at least 1
  /// Stop running iterations once the state of the run comes back (see Timeline::repeat).
  bool find_repeat = true;
  /// Where a state comes back, stop there instead of running on to the end, which may differ: the
  /// timeline's last iteration then takes as long as those that repeat, for each task that is not
  /// ahead of others. Runs on where one is further ahead than the longest lag.
  bool end_at_repeat = false;
  /// End the run early after so many iterations if no state has come back until then.
  std::optional<std::uint64_t> most_iterations;
  std::size_t keep = 1;  ///< of how many of the last iterations the timeline holds records
  /// The delay of a task in one iteration, where it is not always Task::delay. Must not be
  /// negative. Iterations then differ, so none is taken for a repetition.
  std::function<SimTime(TaskId, std::uint64_t iteration, SimTime delay)> vary_delay;
  /// Delays of tasks with a seat pass in its tenant's turns. What they wait for has a state of its
  /// own, so no iteration is taken for a repetition.
  TurnPlan turns;
  std::function<void(const Progress&)> report;  ///< called as often as deadline_passed
};

/// Thrown when a run exceeds its limits.
class LimitExceeded : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Thrown when tasks wait for flows that stand still for ever, for instance on a link that is
/// down and does not come back.
class Stalled : public std::runtime_error {
 public:
  Stalled(SimTime at, std::vector<TaskId> tasks);

  [[nodiscard]] SimTime at() const { return at_; }
  /// The tasks whose flows stand still, ascending.
  [[nodiscard]] const std::vector<TaskId>& tasks() const { return tasks_; }

 private:
  SimTime at_;
  std::vector<TaskId> tasks_;
};

/// Runs the graph on the network from time 0 until every task has ended, in every iteration.
///
/// A task becomes ready when all its dependencies have ended (at 0 without any), serves its
/// delay, then its flow; it ends one latency later. It does one thing at a time: its next round,
/// and its next iteration, begins once the flow before is done. There is no barrier between
/// iterations other than the dependencies with a lag.
///
/// At one time, ends come before capacity changes and these before the beginning of flows; within
/// each, the lowest id comes first (for changes: the place in the list). Rates are solved once that
/// is done. Flows that end at their start (an amount of 0) do so next, still at the same time, and
/// what that sets off follows in the same order.
///
/// Throws CycleError; Stalled; LimitExceeded; OverflowError when a task ends past 106 days;
/// std::invalid_argument or std::out_of_range when a task or the network is malformed (see
/// FluidNetwork::start_flow) or a capacity change precedes time 0.
[[nodiscard]] Timeline simulate(const TaskGraph& graph, const Network& network,
                                const RunOptions& options = {});

}  // namespace vgsim
