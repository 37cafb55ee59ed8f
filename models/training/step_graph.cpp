#include "models/training/step_graph.hpp"

#include <algorithm>

namespace vgsim::training {
namespace {

/// Of a pass: more would not change what others get.
constexpr std::int64_t kMostPieces = 1000;

class StepBuilder {
 public:
  StepBuilder(const StepPlan& plan, collectives::Lowering& collectives)
      : plan_(plan), collectives_(collectives) {}

  TrainingGraph build() && {
    const std::size_t ranks = plan_.compute.size();
    std::vector<std::vector<TaskId>> backward(ranks);
    for (std::size_t r = 0; r < ranks; ++r) {
      RankStep& step = result_.steps.emplace_back();
      left_ = {};
      const Pass forward = pass(Activity::kForward, r, plan_.compute[r].forward);
      step.forward = forward.begin;
      TaskId previous = forward.end;
      for (const SimTime part : plan_.compute[r].backward) {
        const Pass backwards = pass(Activity::kBackward, r, part);
        result_.graph.depend(previous, backwards.begin);
        backward[r].push_back(backwards.end);
        previous = backwards.end;
      }
      if (left_.gap > SimTime{0}) {
        const TaskId idle = add(Activity::kBackward, r, left_.gap);
        result_.graph.depend(previous, idle);
        previous = idle;
      }
      step.last_backward = previous;
    }
    const auto reduced = reduce_buckets(backward);
    for (std::size_t r = 0; r < ranks; ++r) {
      RankStep& step = result_.steps[r];
      step.optimizer = add(Activity::kOptimizer, r, plan_.compute[r].optimizer);
      result_.graph.depend(step.last_backward, step.optimizer);
      if (takes_turns(r)) result_.turns.push_back({step.optimizer, r, TurnLane::kKernels});
      if (reduced) result_.graph.depend(*reduced, step.optimizer);
      for (const TaskId had : had_turns_) result_.graph.depend(had, step.optimizer);
      result_.graph.depend(step.optimizer, step.forward, 1);
      add_input(
          result_.graph, plan_.feeds[r],
          {static_cast<std::uint32_t>(r), step.forward, step.optimizer, plan_.prefetched_batches});
    }
    return std::move(result_);
  }

 private:
  TaskId add(Activity activity, std::size_t rank, SimTime delay) {
    return result_.graph.add({delay, std::nullopt, static_cast<std::uint32_t>(activity),
                              static_cast<std::uint32_t>(rank), 1});
  }

  struct Pass {
    TaskId begin{};
    TaskId end{};
  };

  [[nodiscard]] bool takes_turns(std::size_t r) const {
    return r < plan_.gaps.size() && plan_.gaps[r].has_value();
  }

  /// A pass or a part of it: on a GPU that is shared in turns the work, then the time in which the
  /// GPU has none. A gap that little work has come before is left for later.
  Pass pass(Activity activity, std::size_t r, SimTime time) {
    if (!takes_turns(r)) {
      const TaskId task = add(activity, r, time);
      return {task, task};
    }
    const TurnGaps& gaps = *plan_.gaps[r];
    const SimTime own_gap = stretched(time, gaps.share);
    const SimTime work = time - own_gap;
    const SimTime gap = left_.gap + own_gap;
    const bool waits = gap > SimTime{0} && left_.work + work >= gaps.piece;
    const auto pieces = static_cast<std::uint32_t>(
        !waits || gaps.piece == SimTime{0}
            ? 1
            : std::clamp<std::int64_t>((work.count() + gaps.piece.count() - 1) / gaps.piece.count(),
                                       1, kMostPieces));
    const TaskId working = add_pieces(activity, r, work, pieces);
    result_.turns.push_back({working, r, TurnLane::kKernels});
    if (!waits) {
      left_ = {left_.work + work, gap};
      return {working, working};
    }
    left_ = {};
    const TaskId idle = add_pieces(activity, r, gap, pieces);
    result_.graph.feed(working, idle, 0);
    if (pieces > 1) result_.graph.feed(idle, working, 1);
    return {working, idle};
  }

