#include "models/training/step_plan.hpp"

#include <algorithm>

#include "models/training/compute.hpp"

namespace vgsim::training {

bool StepPlan::has_time_slices() const {
  return std::any_of(units.begin(), units.end(),
                     [](const Unit& unit) { return !unit.time_sliced.empty(); });
}

namespace {

PassTimes pass_times(const StageWork& work, std::int64_t micro_batches,
                     const SlowdownFactors& slower) {
  PassTimes times;
  const auto add = [](const std::vector<StepSegment>& segments, std::int64_t count, double factor,
                      SimTime& sum) {
    for (const StepSegment& segment : segments) sum += slowed(segment.compute, factor) * count;
  };
  for (const ChunkPlan& chunk : work.chunks) {
    add(chunk.forward, micro_batches, slower.forward, times.forward);
    for (const auto* segments : {&chunk.backward, &chunk.weights}) {
      add(*segments, micro_batches - 1, slower.backward, times.backward);
    }
    for (const auto* segments : {&chunk.last_backward, &chunk.last_weights}) {
      add(*segments, 1, slower.backward, times.backward);
    }
  }
  return times;
}

}  // namespace

PassTimes passes_of(const StageWork& work, std::int64_t micro_batches) {
  return pass_times(work, micro_batches, {});
}

PassTimes passes_of(const StepPlan& plan, std::size_t unit) {
  return pass_times(plan.work_of(unit), plan.parallelism.micro_batches, plan.units[unit].slower);
}

SimTime slowed(SimTime time, double factor) {
  return factor == 1.0 ? time : stretched(time, factor);
}

}  // namespace vgsim::training
