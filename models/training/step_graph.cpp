#include "models/training/step_graph.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "models/training/compute.hpp"

namespace vgsim::training {
namespace {

using collectives::CollectiveTasks;

/// Upper limit for one pass: more pieces do not change the shares of other tenants.
constexpr std::int64_t kMostPieces = 1000;

/// A segment in a stage's iteration with the start and end of its computing, by replica.
struct PlacedSegment {
  const StepSegment* segment = nullptr;
  std::vector<TaskId> begin;
  std::vector<TaskId> computed;
};

/// The unit that an input belongs to.
struct FedUnit {
  std::uint32_t subject = 0;   ///< subject of its tasks
  std::vector<TaskId> begins;  ///< first work in an iteration, also of a unit like it
  TaskId ends{};               ///< its last
  std::int64_t prefetched_batches = 0;
};

/// Adds tasks that read a batch, decode it and copy it to the GPU, as far as they take time. Each
/// of them handles one batch at a time.
void add_input(TaskGraph& graph, const InputFeed& feed, const FedUnit& unit) {
  std::optional<TaskId> first;
  std::optional<TaskId> last;
  const auto then = [&](Activity activity, SimTime delay, const std::optional<FlowWork>& flow) {
    if (!flow) return;
    const TaskId task =
        graph.add({delay, flow, static_cast<std::uint32_t>(activity), unit.subject, 1});
    if (last) graph.depend(*last, task);
    if (!first) first = task;
    last = task;
  };
  then(Activity::kStorageRead, SimTime{0}, feed.storage_read);
  then(Activity::kDecode, SimTime{0}, feed.decode);
  then(Activity::kHostToDevice, feed.copy_latency, feed.host_to_device);
  if (!last) return;
  for (const TaskId begins : unit.begins) graph.depend(*last, begins);
  graph.depend(unit.ends, *first, static_cast<std::uint16_t>(unit.prefetched_batches + 1));
}

/// Builds stage by stage: passes with their dependencies, then overlapping exchanges; then the
/// dependencies between stages, the optimizers, and the input.
class StepBuilder {
 public:
  StepBuilder(const StepPlan& plan, Exchanger& exchanger)
      : plan_(plan), p_(plan.parallelism), exchanger_(exchanger) {}

  TrainingGraph build() && {
    result_.units.resize(plan_.units.size());
    tail_.resize(plan_.units.size());
    for (const Unit& unit : plan_.units) left_.emplace_back(unit.time_sliced.size());
    ops_.resize(plan_.units.size() * kPasses * p_.virtual_stages * micro_batches());
    for (std::size_t s = 0; s < plan_.stages(); ++s) add_stage(s);
    join_stages();
    add_optimizers();
    end_iteration();
    for (const UnitFeed& feed : plan_.feeds) {
      FedUnit fed{static_cast<std::uint32_t>(feed.unit),
                  {result_.units[feed.unit].begin},
                  result_.end_of(feed.unit),
                  plan_.prefetched_batches};
      if (feed.also) fed.begins.push_back(result_.units[*feed.also].begin);
      add_input(result_.graph, feed.feed, fed);
    }
    return std::move(result_);
  }

 private:
  static constexpr std::size_t kPasses = 3;  ///< kinds of Pass

  [[nodiscard]] std::size_t unit(std::size_t stage, std::size_t replica) const {
    return stage * plan_.replicas + replica;
  }

  [[nodiscard]] std::size_t micro_batches() const {
    return static_cast<std::size_t>(p_.micro_batches);
  }

  /// The pass of one micro-batch through one chunk on one unit.
  [[nodiscard]] TaskSpan& op_at(std::size_t u, Pass pass, std::size_t chunk, std::size_t batch) {
    const std::size_t of_unit = u * kPasses + static_cast<std::size_t>(pass);
    return ops_[(of_unit * p_.virtual_stages + chunk) * micro_batches() + batch];
  }

