#include "sim/task_graph.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace vgsim {
namespace {

std::size_t index(TaskId id) { return static_cast<std::size_t>(id); }

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

/// How many dependencies of each task have not ended once all that can run has run.
std::vector<std::size_t> waiting_after_run(const TaskGraph& graph) {
  const Successors successors = graph.successors();
  std::vector<std::size_t> waiting(graph.size(), 0);
  for (const auto& [before, after] : graph.edges()) ++waiting[index(after)];
  std::vector<TaskId> runnable;
  for (std::size_t i = 0; i < waiting.size(); ++i) {
    if (waiting[i] == 0) runnable.push_back(static_cast<TaskId>(i));
  }
  while (!runnable.empty()) {
    const TaskId task = runnable.back();
    runnable.pop_back();
    for (const TaskId next : successors.of(task)) {
      if (--waiting[index(next)] == 0) runnable.push_back(next);
    }
  }
  return waiting;
}

/// Walks from stuck task to the lowest stuck task before it until one repeats.
std::vector<TaskId> find_cycle(const TaskGraph& graph, const std::vector<std::size_t>& waiting,
                               TaskId start) {
  std::vector<std::optional<TaskId>> stuck_before(graph.size());
  for (const auto& [before, after] : graph.edges()) {
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

Successors::Successors(std::size_t tasks, std::span<const std::pair<TaskId, TaskId>> edges)
    : offsets_(tasks + 1, 0), targets_(edges.size()) {
  for (const auto& [before, after] : edges) ++offsets_[index(before) + 1];
  for (std::size_t i = 0; i < tasks; ++i) offsets_[i + 1] += offsets_[i];
  std::vector<std::size_t> next(offsets_.begin(), offsets_.end() - 1);
  for (const auto& [before, after] : edges) targets_[next[index(before)]++] = after;
  for (std::size_t i = 0; i < tasks; ++i) {
    std::sort(targets_.begin() + static_cast<std::ptrdiff_t>(offsets_[i]),
              targets_.begin() + static_cast<std::ptrdiff_t>(offsets_[i + 1]));
  }
}

TaskId TaskGraph::add(Task task) {
  if (task.delay < SimTime{0}) throw std::invalid_argument("a task's delay is negative");
  tasks_.push_back(std::move(task));
  return static_cast<TaskId>(tasks_.size() - 1);
}

void TaskGraph::depend(TaskId before, TaskId after) {
  for (const TaskId id : {before, after}) {
    if (index(id) >= tasks_.size()) {
      throw std::out_of_range(fmt::format("there is no task {}", index(id)));
    }
  }
  edges_.emplace_back(before, after);
}

void TaskGraph::check() const {
  const std::vector<std::size_t> waiting = waiting_after_run(*this);
  std::vector<TaskId> unreachable;
  for (std::size_t i = 0; i < waiting.size(); ++i) {
    if (waiting[i] > 0) unreachable.push_back(static_cast<TaskId>(i));
  }
  if (unreachable.empty()) return;
  std::vector<TaskId> cycle = find_cycle(*this, waiting, unreachable.front());
  throw CycleError(std::move(cycle), std::move(unreachable));
}

}  // namespace vgsim
