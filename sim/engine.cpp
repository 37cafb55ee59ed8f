#include "sim/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "sim/event_queue.hpp"
#include "sim/fluid_network.hpp"

namespace vgsim {
namespace {

/// What happens first at one time.
enum Phase : std::uint32_t { kEnd = 0, kCapacityChange = 1, kFlowBegin = 2 };

std::size_t index(TaskId id) { return static_cast<std::size_t>(id); }

std::string stall_text(SimTime at, const std::vector<TaskId>& tasks) {
  constexpr std::size_t kShown = 12;
  std::string ids;
  for (std::size_t i = 0; i < std::min(tasks.size(), kShown); ++i) {
    ids += fmt::format("{}{}", i == 0 ? "" : ", ", index(tasks[i]));
  }
  return fmt::format("stalled at {} ps: {} flow(s) stand still for ever, of task(s) {}{}",
                     at.count(), tasks.size(), ids, tasks.size() > kShown ? ", ..." : "");
}

/// One run. Events wait in `queue_`: the end of a task, a capacity change, the beginning of a
/// flow after its delay. Ends of flows join it when the fluid network says that they are due.
class Run {
 public:
  Run(const TaskGraph& graph, const Network& network, const Limits& limits);
  Timeline finish() &&;

 private:
  /// What a task still waits for.
  struct Waiting {
    std::size_t dependencies = 0;
    std::optional<TaskId> last;  // of the dependencies that have ended
    SimTime last_end{};
  };

  void schedule_changes();
  void become_ready(TaskId task);
  [[nodiscard]] bool next_time();
  void handle(const Event& event);
  void change_capacity(std::size_t change);
  void begin_flow(TaskId task);
  void end_task(TaskId task);
  void record_carried();
  void record_limits();
  void check_limits() const;
  [[noreturn]] void give_up();