  [[nodiscard]] const std::vector<StepSegment>& segments_of(std::size_t u,
                                                            const PipelineOp& op) const {
    const ChunkPlan& chunk = plan_.work_of(u).chunks[op.chunk];
    if (op.pass == Pass::kForward) {
      const bool gathers = op.micro_batch == 0 && !chunk.first_forward.empty();
      return gathers ? chunk.first_forward : chunk.forward;
    }
    const bool last = op.micro_batch + 1 == micro_batches();
    if (op.pass == Pass::kWeights) return last ? chunk.last_weights : chunk.weights;
    return last ? chunk.last_backward : chunk.backward;
  }

  TaskId add(Activity activity, std::size_t unit, SimTime delay, std::uint32_t rounds = 1) {
    return result_.graph.add({delay, std::nullopt, static_cast<std::uint32_t>(activity),
                              static_cast<std::uint32_t>(unit), rounds, SimTime{0}});
  }

  /// Appends `span` to the unit's previous work.
  void follow(std::size_t unit, const TaskSpan& span) {
    if (tail_[unit]) {
      result_.graph.depend(*tail_[unit], span.begin);
    } else {
      result_.units[unit].begin = span.begin;
    }
    tail_[unit] = span.end;
  }

  TaskId add_pass(Pass pass, std::size_t u, SimTime time) {
    const Unit& unit = plan_.units[u];
    const bool forward = pass == Pass::kForward;
    const Activity activity = forward ? Activity::kForward : Activity::kBackward;
    const SimTime delay = slowed(time, forward ? unit.slower.forward : unit.slower.backward);
    if (unit.time_sliced.empty()) {
      const TaskId task = add_part(activity, u, delay);
      follow(u, {task, task});
      return task;
    }
    const TaskSpan span = at_once(
        activity, u, [&](std::size_t slot) { return add_time_sliced(activity, u, slot, delay); });
    follow(u, span);
    return span.begin;
  }

  /// Adds work in the time slices of each of a unit's ranks, with a common begin and end. Returns
  /// nothing if no rank has a time-sliced GPU or there is no work.
  template <class AddOne>
  TaskSpan at_once(Activity activity, std::size_t u, const AddOne& add_one) {
    std::vector<TaskSpan> spans;
    for (std::size_t slot = 0; slot < plan_.units[u].time_sliced.size(); ++slot) {
      const TaskSpan span = add_one(slot);
      if (span.begin != kNoTask) spans.push_back(span);
    }
    if (spans.empty()) return {};
    if (spans.size() == 1) return spans.front();
    const TaskSpan all{add(activity, u, SimTime{0}), add(activity, u, SimTime{0})};
    for (const TaskSpan& span : spans) {
      result_.graph.depend(all.begin, span.begin);
      result_.graph.depend(span.end, all.end);
    }
    return all;
  }

  /// Adds work on a time-sliced GPU followed by the idle gap of the rank. A gap that follows little
  /// work is deferred.
  TaskSpan add_time_sliced(Activity activity, std::size_t u, std::size_t slot, SimTime time) {
    const TenantSlot& own = plan_.units[u].time_sliced[slot];
    const SimTime piece = own.gaps.piece;
    Left& left = left_[u][slot];
    const SimTime own_gap = stretched(time, own.gaps.share);
    const SimTime work = time - own_gap;
    const SimTime gap = left.gap + own_gap;
    const bool waits = gap > SimTime{0} && left.work + work >= piece;
    const auto pieces = static_cast<std::uint32_t>(
        !waits || piece == SimTime{0}
            ? 1
            : std::clamp<std::int64_t>((work.count() + piece.count() - 1) / piece.count(), 1,
                                       kMostPieces));
    const TaskId working = add_part(activity, u, SimTime{work.count() / pieces}, pieces);
    result_.time_sliced.push_back({working, own.seat, WorkLane::kKernels});
    if (!waits) {
      left = {left.work + work, gap};
      return {working, working};
    }
    left = {};
    const TaskId idle = add_part(activity, u, SimTime{gap.count() / pieces}, pieces);
    result_.graph.feed(working, idle, 0);
    if (pieces > 1) result_.graph.feed(idle, working, 1);
    return {working, idle};
  }

  TaskId add_part(Activity activity, std::size_t u, SimTime time, std::uint32_t rounds = 1) {
    const TaskId task = add(activity, u, time, rounds);
    result_.units[u].passes.push_back(task);
    return task;
  }

