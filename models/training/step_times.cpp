#include "models/training/step_times.hpp"

namespace vgsim::training {
namespace {

Breakdown break_down(const RankStep& step, const Timeline& timeline, SimTime begin) {
  const TaskRecord& forward = timeline.task(step.forward);
  const TaskRecord& backward = timeline.task(step.last_backward);
  const TaskRecord& optimizer = timeline.task(step.optimizer);
  return {forward.ready - begin, backward.end - forward.ready, optimizer.ready - backward.end,
          optimizer.end - optimizer.ready, optimizer.end - begin};
}

}  // namespace

StepTimes read_step_times(const TrainingGraph& training, const Timeline& timeline) {
  const auto last_end = [&](std::size_t r) {
    return timeline.task(training.steps[r].optimizer).end;
  };
  StepTimes times;
  for (std::size_t r = 1; r < training.steps.size(); ++r) {
    if (last_end(r) > last_end(times.rank)) times.rank = r;
  }
  const RankStep& step = training.steps[times.rank];
  times.first = timeline.first_ends[static_cast<std::size_t>(step.optimizer)];
  if (const TaskRecord* before = timeline.find(step.optimizer, 1)) times.steady_begin = before->end;
  times.steady_end = last_end(times.rank);
  times.steady = times.steady_end - times.steady_begin;
  times.breakdown = break_down(step, timeline, times.steady_begin);
  times.critical_path = vgsim::critical_path(timeline, step.optimizer, times.steady_begin);
  return times;
}

}  // namespace vgsim::training