  const TaskGraph& graph_;
  const Network& given_;
  const Limits& limits_;
  Successors successors_;
  FluidNetwork fluid_;
  Recorder recorder_;
  EventQueue queue_;
  std::vector<Waiting> waiting_;
  std::vector<std::optional<TaskId>> task_of_flow_;
  std::vector<Exact> carried_;  // by RouteId: the amounts of flows that have ended
  SimTime now_{};
  std::size_t ended_ = 0;
  std::uint64_t handled_ = 0;
};

Run::Run(const TaskGraph& graph, const Network& network, const Limits& limits)
    : graph_(graph),
      given_(network),
      limits_(limits),
      successors_(graph.successors()),
      fluid_(network),
      recorder_(graph.size(), network.resources.size()),
      waiting_(graph.size()),
      carried_(network.routes.size()) {
  graph.check();
  schedule_changes();
  for (const auto& [before, after] : graph.edges()) ++waiting_[index(after)].dependencies;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (waiting_[i].dependencies == 0) become_ready(static_cast<TaskId>(i));
  }
}

void Run::schedule_changes() {
  for (std::size_t i = 0; i < given_.capacity_changes.size(); ++i) {
    const CapacityChange& change = given_.capacity_changes[i];
    if (change.at < SimTime{0}) throw std::invalid_argument("a capacity changes before time 0");
    queue_.push(change.at, kCapacityChange, static_cast<std::uint32_t>(i));
  }
}

void Run::become_ready(TaskId id) {
  const Task& task = graph_.task(id);
  recorder_.ready(id, now_, waiting_[index(id)].last);
  queue_.push(now_ + task.delay, task.flow ? kFlowBegin : kEnd, static_cast<std::uint32_t>(id));
}

/// Moves to the time of the next event and puts the ends of flows that are due then into the
/// queue; false when nothing lies ahead.
bool Run::next_time() {
  const auto completion = fluid_.next_completion();
  record_limits();
  if (!completion && queue_.empty()) return false;
  now_ = queue_.empty() ? completion->at : queue_.top().time;
  if (completion && completion->at < now_) now_ = completion->at;
  for (const FlowId flow : fluid_.complete(now_)) {
    const TaskId task = *std::exchange(task_of_flow_[static_cast<std::size_t>(flow)], {});
    queue_.push(now_, kEnd, static_cast<std::uint32_t>(task));
  }
  return true;
}

void Run::record_limits() {
  for (const FlowId flow : fluid_.take_changed()) {
    recorder_.limited(*task_of_flow_[static_cast<std::size_t>(flow)], now_,
                      fluid_.limiting_resource(flow));
  }
}

void Run::handle(const Event& event) {
  check_limits();
  ++handled_;
  recorder_.event(now_, event.phase, event.id);
  switch (event.phase) {
    case kEnd:
      return end_task(static_cast<TaskId>(event.id));
    case kCapacityChange:
      return change_capacity(event.id);
    default:
      return begin_flow(static_cast<TaskId>(event.id));
  }
}

void Run::change_capacity(std::size_t i) {
  const CapacityChange& change = given_.capacity_changes[i];
  fluid_.set_capacity(now_, change.resource, change.capacity_per_second);
}

void Run::begin_flow(TaskId task) {
  const FlowWork& work = *graph_.task(task).flow;
  recorder_.flow_begin(task, now_);
  const FlowId flow = fluid_.start_flow(now_, work.route, work.amount, work.rate_cap, work.weight);
  const auto i = static_cast<std::size_t>(flow);
  if (task_of_flow_.size() <= i) task_of_flow_.resize(i + 1);
  task_of_flow_[i] = task;
}

void Run::end_task(TaskId id) {
  const Task& task = graph_.task(id);
  ++ended_;
  recorder_.end(id, now_);
  if (!task.flow) recorder_.flow_begin(id, now_);
  if (task.flow) carried_[static_cast<std::size_t>(task.flow->route)] += task.flow->amount;
  for (const TaskId next : successors_.of(id)) {
    Waiting& waiting = waiting_[index(next)];
    if (!waiting.last || waiting.last_end < now_ || id < *waiting.last) {
      waiting.last = id;
      waiting.last_end = now_;
    }
    if (--waiting.dependencies == 0) become_ready(next);
  }
}

void Run::check_limits() const {
  constexpr std::uint64_t kBetweenDeadlines = 1024;
  if (limits_.max_events && handled_ >= *limits_.max_events) {
    throw LimitExceeded(fmt::format("more than {} events, at {} ps with {} of {} tasks done",
                                    *limits_.max_events, now_.count(), ended_, graph_.size()));
  }
  if (limits_.deadline_passed && handled_ % kBetweenDeadlines == 0 && limits_.deadline_passed()) {
    throw LimitExceeded(
        fmt::format("out of real time after {} events, at {} ps with {} of {} "
                    "tasks done",
                    handled_, now_.count(), ended_, graph_.size()));
  }
}

void Run::give_up() {
  if (fluid_.ends_out_of_range()) {
    throw OverflowError("a flow is so slow that simulated time would exceed 106 days");
  }
  std::vector<TaskId> stuck;
  for (const auto& task : task_of_flow_) {
    if (task) stuck.push_back(*task);
  }
  std::sort(stuck.begin(), stuck.end());
  throw Stalled(now_, std::move(stuck));
}

void Run::record_carried() {
  for (std::size_t i = 0; i < carried_.size(); ++i) {
    if (carried_[i] == 0) continue;
    for (const auto& [resource, coefficient] : given_.routes.crossings(static_cast<RouteId>(i))) {
      recorder_.carried(resource, carried_[i] * coefficient);
    }
  }
}

Timeline Run::finish() && {
  while (ended_ < graph_.size()) {
    if (!next_time()) give_up();
    while (!queue_.empty() && queue_.top().time == now_) handle(queue_.pop());
  }
  record_carried();
  return std::move(recorder_).finish();
}

}  // namespace

Stalled::Stalled(SimTime at, std::vector<TaskId> tasks)
    : std::runtime_error(stall_text(at, tasks)), tasks_(std::move(tasks)) {}

Timeline simulate(const TaskGraph& graph, const Network& network, const Limits& limits) {
  return Run(graph, network, limits).finish();
}

}  // namespace vgsim