  /// Returns the end of an exchange: its last task or, on time-sliced GPUs, a task that also waits
  /// for the time slices of its ranks.
  CollectiveTasks add_exchange(std::size_t group, const Exchange& exchange) {
    const std::vector<std::size_t>& units = plan_.groups[group].units;
    const auto activity = activity_of(exchange);
    CollectiveTasks tasks = exchanger_.exchange(
        result_.graph, group, exchange,
        {static_cast<std::uint32_t>(activity), static_cast<std::uint32_t>(units.front())});
    const std::size_t number = result_.traffic.size();
    result_.traffic.push_back({exchange, units, tasks, tasks.end});
    if (number < plan_.exchange_work.size()) {
      tasks.end = take_part(units, activity, plan_.exchange_work[number], tasks);
      result_.traffic.back().last = tasks.end;
    }
    return tasks;
  }

  TaskId take_part(const std::vector<std::size_t>& units, Activity activity, SimTime work,
                   const CollectiveTasks& tasks) {
    std::vector<TaskId> slices;
    for (const std::size_t u : units) {
      for (const TenantSlot& slot : plan_.units[u].time_sliced) {
        slices.push_back(add(activity, u, work));
        result_.graph.depend(tasks.begin, slices.back());
        result_.time_sliced.push_back({slices.back(), slot.seat, WorkLane::kCollectives});
      }
    }
    if (slices.empty()) return tasks.end;
    const TaskId all = add(activity, units.front(), SimTime{0});
    result_.graph.depend(tasks.end, all);
    for (const TaskId slice : slices) result_.graph.depend(slice, all);
    return all;
  }

  template <class Use>
  void for_each_group(std::size_t stage, Axis axis, const Use& use) const {
    for (std::size_t g = 0; g < plan_.groups.size(); ++g) {
      const CommunicatorGroup& group = plan_.groups[g];
      if (group.axis == axis && plan_.stage_of(group.units.front()) == stage) use(g);
    }
  }

  /// Adds an exchange that blocks all units of a stage.
  void wait_for(std::size_t stage, const Exchange& exchange) {
    for_each_group(stage, exchange.axis, [&](std::size_t g) {
      const CollectiveTasks tasks = add_exchange(g, exchange);
      for (const std::size_t u : plan_.groups[g].units) {
        result_.graph.depend(*tail_[u], tasks.begin);
        tail_[u] = tasks.end;
      }
    });
  }

  /// Exchanges that overlap computing on all units of a stage. `compute` is by unit.
  template <class Compute>
  void add_beside(std::size_t stage, Pass pass, const std::vector<Exchange>& exchanges,
                  const Compute& compute) {
    const std::vector<std::optional<TaskId>> before = tail_;
    for (std::size_t r = 0; r < plan_.replicas; ++r) {
      add_pass(pass, unit(stage, r), compute(unit(stage, r)));
    }
    std::vector<std::optional<TaskId>> computed = std::exchange(tail_, before);
    for (const Exchange& exchange : exchanges) wait_for(stage, exchange);
    for (std::size_t r = 0; r < plan_.replicas; ++r) {
      const std::size_t u = unit(stage, r);
      const TaskId both = add(activity_of(exchanges.front()), u, SimTime{0});
      result_.graph.depend(*tail_[u], both);
      result_.graph.depend(*computed[u], both);
      tail_[u] = both;
    }
  }

  PlacedSegment add_segment(std::size_t stage, const PipelineOp& op, std::size_t number) {
    const auto of = [&](std::size_t u) -> const StepSegment& { return segments_of(u, op)[number]; };
    const StepSegment& first = of(unit(stage, 0));
    PlacedSegment placed{&first, {}, {}};
    placed.begin.reserve(plan_.replicas);
    placed.computed.reserve(plan_.replicas);
    for (std::size_t r = 0; r < plan_.replicas; ++r) {
      const std::size_t u = unit(stage, r);
      const StepSegment& own = of(u);
      SimTime alone = own.compute;
      for (const OverlappedWork& beside : own.beside) alone -= beside.compute;
      placed.begin.push_back(add_pass(op.pass, u, alone));
    }
    for (std::size_t b = 0; b < first.beside.size(); ++b) {
      add_beside(stage, op.pass, first.beside[b].exchanges,
                 [&](std::size_t u) { return of(u).beside[b].compute; });
    }
    for (std::size_t r = 0; r < plan_.replicas; ++r) {
      placed.computed.push_back(*tail_[unit(stage, r)]);
    }
    for (const Exchange& exchange : first.exchanges) wait_for(stage, exchange);
    return placed;
  }

