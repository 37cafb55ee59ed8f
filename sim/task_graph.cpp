#include "sim/task_graph.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace vgsim {
namespace {

/// The ids as "3, 7, 9", cut short after a dozen.
std::string listed(const std::vector<TaskId>& ids, const char* separator) {
  constexpr std::size_t kShown = 12;
  std::string text;
  for (std::size_t i = 0; i < std::min(ids.size(), kShown); ++i) {
    text += fmt::format("{}{}", i == 0 ? "" : separator, index(ids[i]));
  }
  if (ids.size() > kShown) text += fmt::format("{}... ({} in all)", separator, ids.size());
  return text;
}

/// Number of dependencies of each task that have not ended after all runnable tasks ran.
std::vector<std::uint32_t> waiting_after_run(const TaskGraph& graph, const Adjacency& out) {
  std::vector<std::uint32_t> waiting(graph.size(), 0);
  for (const Edge& edge : graph.edges()) {
    if (edge.lag == 0) ++waiting[index(edge.after)];
  }
  std::vector<TaskId> runnable;
  for (std::size_t i = 0; i < waiting.size(); ++i) {
    if (waiting[i] == 0) runnable.push_back(static_cast<TaskId>(i));
  }
  while (!runnable.empty()) {
    const TaskId task = runnable.back();
    runnable.pop_back();
    for (const Adjacency::Link& link : out.of(task)) {
      if (link.lag == 0 && --waiting[index(link.other)] == 0) runnable.push_back(link.other);
    }
  }
  return waiting;
}

/// Follows the lowest blocked predecessor until a task repeats.
std::vector<TaskId> find_cycle(const TaskGraph& graph, const std::vector<std::uint32_t>& waiting,
                               TaskId start) {
  std::vector<std::optional<TaskId>> stuck_before(graph.size());
  for (const auto& [before, after, lag, feeds] : graph.edges()) {
    if (lag > 0) continue;
    std::optional<TaskId>& lowest = stuck_before[index(after)];
    if (waiting[index(before)] > 0 && (!lowest || before < *lowest)) lowest = before;
  }
  std::vector<bool> seen(graph.size(), false);
  TaskId task = start;
  while (!seen[index(task)]) {
    seen[index(task)] = true;
    task = *stuck_before[index(task)];
  }
  std::vector<TaskId> cycle{task};
  for (TaskId at = *stuck_before[index(task)]; at != task; at = *stuck_before[index(at)]) {
    cycle.push_back(at);
  }
  std::reverse(cycle.begin(), cycle.end());
  std::rotate(cycle.begin(), std::min_element(cycle.begin(), cycle.end()), cycle.end());
  return cycle;
}

}  // namespace

CycleError::CycleError(std::vector<TaskId> cycle, std::vector<TaskId> unreachable)
    : std::runtime_error(fmt::format("tasks depend on each other in a cycle: {} -> {}; "
                                     "these can never start: {}",
                                     listed(cycle, " -> "), index(cycle.front()),
                                     listed(unreachable, ", "))),
      cycle_(std::move(cycle)),
      unreachable_(std::move(unreachable)) {}

Adjacency::Adjacency(std::size_t tasks, std::span<const Edge> edges, Side side)
    : offsets_(tasks + 1, 0), links_(edges.size()) {
  const auto near = [side](const Edge& edge) {
    return index(side == Side::out ? edge.before : edge.after);
  };
  if (edges.size() > std::numeric_limits<std::uint32_t>::max()) {
    throw OverflowError("a graph has more edges than 32 bits count");
  }
  for (const Edge& edge : edges) ++offsets_[near(edge) + 1];
  for (std::size_t i = 0; i < tasks; ++i) offsets_[i + 1] += offsets_[i];
  std::vector<std::uint32_t> next(offsets_.begin(), offsets_.end() - 1);
  for (const Edge& edge : edges) {
    const TaskId other = side == Side::out ? edge.after : edge.before;
    links_[next[near(edge)]++] = {other, edge.lag, edge.feeds};
  }
  for (std::size_t i = 0; i < tasks; ++i) {
    const auto begin = links_.begin() + static_cast<std::ptrdiff_t>(offsets_[i]);
    const auto end = links_.begin() + static_cast<std::ptrdiff_t>(offsets_[i + 1]);
    const auto lower = [](const Link& a, const Link& b) { return a.other < b.other; };
    if (!std::is_sorted(begin, end, lower)) std::stable_sort(begin, end, lower);
  }
}

TaskId TaskGraph::add(const Task& task) {
  if (task.delay < SimTime{0}) throw std::invalid_argument("a task's delay is negative");
  if (task.latency < SimTime{0}) throw std::invalid_argument("a task's latency is negative");
  if (task.rounds < 1) throw std::invalid_argument("a task has no rounds");
  Stored stored{task.delay, task.latency, kNoFlow, task.category, task.subject, task.rounds};
  if (task.flow) {
    stored.flow = static_cast<std::uint32_t>(flows_.size());
    flows_.push_back(*task.flow);
  }
  tasks_.push_back(stored);
  return static_cast<TaskId>(tasks_.size() - 1);
}

Task TaskGraph::task(TaskId id) const {
  const Stored& stored = at(id);
  const FlowWork* work = flow(id);
  return {stored.delay,    work == nullptr ? std::nullopt : std::optional(*work),
          stored.category, stored.subject,
          stored.rounds,   stored.latency};
}

void TaskGraph::add_edge(const Edge& edge) {
  for (const TaskId id : {edge.before, edge.after}) {
    if (index(id) >= tasks_.size()) {
      throw std::out_of_range(fmt::format("there is no task {}", index(id)));
    }
  }
  edges_.push_back(edge);
}

void TaskGraph::depend(TaskId before, TaskId after, std::uint16_t lag) {
  add_edge({before, after, lag, false});
  longest_lag_ = std::max(longest_lag_, lag);
}

void TaskGraph::feed(TaskId before, TaskId after, std::uint16_t lag) {
  if (rounds(before) != rounds(after)) {
    throw std::invalid_argument("a task feeds one with another number of rounds");
  }
  add_edge({before, after, lag, true});
}

void TaskGraph::check() const { check(Adjacency(size(), edges_, Adjacency::Side::out)); }

void TaskGraph::check(const Adjacency& out) const {
  const std::vector<std::uint32_t> waiting = waiting_after_run(*this, out);
  std::vector<TaskId> unreachable;
  for (std::size_t i = 0; i < waiting.size(); ++i) {
    if (waiting[i] > 0) unreachable.push_back(static_cast<TaskId>(i));
  }
  if (unreachable.empty()) return;
  std::vector<TaskId> cycle = find_cycle(*this, waiting, unreachable.front());
  throw CycleError(std::move(cycle), std::move(unreachable));
}

}  // namespace vgsim
