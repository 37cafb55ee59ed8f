#include <cmath>
#include <stdexcept>

#include "models/questions/read/virtual_case.hpp"
#include "models/scenario/answer/run_scenario.hpp"
#include "models/scenario/build/prepared.hpp"
#include "models/scenario/read/layouts.hpp"

namespace vgsim::scenario {
namespace {

constexpr const char* kVmotion = "vMotion";

double stun_in(const TrainingResult& training) {
  for (const Interruption& each : training.interruptions) {
    if (each.what.starts_with(kVmotion)) return each.seconds;
  }
  throw std::runtime_error("the scenario has no vMotion");
}

template <class T>
const T& told(const std::optional<T>& result, const std::string& metric) {
  if (!result) throw std::runtime_error("its job has no " + metric);
  return *result;
}

double in_metric(const LayoutResult& layout, const std::string& metric) {
  if (metric == "busbw_GBps") return told(layout.collective, metric).points.back().busbw_GBps;
  const TrainingResult& training = told(layout.training, metric);
  if (metric == "stun_s") return stun_in(training);
  if (metric == "training_s") return training.training_s;
  if (metric == "samples_per_s") return training.samples_per_s;
  return to_seconds(training.iteration);
}

/// What the model says of a point's scenario. Throws std::runtime_error where it cannot be run.
double simulate_point(const VirtualPoint& point, const std::string& metric, const Library& library,
                      const input::FileLoader& load, const RunSettings& settings) {
  auto scenario = read_scenario(point.scenario, library);
  if (!scenario) throw std::runtime_error(input::render(scenario.error()));
  // It was measured, so it did fit, whatever the memory model says.
  auto layout = std::make_shared<Layout>(*scenario->layouts.front());
  layout->idealised.unlimited_memory = true;
  scenario->layouts = {std::move(layout)};
  const auto prepared = prepare(*scenario, library, load, settings);
  if (!prepared) throw std::runtime_error(input::render(prepared.error()));
  const ScenarioResult result = run(*prepared, settings);
  const LayoutResult& only = result.layouts.front();
  if (only.refused) {
    throw std::runtime_error(only.warnings.empty() ? "refused" : only.warnings.front().text);
  }
  return in_metric(only, metric);
}

}  // namespace

std::optional<double> VirtualScore::error(const VirtualPoint& point,
                                          const std::optional<double>& predicted) {
  if (!predicted || !point.value || point.given) return std::nullopt;
  if (point.at_least && *predicted >= *point.value) return 0.0;
  return *predicted / *point.value - 1;
}

std::optional<double> null_of(const VirtualCase& measured, const VirtualSeries& series,
                              const VirtualPoint& point) {
  if (!point.null_model) return std::nullopt;
  if (!measured.is_ratio) return point.null_model;
  for (const VirtualPoint& each : series.points) {
    if (each.given && each.value) return *point.null_model * *each.value;
  }
  return std::nullopt;
}

/// Every point is run as it stands; of ratios the series is then brought to its given point.
std::vector<std::vector<VirtualScore>> score_virtual(const VirtualCase& measured,
                                                     const Library& library,
                                                     const input::FileLoader& load,
                                                     const RunSettings& settings) {
  std::vector<std::vector<VirtualScore>> result;
  for (const VirtualSeries& series : measured.series) {
    std::vector<VirtualScore>& scores = result.emplace_back();
    std::optional<double> scale;
    for (const VirtualPoint& point : series.points) {
      VirtualScore& score = scores.emplace_back();
      score.failure = point.left_out;
      if (!point.left_out.empty()) continue;
      try {
        score.predicted = simulate_point(point, series.metric, library, load, settings);
        if (point.given && point.value) scale = *point.value / *score.predicted;
      } catch (const std::exception& error) {
        score.failure = error.what();
      }
    }
    if (!measured.is_ratio) continue;
    for (VirtualScore& score : scores) {
      if (score.predicted && scale) {
        *score.predicted *= *scale;
      } else if (score.predicted) {
        score = {std::nullopt, "the given point could not be run"};
      }
    }
  }
  return result;
}

}  // namespace vgsim::scenario
