#include "models/scenario/run/turns.hpp"

#include <algorithm>
#include <vector>

#include "models/calibration/statistics.hpp"
#include "models/training/compute_noise.hpp"

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

}  // namespace

TurnPlan turns_of(const training::TrainingGraph& training, const SharedGpus& shared) {
  TurnPlan plan{shared.devices, {}};
  plan.seats.resize(training.graph.size());
  for (const training::TurnTask& task : training.turns) {
    auto& seat = plan.seats[index(task.task)];
    seat = shared.seats[task.rank];
    seat->lane = task.lane;
  }
  return plan;
}

/// As many as last for two seconds where nobody else has the GPUs.
std::uint64_t iterations_in_turns(const training::StepPlan& plan, std::uint64_t affordable) {
  constexpr double kLongEnough = 2.0;
  constexpr std::uint64_t kFewest = 32;
  constexpr std::uint64_t kMost = 2000;
  SimTime step{1};
  for (const auto& times : plan.compute) {
    step = std::max(step, training::passes_of(times) + times.optimizer);
  }
  const double wanted = std::min(kLongEnough / to_seconds(step), static_cast<double>(kMost));
  return std::min(std::max(static_cast<std::uint64_t>(wanted), kFewest),
                  std::max(affordable, std::uint64_t{1}));
}

std::optional<TurnsResult> steps_in_turns(const training::TrainingGraph& training,
                                          const SharedGpus& shared, const Timeline& timeline) {
  std::vector<double> steps;
  std::vector<double> rates;
  for (std::size_t r = 0; r < training.steps.size(); ++r) {
    if (!shared.seats[r]) continue;
    const TaskId last = training.steps[r].optimizer;
    double sum = 0;
    std::size_t count = 0;
    for (std::uint64_t back = 0; timeline.find(last, back + 1) != nullptr; ++back) {
      const SimTime step = timeline.find(last, back)->end - timeline.find(last, back + 1)->end;
      steps.push_back(to_seconds(step));
      sum += steps.back();
      ++count;
    }
    if (sum > 0) rates.push_back(static_cast<double>(count) / sum);
  }
  if (steps.empty() || rates.empty()) return std::nullopt;
  return TurnsResult{steps.size(), calibration::percentile(steps, 50),
                     calibration::percentile(steps, 90), calibration::percentile(steps, 99),
                     fairness_of(rates)};
}

}  // namespace vgsim::scenario