  void add_stage(std::size_t s) {
    std::vector<PlacedSegment> placed;
    std::vector<const Exchange*> left;
    for (const PipelineOp& op : pipeline_order(p_, s)) {
      const std::size_t first = placed.size();
      const std::size_t segments = segments_of(unit(s, 0), op).size();
      for (std::size_t n = 0; n < segments; ++n) placed.push_back(add_segment(s, op, n));
      for (std::size_t r = 0; r < plan_.replicas; ++r) {
        const std::size_t u = unit(s, r);
        op_at(u, op.pass, op.chunk, op.micro_batch) = {placed[first].begin[r], *tail_[u]};
      }
      if (plan_.overlap) continue;
      // The last micro-batch also reduces the gradients of earlier ones.
      const bool last = op.micro_batch + 1 == micro_batches();
      for (std::size_t n = first; n < placed.size(); ++n) {
        for (const Exchange& exchange : placed[n].segment->reduced) {
          if (last) {
            left.push_back(&exchange);
          } else {
            wait_for(s, exchange);
          }
        }
      }
    }
    for (std::size_t r = 0; r < plan_.replicas; ++r) add_gap_left(unit(s, r));
    add_stream(s, placed, left);
  }

  void add_gap_left(std::size_t u) {
    const TaskSpan span = at_once(Activity::kBackward, u, [&](std::size_t slot) {
      const SimTime gap = std::exchange(left_[u][slot], {}).gap;
      if (gap == SimTime{0}) return TaskSpan{};
      const TaskId idle = add_part(Activity::kBackward, u, gap);
      return TaskSpan{idle, idle};
    });
    if (span.begin != kNoTask) follow(u, span);
  }

  /// Adds an exchange to the streams of its units: after the last exchange of each, and after
  /// `after`, by replica, if it is given.
  void add_to_stream(std::size_t stage, const Exchange& exchange, const std::vector<TaskId>* after,
                     std::vector<std::optional<TaskId>>& streams) {
    const auto before = streams;
    std::vector<TaskId> waits_for;
    waits_for.reserve(2 * plan_.replicas);
    for_each_group(stage, exchange.axis, [&](std::size_t g) {
      const CollectiveTasks tasks = add_exchange(g, exchange);
      TaskId first = tasks.begin;
      if (after != nullptr && plan_.bucket_wait > SimTime{0}) {
        first = add(activity_of(exchange), plan_.groups[g].units.front(), plan_.bucket_wait);
        result_.graph.depend(first, tasks.begin);
      }
      waits_for.clear();
      std::optional<TaskId> behind;  // most streams depend on the same exchange
      for (const std::size_t u : plan_.groups[g].units) {
        const std::size_t r = u % plan_.replicas;
        if (before[r] && before[r] != behind) waits_for.push_back(*(behind = before[r]));
        streams[r] = tasks.end;
      }
      if (after != nullptr) {
        for (const std::size_t u : plan_.groups[g].units) {
          const TaskId computed = (*after)[u % plan_.replicas];
          if (first == tasks.begin) {
            waits_for.push_back(computed);
          } else {
            result_.graph.depend(computed, first);
          }
        }
      }
      std::sort(waits_for.begin(), waits_for.end());
      waits_for.erase(std::unique(waits_for.begin(), waits_for.end()), waits_for.end());
      for (const TaskId task : waits_for) result_.graph.depend(task, tasks.begin);
      if (after == nullptr) first_gathers_.push_back(tasks.begin);
    });
  }

