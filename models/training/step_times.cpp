#include "models/training/step_times.hpp"

#include <algorithm>
#include <limits>
#include <optional>

namespace vgsim::training {
namespace {

/// The iteration that lies `back` before the last and began at `begin`.
Breakdown break_down(const RankStep& step, const Timeline& timeline, std::uint64_t back,
                     SimTime begin) {
  const TaskRecord& forward = *timeline.find(step.forward, back);
  const TaskRecord& backward = *timeline.find(step.last_backward, back);
  const TaskRecord& optimizer = *timeline.find(step.optimizer, back);
  return {forward.ready - begin, backward.end - forward.ready, optimizer.ready - backward.end,
          optimizer.end - optimizer.ready, optimizer.end - begin};
}

/// Of the last iterations, `most` at most.
Breakdown mean_breakdown(const RankStep& step, const Timeline& timeline, std::uint64_t most) {
  Breakdown sum;
  std::int64_t count = 0;
  for (std::uint64_t back = 0; back < most; ++back) {
    const TaskRecord* before = timeline.find(step.optimizer, back + 1);
    if (before == nullptr) break;
    const Breakdown one = break_down(step, timeline, back, before->end);
    sum.data_wait += one.data_wait;
    sum.compute += one.compute;
    sum.exposed_communication += one.exposed_communication;
    sum.optimizer += one.optimizer;
    ++count;
  }
  for (SimTime* part : {&sum.data_wait, &sum.compute, &sum.exposed_communication, &sum.optimizer}) {
    *part = SimTime{part->count() / count};
    sum.total += *part;
  }
  return sum;
}

/// Of the last iteration that took as long as those that repeat, or as the one before it where no
/// repetition was looked for: at the end of a run, nothing is fetched any more that gradients could
/// meet on a link.
Breakdown steady_breakdown(const RankStep& step, const Timeline& timeline, SimTime last_begin) {
  const Breakdown last = break_down(step, timeline, 0, last_begin);
  const bool repeats = timeline.repeat.count > 0;
  if (repeats && timeline.repeat.iterations != 1) return last;
  std::optional<Breakdown> later;
  for (std::uint64_t back = 0;; ++back) {
    const TaskRecord* before = timeline.find(step.optimizer, back + 1);
    if (before == nullptr) return last;
    const Breakdown one = break_down(step, timeline, back, before->end);
    if (repeats && one.total == timeline.repeat.time) return one;
    if (!repeats && later && later->total == one.total) return *later;
    later = one;
  }
}

/// Of the last iteration: how long gradients are on their way before a rank's backward pass ends.
SimTime hidden_traffic(const TrainingGraph& training, const Timeline& timeline,
                       const RankStep& step) {
  const SimTime end = timeline.task(step.last_backward).end;
  SimTime hidden{};
  for (const auto& bucket : training.reduced) {
    const SimTime from = timeline.task(bucket.begin).end;
    const SimTime until = std::min(end, timeline.task(bucket.end).end);
    if (until > from) hidden += until - from;
  }
  return hidden;
}

}  // namespace

StepTimes read_step_times(const TrainingGraph& training, const Timeline& timeline, bool mean) {
  const auto last_end = [&](std::size_t r) {
    return timeline.task(training.steps[r].optimizer).end;
  };
  StepTimes times;
  for (std::size_t r = 1; r < training.steps.size(); ++r) {
    if (last_end(r) > last_end(times.rank)) times.rank = r;
  }
  const RankStep& step = training.steps[times.rank];
  times.first = timeline.first_end(step.optimizer);
  if (const TaskRecord* before = timeline.find(step.optimizer, 1)) times.steady_begin = before->end;
  times.steady_end = last_end(times.rank);
  const bool several = timeline.find(step.optimizer, 1) != nullptr;
  // Iterations that repeat in groups take turns: the group was kept, or the last one stands for it.
  const std::uint64_t group = timeline.repeat.count > 0 ? timeline.repeat.iterations : 1;
  const bool turns = group > 1 && timeline.find(step.optimizer, group) != nullptr;
  if ((mean && several) || turns) {
    constexpr auto kAll = std::numeric_limits<std::uint64_t>::max();
    times.breakdown = mean_breakdown(step, timeline, mean ? kAll : group);
  } else {
    times.breakdown = steady_breakdown(step, timeline, times.steady_begin);
  }
  times.steady = times.breakdown.total;
  times.hidden_traffic = hidden_traffic(training, timeline, step);
  times.critical_path = vgsim::critical_path(timeline, step.optimizer, times.steady_begin);
  return times;
}

}  // namespace vgsim::training