  TaskId add_pieces(Activity activity, std::size_t r, SimTime time, std::uint32_t pieces) {
    Task task;
    task.delay = SimTime{time.count() / pieces};
    task.category = static_cast<std::uint32_t>(activity);
    task.subject = static_cast<std::uint32_t>(r);
    task.rounds = pieces;
    return result_.graph.add(task);
  }

  /// The GPUs that are shared in turns take part in a reduction when it is theirs.
  void take_part(std::size_t bucket, TaskId begin) {
    if (bucket >= plan_.reduction_work.size()) return;
    std::vector<TaskId> had;
    for (std::size_t r = 0; r < plan_.compute.size(); ++r) {
      if (!takes_turns(r)) continue;
      const TaskId task = add(Activity::kGradients, r, plan_.reduction_work[bucket]);
      result_.graph.depend(begin, task);
      result_.turns.push_back({task, r, TurnLane::kBeside});
      had.push_back(task);
    }
    had_turns_ = std::move(had);
  }

  /// The task after which all gradients are reduced; nothing for one rank.
  std::optional<TaskId> reduce_buckets(const std::vector<std::vector<TaskId>>& backward) {
    if (!plan_.reduces) return std::nullopt;
    std::optional<TaskId> previous;
    for (std::size_t b = 0; b < plan_.buckets.size(); ++b) {
      const auto tasks = collectives_.add(result_.graph, collectives::Collective::kAllReduce,
                                          plan_.buckets[b].size,
                                          {static_cast<std::uint32_t>(Activity::kGradients), 0});
      TaskId first = tasks.begin;
      if (plan_.bucket_wait > SimTime{0}) {
        first = add(Activity::kGradients, 0, plan_.bucket_wait);
        result_.graph.depend(first, tasks.begin);
      }
      for (const auto& parts : backward) {
        result_.graph.depend(plan_.overlap ? parts[b] : parts.back(), first);
      }
      if (previous) result_.graph.depend(*previous, tasks.begin);
      for (const TaskId had : had_turns_) result_.graph.depend(had, tasks.begin);
      take_part(b, tasks.begin);
      previous = tasks.end;
      result_.reduced.push_back(tasks);
    }
    return exchange(backward, previous);
  }

  /// Results of sharded layers and their gradients cross the ranks, once the backward pass is done:
  /// nothing computes beside them.
  std::optional<TaskId> exchange(const std::vector<std::vector<TaskId>>& backward,
                                 std::optional<TaskId> previous) {
    if (plan_.exchanged == Bytes{0}) return previous;
    for (int pass = 0; pass < 2; ++pass) {
      const auto tasks =
          collectives_.add(result_.graph, collectives::Collective::kAllToAll, plan_.exchanged,
                           {static_cast<std::uint32_t>(Activity::kGradients), 0});
      for (const auto& parts : backward) result_.graph.depend(parts.back(), tasks.begin);
      if (previous) result_.graph.depend(*previous, tasks.begin);
      previous = tasks.end;
    }
    return previous;
  }

  const StepPlan& plan_;
  collectives::Lowering& collectives_;
  struct Left {
    SimTime work{};
    SimTime gap{};
  };
  Left left_;                      ///< of the rank's passes so far: work without its gap
  std::vector<TaskId> had_turns_;  ///< of the last reduction, by rank that takes turns
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

void add_input(TaskGraph& graph, const InputFeed& feed, const FedRank& rank) {
  std::optional<TaskId> first;
  std::optional<TaskId> last;
  const auto then = [&](Activity activity, SimTime delay, const std::optional<FlowWork>& flow) {
    if (!flow) return;
    const TaskId task =
        graph.add({delay, flow, static_cast<std::uint32_t>(activity), rank.subject, 1});
    if (last) graph.depend(*last, task);
    if (!first) first = task;
    last = task;
  };
  then(Activity::kStorageRead, SimTime{0}, feed.storage_read);
  then(Activity::kDecode, SimTime{0}, feed.decode);
  then(Activity::kHostToDevice, feed.copy_latency, feed.host_to_device);
  if (!last) return;
  graph.depend(*last, rank.begins);
  graph.depend(rank.ends, *first, static_cast<std::uint16_t>(rank.prefetched_batches + 1));
}

TrainingGraph build_training_graph(const StepPlan& plan, collectives::Lowering& collectives) {
  return StepBuilder(plan, collectives).build();
}

}  // namespace vgsim::training
