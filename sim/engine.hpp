#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stdexcept>
#include <vector>

#include "sim/network.hpp"
#include "sim/recorder.hpp"
#include "sim/task_graph.hpp"
#include "sim/time_slicing.hpp"

namespace vgsim {

/// Limits of a run. Both are off by default.
struct Limits {
  std::optional<std::uint64_t> max_events;
  /// Called about every thousand events; returns whether the real-time limit has passed. It can end
  /// a run but never changes a result.
  std::function<bool()> deadline_passed;
};

/// Progress of a run.
struct Progress {
  SimTime now{};
  std::uint64_t iterations_done = 0;  ///< completed by all tasks
  std::uint64_t iterations = 0;       ///< to simulate; falls when a periodic state is found
  std::uint64_t events = 0;
};

/// Tasks whose delay is work on a time-sliced device.
struct SlicingPlan {
  struct Slot {
    std::uint32_t device = 0;
    std::uint32_t tenant = 0;
    WorkLane lane = WorkLane::kKernels;
  };
  std::vector<SlicedDevice> devices;
  std::vector<std::optional<Slot>> slots;  ///< by TaskId; tasks past the end have none

  [[nodiscard]] const Slot* slot(TaskId task) const {
    return index(task) < slots.size() && slots[index(task)] ? &*slots[index(task)] : nullptr;
  }
};

/// Options of simulate().
struct RunOptions {
  Limits limits;
  std::uint64_t iterations = 1;  ///< how often the graph runs, at least 1
  /// Stop simulating iterations once the simulation state repeats (see Timeline::repeat).
  bool find_repeat = true;
  /// When a state repeats, end the run there instead of simulating the last iterations, which may
  /// differ. The last iteration of the timeline then takes as long as the repeated ones, for each
  /// task that is not ahead of others. The run continues if a task is further ahead than the
  /// longest lag.
  bool end_at_repeat = false;
  /// End the run after this many iterations if no state has repeated until then.
  std::optional<std::uint64_t> most_iterations;
  std::size_t keep = 1;  ///< number of last iterations whose records the timeline keeps
  /// The delay of a task in one iteration, for delays that vary. Must not be negative. Iterations
  /// then differ, so repetition is not detected.
  std::function<SimTime(TaskId, std::uint64_t iteration, SimTime delay)> vary_delay;
  /// Delays of tasks with a tenant slot pass in the time slices of that tenant. The device has a
  /// state that is not compared, so repetition is not detected.
  SlicingPlan slicing;
  std::function<void(const Progress&)> report;  ///< called as often as deadline_passed
  /// With `goes_on`: called at each end of an iteration of these tasks. The run ends when it
  /// returns false; its timeline then has no meaning beyond the sums of the flows that ended.
  std::vector<TaskId> watched;
  std::function<bool(TaskId, std::uint64_t iteration, SimTime end)> goes_on;
};

/// Thrown when a run exceeds its limits.
class LimitExceeded : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Thrown when tasks wait for flows that never progress, for instance on a link that is down and
/// does not come back.
class Stalled : public std::runtime_error {
 public:
  Stalled(SimTime at, std::vector<TaskId> tasks);

  [[nodiscard]] SimTime at() const { return at_; }
  /// The tasks whose flows do not progress, ascending.
  [[nodiscard]] const std::vector<TaskId>& tasks() const { return tasks_; }

 private:
  SimTime at_;
  std::vector<TaskId> tasks_;
};

/// Runs the graph on the network from time 0 until every task has ended in every iteration.
///
/// A task becomes ready when all its dependencies have ended (at 0 without any). Its delay passes,
/// then its flow, and one latency later it ends. A task processes one round at a time: its next
/// round, and its next iteration, begins after its flow. Dependencies with a lag are the only
/// barrier between iterations.
///
/// Events at one time are processed in this order: ends of tasks, capacity changes, beginnings of
/// flows; within each, the lowest id first (for changes: the position in the list). Then the rates
/// are solved. Flows that end at their start (an amount of 0) end next, at the same time, and
/// events that follow from that are processed in the same order.
///
/// Throws CycleError; Stalled; LimitExceeded; OverflowError when a task ends past 106 days;
/// std::invalid_argument or std::out_of_range when a task or the network is malformed (see
/// FluidNetwork::start_flow) or a capacity change precedes time 0.
[[nodiscard]] Timeline simulate(const TaskGraph& graph, const Network& network,
                                const RunOptions& options = {});

}  // namespace vgsim
