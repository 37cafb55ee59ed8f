#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/network.hpp"
#include "sim/ratio.hpp"
#include "sim/units.hpp"

namespace vgsim {

/// A task of a graph. Ids count from 0 in the order of adding; ties are broken in favour of the
/// lowest id, so the caller controls tie-breaking by the order of adding.
enum class TaskId : std::uint32_t {};
inline constexpr TaskId kNoTask{static_cast<std::uint32_t>(-1)};
[[nodiscard]] constexpr std::size_t index(TaskId id) { return static_cast<std::size_t>(id); }

/// An amount to carry over a route; FluidNetwork defines the members.
struct FlowWork {
  RouteId route{};
  Ratio amount;
  std::optional<Ratio> rate_cap;
  std::int64_t weight = 1;
};

/// Work: first the delay (launch overhead, computation), then the flow, then the latency until
/// other tasks see the end. The latency does not occupy the task: it may already begin its next
/// round.
///
/// A task may repeat this in rounds, such as a ring's edge that forwards one chunk after another.
/// Its next round waits for the previous one and for the tasks that feed it (see TaskGraph::feed).
/// The task ends with its last round.
///
/// `category` and `subject` are not used by the simulation: for instance the kind of activity and
/// the device. Tasks with equal values may run concurrently; the caller serializes work on one
/// device by dependencies.
struct Task {
  SimTime delay{};  ///< not negative
  std::optional<FlowWork> flow;
  std::uint32_t category = 0;
  std::uint32_t subject = 0;
  std::uint32_t rounds = 1;  ///< at least 1
  SimTime latency{};         ///< not negative
};

/// `after` waits for `before`. With a lag, iteration i of `after` waits for iteration i - lag of
/// `before`, and the first `lag` iterations do not wait. For a feeding edge the lag counts rounds
/// within an iteration.
struct Edge {
  TaskId before{};
  TaskId after{};
  std::uint16_t lag = 0;
  bool feeds = false;

  bool operator==(const Edge&) const = default;
};

/// Thrown for a graph whose dependencies form a cycle.
class CycleError : public std::runtime_error {
 public:
  CycleError(std::vector<TaskId> cycle, std::vector<TaskId> unreachable);

  /// One cycle, each task before the one that depends on it, starting with its lowest id.
  [[nodiscard]] const std::vector<TaskId>& cycle() const { return cycle_; }
  /// All tasks that can never start: those on cycles and their dependents, ascending.
  [[nodiscard]] const std::vector<TaskId>& unreachable() const { return unreachable_; }

 private:
  std::vector<TaskId> cycle_;
  std::vector<TaskId> unreachable_;
};

/// The outgoing or the incoming edges of each task.
class Adjacency {
 public:
  enum class Side : std::uint8_t { out, in };

  struct Link {
    TaskId other{};
    std::uint16_t lag = 0;
    bool feeds = false;
  };

  /// Throws OverflowError when there are 2^32 edges.
  Adjacency(std::size_t tasks, std::span<const Edge> edges, Side side);

  /// In ascending order of the other task.
  [[nodiscard]] std::span<const Link> of(TaskId task) const {
    const auto i = static_cast<std::size_t>(task);
    return std::span(links_).subspan(offsets_[i], offsets_[i + 1] - offsets_[i]);
  }

 private:
  std::vector<std::uint32_t> offsets_;
  std::vector<Link> links_;
};

/// Tasks and their dependencies: one iteration of a graph that can run any number of times (see
/// RunOptions::iterations).
class TaskGraph {
 public:
  /// Throws std::invalid_argument when a time is negative or there is no round.
  TaskId add(const Task& task);

  /// `after` becomes ready after `before` has ended `lag` iterations earlier. Duplicates are
  /// allowed. Throws std::out_of_range when one of them does not exist.
  void depend(TaskId before, TaskId after, std::uint16_t lag = 0);

  /// Round k of `after` begins after round k - lag of `before` has ended, for k >= lag; both
  /// count from 0 in each iteration. Throws std::out_of_range when one of them does not exist and
  /// std::invalid_argument when their numbers of rounds differ.
  void feed(TaskId before, TaskId after, std::uint16_t lag);

  [[nodiscard]] std::size_t size() const { return tasks_.size(); }
  [[nodiscard]] const std::vector<FlowWork>& flows() const { return flows_; }
  /// A copy of the task as it was added.
  [[nodiscard]] Task task(TaskId id) const;
  [[nodiscard]] SimTime delay(TaskId id) const { return at(id).delay; }
  [[nodiscard]] SimTime latency(TaskId id) const { return at(id).latency; }
  /// Nothing (nullptr) for a task without a flow. Valid until the next add.
  [[nodiscard]] const FlowWork* flow(TaskId id) const {
    const std::uint32_t i = at(id).flow;
    return i == kNoFlow ? nullptr : &flows_[i];
  }
  /// Index of the flow of a task in flows(); nothing without a flow.
  [[nodiscard]] std::optional<std::size_t> flow_number(TaskId id) const {
    const std::uint32_t i = at(id).flow;
    return i == kNoFlow ? std::nullopt : std::optional<std::size_t>(i);
  }
  [[nodiscard]] std::uint32_t rounds(TaskId id) const { return at(id).rounds; }
  [[nodiscard]] std::uint32_t category(TaskId id) const { return at(id).category; }
  [[nodiscard]] std::uint32_t subject(TaskId id) const { return at(id).subject; }
  /// In the order of depend() and feed().
  [[nodiscard]] const std::vector<Edge>& edges() const { return edges_; }
  /// The longest lag of a dependency.
  [[nodiscard]] std::uint16_t longest_lag() const { return longest_lag_; }

  /// Throws CycleError when a task can never start. O(tasks + dependencies).
  void check() const;
  /// The same; `out` are this graph's edges.
  void check(const Adjacency& out) const;

 private:
  static constexpr std::uint32_t kNoFlow = static_cast<std::uint32_t>(-1);

  struct Stored {
    SimTime delay{};
    SimTime latency{};
    std::uint32_t flow = kNoFlow;  ///< index into flows_
    std::uint32_t category = 0;
    std::uint32_t subject = 0;
    std::uint32_t rounds = 1;
  };

  [[nodiscard]] const Stored& at(TaskId id) const {
    return tasks_.at(static_cast<std::size_t>(id));
  }
  void add_edge(const Edge& edge);

  std::vector<Stored> tasks_;
  std::vector<FlowWork> flows_;
  std::vector<Edge> edges_;
  std::uint16_t longest_lag_ = 0;
};

}  // namespace vgsim
