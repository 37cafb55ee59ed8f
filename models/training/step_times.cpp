#include "models/training/step_times.hpp"

namespace vgsim::training {
namespace {

/// Completions are rounded up to a picosecond each, so iterations may differ by a few of them.
constexpr SimTime kRounding{1000};

SimTime end_of(const TrainingGraph& training, const Timeline& timeline, std::size_t iteration,
               std::size_t rank) {
  return timeline.task(training.steps[iteration][rank].optimizer).end;
}

Breakdown break_down(const RankStep& step, const Timeline& timeline, SimTime begin) {
  const TaskRecord& forward = timeline.task(step.forward);
  const TaskRecord& backward = timeline.task(step.last_backward);
  const TaskRecord& optimizer = timeline.task(step.optimizer);
  return {forward.ready - begin, backward.end - forward.ready, optimizer.ready - backward.end,
          optimizer.end - optimizer.ready, optimizer.end - begin};
}

}  // namespace

StepTimes read_step_times(const TrainingGraph& training, const Timeline& timeline) {
  const std::size_t last = training.steps.size() - 1;
  StepTimes times;
  for (std::size_t r = 1; r < training.steps[last].size(); ++r) {
    if (end_of(training, timeline, last, r) > end_of(training, timeline, last, times.rank)) {
      times.rank = r;
    }
  }
  times.first = end_of(training, timeline, 0, times.rank);
  times.steady_begin = end_of(training, timeline, last - 1, times.rank);
  times.steady_end = end_of(training, timeline, last, times.rank);
  times.steady = times.steady_end - times.steady_begin;
  const SimTime before =
      last < 2 ? times.first
               : times.steady_begin - end_of(training, timeline, last - 2, times.rank);
  times.settled = times.steady - before <= kRounding && before - times.steady <= kRounding;
  const RankStep& step = training.steps[last][times.rank];
  times.breakdown = break_down(step, timeline, times.steady_begin);
  times.critical_path = vgsim::critical_path(timeline, step.optimizer, times.steady_begin);
  return times;
}

}  // namespace vgsim::training