  /// Exchanges of a stage's parameters and gradients that do not block it, serialized for each
  /// unit. `left`: gradients that are reduced after all passes.
  void add_stream(std::size_t stage, const std::vector<PlacedSegment>& placed,
                  const std::vector<const Exchange*>& left) {
    std::vector<std::optional<TaskId>> streams(plan_.replicas);
    const auto gather = [&](std::size_t n) {
      if (n >= placed.size() || placed[n].segment->gathered.empty()) return;
      const std::size_t ahead = plan_.prefetched_segments + 1;
      for (const Exchange& exchange : placed[n].segment->gathered) {
        add_to_stream(stage, exchange, n < ahead ? nullptr : &placed[n - ahead].computed, streams);
      }
      for (std::size_t r = 0; r < plan_.replicas; ++r) {
        if (streams[r]) result_.graph.depend(*streams[r], placed[n].begin[r]);
      }
    };
    for (std::size_t n = 0; n <= plan_.prefetched_segments; ++n) gather(n);
    for (std::size_t n = 0; n < placed.size(); ++n) {
      if (plan_.overlap) {
        for (const Exchange& exchange : placed[n].segment->reduced) {
          add_to_stream(stage, exchange, &placed[n].computed, streams);
        }
      }
      gather(n + 1 + plan_.prefetched_segments);
    }
    if (!left.empty()) {
      std::vector<TaskId> passed;
      for (std::size_t r = 0; r < plan_.replicas; ++r) passed.push_back(*tail_[unit(stage, r)]);
      for (const Exchange* exchange : left) add_to_stream(stage, *exchange, &passed, streams);
    }
    for (const auto& last : streams) {
      if (last) streamed_.insert(*last);
    }
  }

  /// Makes each chunk wait for the previous chunk of the same micro-batch. Units with a single
  /// chunk have this order anyway.
  void join_stages() {
    const std::size_t places = plan_.stages() * p_.virtual_stages;
    if (places == 1) return;
    for (std::size_t u = 0; u < plan_.units.size(); ++u) {
      // Gradients of weights follow the order of their stage.
      for (const Pass pass : {Pass::kForward, Pass::kBackward}) {
        for (std::size_t chunk = 0; chunk < p_.virtual_stages; ++chunk) {
          for (std::size_t m = 0; m < micro_batches(); ++m) join(u, pass, chunk, m);
        }
      }
    }
  }

  void join(std::size_t u, Pass pass, std::size_t chunk, std::size_t micro_batch) {
    const std::size_t stages = plan_.stages();
    const TaskSpan op = op_at(u, pass, chunk, micro_batch);
    const bool forward = pass == Pass::kForward;
    const std::size_t place = chunk * stages + plan_.stage_of(u);
    if (forward ? place == 0 : place + 1 == stages * p_.virtual_stages) {
      if (forward) return;
      result_.graph.depend(op_at(u, Pass::kForward, chunk, micro_batch).end, op.begin);
      return;
    }
    const std::size_t from = forward ? place - 1 : place + 1;
    const std::size_t sender = unit(from % stages, u % plan_.replicas);
    const TaskId sent = op_at(sender, pass, from / stages, micro_batch).end;
    const Bytes size = plan_.work_of(sender).sent;
    if (sender == u || size == Bytes{0}) {
      result_.graph.depend(sent, op.begin);
      return;
    }
    const CollectiveTasks tasks = exchanger_.send(
        result_.graph, sender, u, size,
        {static_cast<std::uint32_t>(Activity::kActivations), static_cast<std::uint32_t>(sender)});
    result_.graph.depend(sent, tasks.begin);
    result_.graph.depend(tasks.end, op.begin);
    result_.traffic.push_back(
        {{Axis::kPipeline, collectives::Collective::kSendRecv, size, 1}, {u}, tasks, tasks.end});
  }

