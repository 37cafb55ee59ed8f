#include "sim/engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <utility>

#include "sim/carried.hpp"
#include "sim/fluid_network.hpp"
#include "sim/reduced_routes.hpp"
#include "sim/repetition.hpp"
#include "sim/tick_queue.hpp"

namespace vgsim {
namespace {

/// Order of events at one time.
enum Phase : std::uint32_t { kArrival = 0, kEnd = 1, kCapacityChange = 2, kFlowBegin = 3 };

constexpr SimTime kAtNoTime{std::numeric_limits<std::int64_t>::max()};

std::string stall_text(SimTime at, const std::vector<TaskId>& tasks) {
  constexpr std::size_t kShown = 12;
  std::string ids;
  for (std::size_t i = 0; i < std::min(tasks.size(), kShown); ++i) {
    ids += fmt::format("{}{}", i == 0 ? "" : ", ", index(tasks[i]));
  }
  return fmt::format("stalled at {} ps: {} flow(s) never progress, of task(s) {}{}", at.count(),
                     tasks.size(), ids, tasks.size() > kShown ? ", ..." : "");
}

/// Whether iterations can repeat: only the simulation state may distinguish them.
bool can_repeat(const RunOptions& options) {
  return options.find_repeat && !options.vary_delay && options.slicing.devices.empty();
}

/// One run: a discrete-event loop over two sources of events. `queue_` holds future ends of delays,
/// arrivals and capacity changes; the fluid network computes the ends of flows. Each step advances
/// to the earliest time and processes all events there by phase. At the end of an iteration the
/// state is compared with earlier ones (see Repetition).
class Run {
 public:
  Run(const TaskGraph& graph, const Network& network, const RunOptions& options);
  Timeline finish() &&;

 private:
  /// Progress of a task. Rounds count over all iterations.
  struct State {
    std::uint64_t done = 0;        ///< rounds completed by the task itself
    SimTime last_end{};            ///< of `last`
    SimTime until{};               ///< end of the delay
    TaskId last = kNoTask;         ///< the dependency of the next round that ended last
    std::uint32_t pending = 0;     ///< dependencies that the next round waits for
    std::uint32_t in_latency = 0;  ///< rounds of `done` whose latency has not passed yet
    std::uint16_t last_lag = 0;    ///< iterations from `last` to this task
    bool busy = false;             ///< in its delay or its flow

    /// Rounds whose end is visible to other tasks.
    [[nodiscard]] std::uint64_t visible_rounds() const { return done - in_latency; }
  };
  /// A task's flow, in the representation of the fluid network.
  struct Work {
    Remaining amount;
    const Ratio* rate_cap = nullptr;
    std::optional<FlowId> flow;  ///< while it is active
    SimTime limited_since{};     ///< for tasks with several rounds
    std::optional<ResourceId> limit;
  };
  struct Due {
    std::uint32_t id = 0;
    Phase phase = kEnd;
  };

  void prepare_flows();
  void schedule_changes();
  [[nodiscard]] Work& work_of(TaskId task) { return work_[*graph_.flow_number(task)]; }
  [[nodiscard]] std::optional<FlowId> flow_of(TaskId task) const;
  [[nodiscard]] std::uint64_t needed(TaskId after, const Adjacency::Link& from) const;
  [[nodiscard]] std::uint64_t iteration_of(TaskId task) const;
  void prepare_next_round(TaskId task);
  void dependency_ended(TaskId before, const Adjacency::Link& to);
  void start_round(TaskId task);
  void submit_work(const SlicingPlan::Slot& slot, TaskId task, SimTime work);
  [[nodiscard]] SimTime next_slicing_event();
  [[nodiscard]] Phase after_delay(TaskId task) const;
  [[nodiscard]] bool advance();
  void process_due_events();
  void collect(const Due& due);
  void handle(Phase phase, std::uint32_t id);
  void fetch_completions();
  void fetch_sliced_work();
  void change_capacity(std::uint32_t change);
  void begin_flow(TaskId task);
  void end_round(TaskId task);
  void arrive(TaskId task);
  [[nodiscard]] bool is_watched(TaskId task) const {
    return !watched_.empty() && watched_[index(task)];
  }
  void note_iteration_done();
  [[nodiscard]] std::uint64_t iterations_begun() const;
  [[nodiscard]] std::uint64_t fewest_iterations() const;
  [[nodiscard]] bool keeps_enough() const;
  [[nodiscard]] bool last_one_repeats() const;
  void end_at_repeat();
  void look_for_repetition();
  void append_state(std::vector<std::uint64_t>& words, bool& comparable);
  void record_carried();
  void record_limits();
  void count_event(Phase phase, std::uint32_t id);
  void stop_if_limited();
  [[noreturn]] void throw_stalled();

