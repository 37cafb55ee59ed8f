#include "models/scenario/run/time_slices.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "models/calibration/statistics.hpp"

namespace vgsim::scenario {
namespace {

/// (sum of x)^2 over n times the sum of x^2. Source: R. Jain, D. Chiu and W. Hawe, 1984.
double fairness_of(const std::vector<double>& rates) {
  double sum = 0;
  double squares = 0;
  for (const double rate : rates) {
    sum += rate;
    squares += rate * rate;
  }
  return sum * sum / (squares * static_cast<double>(rates.size()));
}

/// Numbers of steps and bursts with at least one beyond a quantile with 95 % confidence.
constexpr std::size_t kStepsForP99 = 299;
constexpr std::size_t kStepsForP90 = 29;
constexpr std::size_t kEnoughBursts = 29;

/// Longest time between bursts of vGPUs outside the job; 0 if all are always busy.
SimTime longest_period(const SharedGpus& shared) {
  SimTime longest{};
  for (const SlicedDevice& device : shared.devices) {
    for (const auto& tenant : device.tenants) {
      if (!tenant.load || tenant.load->period == tenant.load->busy) continue;
      longest = std::max(longest, tenant.load->period);
    }
  }
  return longest;
}

}  // namespace

SlicingPlan time_slice_plan(const training::TrainingGraph& training, const SharedGpus& shared) {
  SlicingPlan plan{shared.devices, {}};
  plan.slots.resize(training.graph.size());
  for (const training::TimeSlicedTask& task : training.time_sliced) {
    auto& seat = plan.slots[index(task.task)];
    seat = shared.slots[task.seat];
    seat->lane = task.lane;
  }
  return plan;
}

/// Enough iterations for two seconds, or for many bursts of the others; with `quantiles` enough for
/// the 99 % quantile, unless there are too many slices.
std::uint64_t time_sliced_iterations(const training::StepPlan& plan, const SharedGpus& shared,
                                     std::uint64_t affordable, bool quantiles) {
  constexpr double kLongEnough = 2.0;
  constexpr double kFewest = 32;
  constexpr double kMost = 2000;
  constexpr double kMostForBursts = 5000;
  constexpr double kBurstsOfMean = 10;
  constexpr double kMostSlices = 300'000;  // on all GPUs: about half a second of run time
  SimTime step{1};
  for (std::size_t u = 0; u < plan.units.size(); ++u) {
    step = std::max(step, training::passes_of(plan, u).all() + plan.work_of(u).optimizer);
  }
  double slices = 0;  // per step
  for (const SlicedDevice& device : shared.devices) {
    slices +=
        to_seconds(step) / to_seconds(device.slice) * static_cast<double>(device.tenants.size());
  }
  const double periods = quantiles ? static_cast<double>(kEnoughBursts + 1) : kBurstsOfMean;
  const double bursts = periods * to_seconds(longest_period(shared));
  double wanted = std::max({kFewest, std::min(kLongEnough / to_seconds(step), kMost),
                            std::min(bursts / to_seconds(step), kMostForBursts)});
  const auto for_p99 = static_cast<double>(kStepsForP99 + 1);
  if (quantiles && for_p99 * slices <= kMostSlices) wanted = std::max(wanted, for_p99);
  return std::min(static_cast<std::uint64_t>(wanted), std::max(affordable, std::uint64_t{1}));
}

std::optional<TimeSlicedSteps> time_sliced_steps(const training::StepPlan& plan,
                                                 const training::TrainingGraph& training,
                                                 const SharedGpus& shared,
                                                 const Timeline& timeline) {
  std::vector<double> steps;
  std::vector<double> rates;
  std::size_t fewest = std::numeric_limits<std::size_t>::max();
  double shortest = std::numeric_limits<double>::max();  // over all ranks
  for (std::size_t u = 0; u < plan.units.size(); ++u) {
    if (plan.units[u].time_sliced.empty()) continue;
    const TaskId last = training.end_of(u);
    double sum = 0;
    std::size_t count = 0;
    for (std::uint64_t back = 0; timeline.find(last, back + 1) != nullptr; ++back) {
      const SimTime step = timeline.find(last, back)->end - timeline.find(last, back + 1)->end;
      steps.push_back(to_seconds(step));
      sum += steps.back();
      ++count;
    }
    if (sum > 0) rates.push_back(static_cast<double>(count) / sum);
    fewest = std::min(fewest, count);
    shortest = std::min(shortest, sum);
  }
  if (steps.empty() || rates.empty()) return std::nullopt;
  const std::size_t apart = plan.groups.empty() ? steps.size() : fewest;
  TimeSlicedSteps result{apart, calibration::percentile(steps, 50), {}, {}, fairness_of(rates)};
  if (shortest < static_cast<double>(kEnoughBursts) * to_seconds(longest_period(shared))) {
    return result;
  }
  if (apart >= kStepsForP90) result.p90_s = calibration::percentile(steps, 90);
  if (apart >= kStepsForP99) result.p99_s = calibration::percentile(steps, 99);
  return result;
}

}  // namespace vgsim::scenario
