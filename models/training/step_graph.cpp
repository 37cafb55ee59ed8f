#include "models/training/step_graph.hpp"

namespace vgsim::training {
namespace {

class Builder {
 public:
  Builder(const StepPlan& plan, const collectives::RingAllReduce& all_reduce)
      : plan_(plan),
        all_reduce_(all_reduce),
        last_read_(plan.compute.size()),
        last_copy_(plan.compute.size()) {}

  TrainingGraph build(std::size_t iterations) {
    for (std::size_t i = 0; i < iterations; ++i) add_iteration(i);
    return std::move(result_);
  }

 private:
  TaskId add(Activity activity, std::size_t rank, std::size_t iteration, SimTime delay,
             std::optional<FlowWork> flow = std::nullopt) {
    return result_.graph.add({delay, std::move(flow), static_cast<std::uint32_t>(activity),
                              static_cast<std::uint32_t>(rank),
                              static_cast<std::uint32_t>(iteration)});
  }

  void add_iteration(std::size_t i) {
    const std::size_t ranks = plan_.compute.size();
    auto& steps = result_.steps.emplace_back(ranks);
    std::vector<std::vector<TaskId>> backward(ranks);
    for (std::size_t r = 0; r < ranks; ++r) {
      steps[r].forward = add(Activity::kForward, r, i, plan_.compute[r].forward);
      if (const auto batch = fetch(r, i)) result_.graph.depend(*batch, steps[r].forward);
      if (i > 0) result_.graph.depend(result_.steps[i - 1][r].optimizer, steps[r].forward);
      TaskId previous = steps[r].forward;
      for (const SimTime part : plan_.compute[r].backward) {
        const TaskId task = add(Activity::kBackward, r, i, part);
        result_.graph.depend(previous, task);
        backward[r].push_back(task);
        previous = task;
      }
      steps[r].last_backward = previous;
    }
    const auto reduced = reduce_buckets(backward, i);
    for (std::size_t r = 0; r < ranks; ++r) {
      steps[r].optimizer = add(Activity::kOptimizer, r, i, plan_.compute[r].optimizer);
      result_.graph.depend(steps[r].last_backward, steps[r].optimizer);
      if (reduced) result_.graph.depend(*reduced, steps[r].optimizer);
    }
  }

  /// The task after which batch `i` is on the GPU of rank `r`; nothing if it moves no bytes.
  std::optional<TaskId> fetch(std::size_t r, std::size_t i) {
    const InputFeed& feed = plan_.feeds[r];
    std::optional<TaskId> last;
    if (feed.storage_read) {
      last = add(Activity::kStorageRead, r, i, SimTime{0}, feed.storage_read);
      follow(last_read_[r], *last);
      wait_for_room(r, i, *last);
    }
    if (feed.host_to_device) {
      const TaskId copy =
          add(Activity::kHostToDevice, r, i, feed.copy_latency, feed.host_to_device);
      follow(last_copy_[r], copy);
      if (last) {
        result_.graph.depend(*last, copy);
      } else {
        wait_for_room(r, i, copy);
      }
      last = copy;
    }
    return last;
  }

  /// One read, and one copy, of a rank at a time.
  void follow(std::optional<TaskId>& previous, TaskId task) {
    if (previous) result_.graph.depend(*previous, task);
    previous = task;
  }

  void wait_for_room(std::size_t r, std::size_t i, TaskId task) {
    const auto ahead = static_cast<std::size_t>(plan_.prefetched_batches) + 1;
    if (i >= ahead) result_.graph.depend(result_.steps[i - ahead][r].optimizer, task);
  }

  /// The task after which all gradients of iteration `i` are reduced; nothing for one rank.
  std::optional<TaskId> reduce_buckets(const std::vector<std::vector<TaskId>>& backward,
                                       std::size_t i) {
    if (backward.size() < 2) return std::nullopt;
    std::optional<TaskId> previous;
    for (std::size_t b = 0; b < plan_.buckets.size(); ++b) {
      const auto tasks = all_reduce_.add(
          result_.graph, plan_.buckets[b].size,
          {static_cast<std::uint32_t>(Activity::kGradients), 0, static_cast<std::uint32_t>(i)});
      for (const auto& parts : backward) {
        result_.graph.depend(plan_.overlap ? parts[b] : parts.back(), tasks.begin);
      }
      if (previous) result_.graph.depend(*previous, tasks.begin);
      previous = tasks.end;
    }
    return previous;
  }

  const StepPlan& plan_;
  const collectives::RingAllReduce& all_reduce_;
  TrainingGraph result_;
  std::vector<std::optional<TaskId>> last_read_;  ///< by rank
  std::vector<std::optional<TaskId>> last_copy_;  ///< by rank
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
    case Activity::kHostToDevice:
      return "host to device";
  }
  return "?";
}

TrainingGraph build_training_graph(const StepPlan& plan,
                                   const collectives::RingAllReduce& all_reduce,
                                   std::size_t iterations) {
  return Builder(plan, all_reduce).build(iterations);
}

}  // namespace vgsim::training