  void add_optimizers() {
    std::optional<TaskId> reduced;
    if (plan_.optimizer == OptimizerStart::kAllGradients) {
      reduced = add(Activity::kOptimizer, 0, SimTime{0});
      for (const TaskId last : streamed_) result_.graph.depend(last, *reduced);
      for (const auto& tail : tail_) result_.graph.depend(*tail, *reduced);
    }
    for (std::size_t u = 0; u < plan_.units.size(); ++u) {
      const TaskSpan span = add_optimizer(u);
      result_.graph.depend(reduced.value_or(*tail_[u]), span.begin);
      if (!reduced) {
        for (const TaskId last : streamed_) result_.graph.depend(last, span.begin);
      }
      result_.units[u].optimizer = span;
      tail_[u] = span.end;
    }
    for (std::size_t s = 0; s < plan_.stages(); ++s) {
      for (const Exchange& exchange : plan_.work_of(unit(s, 0)).gathered_after) {
        wait_for(s, exchange);
      }
    }
  }

  TaskSpan add_optimizer(std::size_t u) {
    const Unit& unit = plan_.units[u];
    const SimTime time = slowed(plan_.work_of(u).optimizer, unit.slower.optimizer);
    const TaskSpan span = at_once(Activity::kOptimizer, u, [&](std::size_t slot) {
      const TaskId task = add(Activity::kOptimizer, u, time);
      result_.time_sliced.push_back({task, unit.time_sliced[slot].seat, WorkLane::kKernels});
      return TaskSpan{task, task};
    });
    if (span.begin != kNoTask) return span;
    const TaskId task = add(Activity::kOptimizer, u, time);
    return {task, task};
  }

  void end_iteration() {
    if (plan_.barrier) result_.barrier = add(Activity::kOptimizer, 0, SimTime{0});
    for (std::size_t u = 0; u < plan_.units.size(); ++u) {
      UnitStep& unit = result_.units[u];
      unit.end = *tail_[u];
      if (result_.barrier) result_.graph.depend(unit.end, *result_.barrier);
      result_.graph.depend(result_.end_of(u), unit.begin, 1);
    }
    if (!result_.barrier) return;
    for (const TaskId begin : first_gathers_) result_.graph.depend(*result_.barrier, begin, 1);
  }

  struct Left {
    SimTime work{};
    SimTime gap{};
  };

  const StepPlan& plan_;
  const Parallelism& p_;
  Exchanger& exchanger_;
  std::vector<std::optional<TaskId>> tail_;  ///< by unit: the predecessor of its next task
  /// By unit and rank with a time-sliced GPU: work of its passes so far without its gap.
  std::vector<std::vector<Left>> left_;
  std::vector<TaskSpan> ops_;          ///< see op_at()
  std::set<TaskId> streamed_;          ///< the last exchange of each unit with exchanges
  std::vector<TaskId> first_gathers_;  ///< gathers that do not wait for a segment
  TrainingGraph result_;
};

}  // namespace

const char* to_string(Activity activity) {
  switch (activity) {
    case Activity::kForward:
      return "forward";
    case Activity::kBackward:
      return "backward";
    case Activity::kGradients:
      return "gradients";
    case Activity::kOptimizer:
      return "optimizer";
    case Activity::kStorageRead:
      return "storage read";
    case Activity::kDecode:
      return "input decoding";
    case Activity::kHostToDevice:
      return "host to device";
    case Activity::kTensor:
      return "tensor parallel";
    case Activity::kContext:
      return "keys and values";
    case Activity::kExperts:
      return "experts";
    case Activity::kActivations:
      return "activations";
    case Activity::kParameters:
      return "parameters";
  }
  return "?";
}

Activity activity_of(const Exchange& exchange) {
  switch (exchange.axis) {
    case Axis::kTensor:
      return Activity::kTensor;
    case Axis::kContext:
      return Activity::kContext;
    case Axis::kExpert:
      return Activity::kExperts;
    case Axis::kPipeline:
      return Activity::kActivations;
    case Axis::kData:
    case Axis::kExpertData:
    case Axis::kShard:
    case Axis::kReplica:
    case Axis::kReshard:
      break;
  }
  return exchange.collective == collectives::Collective::kAllGather ? Activity::kParameters
                                                                    : Activity::kGradients;
}

TrainingGraph build_training_graph(const StepPlan& plan, Exchanger& exchanger) {
  return StepBuilder(plan, exchanger).build();
}

}  // namespace vgsim::training