  const TaskGraph& graph_;
  const Network& given_;
  const RunOptions& options_;
  Adjacency out_;
  Adjacency in_;
  ActiveRoutes active_routes_;
  FluidNetwork fluid_;
  std::size_t ahead_;  ///< iterations that tasks may have begun beyond the last one kept
  Recorder recorder_;
  Repetition repetition_;
  TickQueue<Due> queue_;
  std::vector<TimeSlicer> devices_;
  std::vector<State> tasks_;
  std::vector<bool> watched_;                            ///< by TaskId; empty if none is
  std::vector<Work> work_;                               ///< by flow number of the graph
  std::vector<TaskId> task_of_flow_;                     ///< by FlowId
  std::vector<Due> due_;                                 ///< scratch
  std::array<std::vector<std::uint32_t>, 4> collected_;  ///< by Phase: due at the current time
  std::vector<std::uint32_t> batch_;                     ///< scratch
  std::vector<std::uint32_t> ended_;                     ///< scratch
  SimTime now_{};
  std::uint64_t iterations_;           ///< to simulate
  std::uint64_t iterations_done_ = 0;  ///< completed by all tasks
  std::size_t behind_ = 0;             ///< tasks that have not completed iteration iterations_done_
  std::size_t running_ = 0;            ///< tasks that have not completed their last iteration
  std::size_t changes_ahead_ = 0;
  std::uint64_t handled_ = 0;
  bool iteration_ended_ = false;  ///< at the current time
  Repeat repeat_;
  std::uint64_t repeat_since_ =
      0;  ///< iterations done when the state repeated, if the run ends with it
};

Run::Run(const TaskGraph& graph, const Network& network, const RunOptions& options)
    : graph_(graph),
      given_(network),
      options_(options),
      out_(graph.size(), graph.edges(), Adjacency::Side::out),
      in_(graph.size(), graph.edges(), Adjacency::Side::in),
      active_routes_(network),
      fluid_(network.resources, active_routes_.routes()),
      ahead_(options.end_at_repeat && can_repeat(options) ? std::size_t{graph.longest_lag()} + 1
                                                          : 0),
      recorder_(graph.size(), options.iterations, std::max<std::size_t>(options.keep, 1), ahead_),
      devices_(options.slicing.devices.begin(), options.slicing.devices.end()),
      tasks_(graph.size()),
      iterations_(options.iterations),
      behind_(graph.size()),
      running_(graph.size()) {
  if (options.iterations < 1) throw std::invalid_argument("a run has no iterations");
  graph.check(out_);
  if (options.goes_on) {
    watched_.resize(graph.size());
    for (const TaskId task : options.watched) watched_.at(index(task)) = true;
  }
  prepare_flows();
  schedule_changes();
  for (std::size_t i = 0; i < graph.size(); ++i) prepare_next_round(static_cast<TaskId>(i));
}

void Run::prepare_flows() {
  work_.reserve(graph_.flows().size());
  for (const FlowWork& flow : graph_.flows()) {
    FluidNetwork::check_flow(flow.amount, flow.rate_cap, flow.weight);
    work_.push_back({Remaining::of(flow.amount), flow.rate_cap ? &*flow.rate_cap : nullptr,
                     std::nullopt, SimTime{}, std::nullopt});
  }
}

/// Nothing while the task has no active flow.
std::optional<FlowId> Run::flow_of(TaskId id) const {
  const auto number = graph_.flow_number(id);
  return number ? work_[*number].flow : std::nullopt;
}

void Run::schedule_changes() {
  for (std::size_t i = 0; i < given_.capacity_changes.size(); ++i) {
    const CapacityChange& change = given_.capacity_changes[i];
    if (change.at < SimTime{0}) throw std::invalid_argument("a capacity changes before time 0");
    queue_.push(change.at, {static_cast<std::uint32_t>(i), kCapacityChange});
  }
  changes_ahead_ = given_.capacity_changes.size();
}

std::uint64_t Run::iteration_of(TaskId task) const {
  const std::uint32_t rounds = graph_.rounds(task);
  return rounds == 1 ? tasks_[index(task)].done : tasks_[index(task)].done / rounds;
}

/// How many rounds `from` must have done before the next round of `after` may begin.
std::uint64_t Run::needed(TaskId after, const Adjacency::Link& from) const {
  const std::uint64_t done = tasks_[index(after)].done;
  const std::uint64_t rounds = graph_.rounds(after);
  const std::uint64_t round = rounds == 1 ? 0 : done % rounds;
  if (from.feeds) return round < from.lag ? 0 : done - from.lag + 1;
  if (round != 0) return 0;
  const std::uint64_t iteration = rounds == 1 ? done : done / rounds;
  return iteration < from.lag ? 0 : (iteration - from.lag + 1) * graph_.rounds(from.other);
}

/// Counts the dependencies that the next round waits for; starts it if there are none.
void Run::prepare_next_round(TaskId id) {
  State& task = tasks_[index(id)];
  task.pending = 0;
  for (const Adjacency::Link& from : in_.of(id)) {
    if (tasks_[index(from.other)].visible_rounds() < needed(id, from)) ++task.pending;
  }
  if (task.pending == 0) start_round(id);
}

/// Updates a task that waits for the round that `before` has just ended.
void Run::dependency_ended(TaskId before, const Adjacency::Link& to) {
  State& task = tasks_[index(to.other)];
  if (task.busy || task.pending == 0) return;
  if (needed(to.other, {before, to.lag, to.feeds}) != tasks_[index(before)].visible_rounds())
    return;
  if (task.last == kNoTask || task.last_end < now_ || before < task.last) {
    task.last = before;
    task.last_end = now_;
    task.last_lag = to.feeds ? std::uint16_t{0} : to.lag;
  }
  if (--task.pending == 0) start_round(to.other);
}

void Run::start_round(TaskId id) {
  State& task = tasks_[index(id)];
  const std::uint64_t iteration = iteration_of(id);
  if (iteration == iterations_) return;
  task.busy = true;
  if (graph_.rounds(id) == 1 || task.done % graph_.rounds(id) == 0) {
    recorder_.ready(id, iteration, now_, task.last, task.last_lag);
  }
  SimTime delay = graph_.delay(id);
  if (options_.vary_delay) delay = options_.vary_delay(id, iteration, delay);
  task.until = now_ + delay;
  const Due due{static_cast<std::uint32_t>(id), after_delay(id)};
  if (delay == SimTime{0}) {
    collect(due);
  } else if (const SlicingPlan::Slot* slot = options_.slicing.slot(id)) {
    submit_work(*slot, id, delay);
  } else {
    queue_.push(task.until, due);
  }
}

Phase Run::after_delay(TaskId id) const { return graph_.flow(id) != nullptr ? kFlowBegin : kEnd; }

void Run::submit_work(const SlicingPlan::Slot& slot, TaskId id, SimTime work) {
  TimeSlicer& device = devices_.at(slot.device);
  ended_.clear();
  device.advance(now_, ended_);
  device.submit(slot.tenant, slot.lane, static_cast<std::uint32_t>(id), work);
}

/// Time of the next event on a time-sliced device.
SimTime Run::next_slicing_event() {
  SimTime next = kAtNoTime;
  for (TimeSlicer& device : devices_) next = std::min(next, device.next().value_or(kAtNoTime));
  return next;
}

void Run::collect(const Due& due) { collected_[due.phase].push_back(due.id); }

/// Advances to the time of the next event and collects the events due then. Returns false without
/// events.
bool Run::advance() {
  const auto completion = fluid_.next_completion();
  record_limits();
  const SimTime sliced = next_slicing_event();
  SimTime next = sliced;
  if (!queue_.empty()) next = std::min(next, queue_.next());
  if (completion) next = std::min(next, completion->at);
  if (next == kAtNoTime) return false;
  now_ = next;
  if (sliced == now_) fetch_sliced_work();
  if (completion && completion->at == now_) fetch_completions();
  if (!queue_.empty() && queue_.next() == now_) {
    due_.clear();
    queue_.take(due_);
    for (const Due& due : due_) collect(due);
  }
  return true;
}

void Run::fetch_sliced_work() {
  for (TimeSlicer& device : devices_) {
    if (device.next() != now_) continue;
    stop_if_limited();
    ended_.clear();
    device.advance(now_, ended_);
    for (const std::uint32_t id : ended_) collect({id, after_delay(static_cast<TaskId>(id))});
  }
}

void Run::fetch_completions() {
  for (const FlowId flow : fluid_.complete(now_)) {
    const TaskId task = task_of_flow_[static_cast<std::size_t>(flow)];
    work_of(task).flow.reset();
    active_routes_.end(task, graph_.flow(task)->route);
    collected_[kEnd].push_back(static_cast<std::uint32_t>(task));
  }
}

void Run::handle(Phase phase, std::uint32_t id) {
  count_event(phase, id);
  switch (phase) {
    case kArrival:
      return arrive(static_cast<TaskId>(id));
    case kEnd:
      return end_round(static_cast<TaskId>(id));
    case kCapacityChange:
      return change_capacity(id);
    case kFlowBegin:
      return begin_flow(static_cast<TaskId>(id));
  }
}

/// Processes collected events by phase; restarts with the first phase when new ones appear.
void Run::process_due_events() {
  for (std::uint32_t phase = kArrival; phase <= kFlowBegin;) {
    std::vector<std::uint32_t>& ids = collected_[phase];
    if (ids.empty()) {
      ++phase;
      continue;
    }
    batch_.swap(ids);
    if (!std::is_sorted(batch_.begin(), batch_.end())) std::sort(batch_.begin(), batch_.end());
    for (const std::uint32_t id : batch_) handle(static_cast<Phase>(phase), id);
    batch_.clear();
    phase = kArrival;
  }
}

void Run::record_limits() {
  for (const FlowId flow : fluid_.take_changed()) {
    const TaskId id = task_of_flow_[static_cast<std::size_t>(flow)];
    const auto limit = fluid_.limiting_resource(flow);
    if (graph_.rounds(id) == 1) {
      recorder_.limited(id, iteration_of(id), now_, limit);
      continue;
    }
    Work& work = work_of(id);
    recorder_.add_limited_time(id, iteration_of(id), work.limit, now_ - work.limited_since);
    work.limited_since = now_;
    work.limit = limit;
  }
}

void Run::change_capacity(std::uint32_t i) {
  const CapacityChange& change = given_.capacity_changes[i];
  fluid_.set_capacity(now_, change.resource, change.capacity_per_second);
  --changes_ahead_;
}

void Run::begin_flow(TaskId id) {
  Work& work = work_of(id);
  if (graph_.rounds(id) == 1) recorder_.flow_begin(id, iteration_of(id), now_);
  work.limited_since = now_;
  const FlowWork& given = *graph_.flow(id);
  const RouteId route = active_routes_.begin(id, given.route, [this](TaskId other) {
    fluid_.reroute(now_, *work_of(other).flow, graph_.flow(other)->route);
  });
  work.flow = fluid_.start_flow(now_, route, work.amount, work.rate_cap, given.weight);
  const auto i = static_cast<std::size_t>(*work.flow);
  if (task_of_flow_.size() <= i) task_of_flow_.resize(i + 1);
  task_of_flow_[i] = id;
}

/// Ends a round for the task itself; other tasks see the end one latency later.
void Run::end_round(TaskId id) {
  State& task = tasks_[index(id)];
  const std::uint32_t rounds = graph_.rounds(id);
  const std::uint64_t iteration = iteration_of(id);
  const bool flows = graph_.flow(id) != nullptr;
  task.busy = false;
  ++task.done;
  ++task.in_latency;
  const bool iteration_over = rounds == 1 || task.done % rounds == 0;
  if (rounds == 1) {
    if (!flows) recorder_.flow_begin(id, iteration, now_);
    recorder_.flow_end(id, iteration, now_);
  } else if (flows) {
    const Work& work = work_of(id);
    recorder_.add_limited_time(id, iteration, work.limit, now_ - work.limited_since);
  }
  task.last = id;
  task.last_end = now_;
  task.last_lag = iteration_over ? 1 : 0;
  const SimTime latency = graph_.latency(id);
  if (latency == SimTime{0}) {
    arrive(id);
  } else {
    queue_.push(now_ + latency, {static_cast<std::uint32_t>(id), kArrival});
  }
  if (iteration_of(id) < iterations_) prepare_next_round(id);
}

/// Makes the end of a round visible to other tasks.
void Run::arrive(TaskId id) {
  State& task = tasks_[index(id)];
  const std::uint32_t rounds = graph_.rounds(id);
  const std::uint64_t iteration =
      rounds == 1 ? task.visible_rounds() : task.visible_rounds() / rounds;
  --task.in_latency;
  for (const Adjacency::Link& to : out_.of(id)) dependency_ended(id, to);
  if (rounds != 1 && task.visible_rounds() % rounds != 0) return;
  if (rounds == 1) {
    recorder_.end(id, iteration, now_);
  } else {
    recorder_.end_rounds(id, iteration, now_, graph_.latency(id));
  }
  if (iteration + 1 == iterations_) --running_;
  if (is_watched(id) && !options_.goes_on(id, iteration, now_)) running_ = 0;
  if (iteration == iterations_done_ && --behind_ == 0) note_iteration_done();
}

void Run::note_iteration_done() {
  iteration_ended_ = true;
  while (behind_ == 0 && iterations_done_ < iterations_) {
    ++iterations_done_;
    for (std::size_t i = 0; i < tasks_.size(); ++i) {
      const auto id = static_cast<TaskId>(i);
      if (tasks_[i].visible_rounds() < (iterations_done_ + 1) * graph_.rounds(id)) ++behind_;
    }
  }
}

/// Appends the state that determines the future, relative to the end of iteration iterations_done_.
void Run::append_state(std::vector<std::uint64_t>& words, bool& comparable) {
  for (std::size_t i = 0; i < tasks_.size(); ++i) {
    const State& task = tasks_[i];
    const auto id = static_cast<TaskId>(i);
    words.push_back(task.done - iterations_done_ * graph_.rounds(id));
    // The arrival times of rounds in their latency are not part of the words.
    if (task.in_latency > 0) comparable = false;
    if (const auto flow = flow_of(id)) {
      comparable &= fluid_.append_state(*flow, now_, words);
    } else {
      words.push_back(task.busy ? static_cast<std::uint64_t>(task.until.count() - now_.count())
                                : static_cast<std::uint64_t>(-1));
    }
  }
}

/// Number of iterations that at least one task has begun.
std::uint64_t Run::iterations_begun() const {
  std::uint64_t most = 0;
  for (std::size_t i = 0; i < tasks_.size(); ++i) {
    most = std::max(most, iteration_of(static_cast<TaskId>(i)) + 1);
  }
  return most;
}

/// The fewest iterations that the run can still end with. Iterations that have begun cannot be
/// omitted, and the kept ones must follow the repeated state for every task, including tasks far
/// ahead of the others.
std::uint64_t Run::fewest_iterations() const {
  const std::uint64_t begun = iterations_begun();
  const std::uint64_t kept =
      begun - 1 + options_.keep - std::min<std::uint64_t>(repeat_.iterations, options_.keep);
  return std::min(std::max({begun, kept, iterations_done_ + 1}), iterations_);
}

/// Whether the window still holds the records to keep if the run ends now.
bool Run::keeps_enough() const { return iterations_begun() <= iterations_done_ + ahead_; }

/// Whether all ends in the last iteration are one period after earlier ones. Tasks that are ahead
/// of others are exempt: their ends may precede the repeated state.
bool Run::last_one_repeats() const {
  const std::uint64_t last = iterations_done_ - 1;
  if (iterations_done_ >= repeat_since_ + repeat_.iterations) return true;
  if (repeat_.iterations >= options_.keep) return false;
  for (std::size_t i = 0; i < tasks_.size(); ++i) {
    const auto id = static_cast<TaskId>(i);
    if (iteration_of(id) > iterations_done_) continue;
    const SimTime before = recorder_.end_of(id, last - repeat_.iterations);
    if (recorder_.end_of(id, last) - before != repeat_.time) return false;
  }
  return true;
}

/// Ends the run once the last iteration repeats, unless a task has already completed all
/// iterations.
void Run::end_at_repeat() {
  const std::uint64_t count = (iterations_ - iterations_done_) / repeat_.iterations;
  if (count == 0 || iterations_begun() > iterations_ || !keeps_enough()) return;
  if (!last_one_repeats()) return;
  repeat_.count = count;
  iterations_ = iterations_done_;
  running_ = 0;
}

/// Detects a repeated state and skips whole repetitions of it.
void Run::look_for_repetition() {
  iteration_ended_ = false;
  if (repeat_since_ > 0) return end_at_repeat();
  if (repeat_.count > 0) return;
  if (options_.most_iterations && iterations_done_ >= *options_.most_iterations) {
    iterations_ = fewest_iterations();
    return;
  }
  if (!can_repeat(options_) || changes_ahead_ > 0) return;
  if (iterations_ - iterations_done_ <= options_.keep) return;
  const auto next = fluid_.next_completion();
  if (next && next->at == now_) return;
  std::vector<std::uint64_t> words;
  bool comparable = true;
  append_state(words, comparable);
  if (!comparable) return;
  const auto before = repetition_.find_or_add(std::move(words), iterations_done_, now_);
  if (!before) return;
  repeat_.iterations = iterations_done_ - before->iteration;
  repeat_.time = now_ - before->time;
  if (options_.end_at_repeat && keeps_enough()) {
    repeat_since_ = iterations_done_;
    return end_at_repeat();
  }
  repeat_.count = (iterations_ - fewest_iterations()) / repeat_.iterations;
  iterations_ -= repeat_.count * repeat_.iterations;
}

void Run::count_event(Phase phase, std::uint32_t id) {
  stop_if_limited();
  recorder_.event(now_, phase, id);
}

/// Counts an event and throws LimitExceeded when a limit is exceeded.
void Run::stop_if_limited() {
  constexpr std::uint64_t kEventsBetweenChecks = 1024;
  const auto where = [this] {
    return fmt::format("at a simulated time of {:.6g} s with {} of {} iterations done",
                       to_seconds(now_), iterations_done_, iterations_);
  };
  if (options_.limits.max_events && handled_ >= *options_.limits.max_events) {
    throw LimitExceeded(
        fmt::format("more than {} events, {}", *options_.limits.max_events, where()));
  }
  if (handled_ % kEventsBetweenChecks == 0) {
    if (options_.limits.deadline_passed && options_.limits.deadline_passed()) {
      throw LimitExceeded(fmt::format("out of real time after {} events, {}", handled_, where()));
    }
    if (options_.report) options_.report({now_, iterations_done_, iterations_, handled_});
  }
  ++handled_;
}

void Run::throw_stalled() {
  if (fluid_.ends_out_of_range()) {
    throw OverflowError("a flow is so slow that simulated time would exceed 106 days");
  }
  std::vector<TaskId> stuck;
  for (std::size_t i = 0; i < tasks_.size(); ++i) {
    const auto id = static_cast<TaskId>(i);
    if (flow_of(id)) stuck.push_back(id);
  }
  throw Stalled(now_, std::move(stuck));
}

void Run::record_carried() {
  fluid_ = FluidNetwork();  // All flows have ended; frees the memory for the sums.
  std::vector<std::uint64_t> rounds;
  rounds.reserve(tasks_.size());
  for (const State& task : tasks_) rounds.push_back(task.done);
  recorder_.carried(carried_over(given_, graph_, rounds));
}

Timeline Run::finish() && {
  process_due_events();
  while (running_ > 0) {
    if (iteration_ended_) look_for_repetition();
    if (running_ == 0) break;
    if (!advance()) throw_stalled();
    process_due_events();
  }
  record_carried();
  return std::move(recorder_).finish(iterations_, repeat_);
}

}  // namespace

Stalled::Stalled(SimTime at, std::vector<TaskId> tasks)
    : std::runtime_error(stall_text(at, tasks)), at_(at), tasks_(std::move(tasks)) {}

Timeline simulate(const TaskGraph& graph, const Network& network, const RunOptions& options) {
  return Run(graph, network, options).finish();
}

}  // namespace vgsim
