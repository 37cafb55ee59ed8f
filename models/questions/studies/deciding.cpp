#include "models/questions/studies/deciding.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "models/scenario/answer/model_error.hpp"
#include "models/scenario/answer/ranked_layouts.hpp"
#include "models/scenario/read/library.hpp"

namespace vgsim::scenario {
namespace {

const calibration::Parameters& parameters_of(const VariedLayout& layout) {
  return layout.prepared.library.library->parameters;
}

/// Those of a training job; of a collective the interval of its point is a bar of the tornado.
std::vector<ModelError> errors_of(const VariedLayout& layout) {
  return layout.result.training ? model_errors_of(layout.prepared) : std::vector<ModelError>();
}

/// Both times in seconds.
using Times = std::array<double, 2>;

/// Largest minus smallest logarithm of the ratio of two times.
double swing_of(const std::vector<Times>& all) {
  std::vector<double> ratios;
  for (const Times& each : all) ratios.push_back(std::log(each[0] / each[1]));
  const auto [least, most] = std::minmax_element(ratios.begin(), ratios.end());
  return *most - *least;
}

/// Time of a layout with one cause of its model errors `z` standard deviations off, before or after
/// the measurement that the error is determined by.
double seconds_at(const VariedLayout& layout, const std::vector<ModelError>& errors,
                  const std::string& cause, double z, bool measured) {
  ErrorFactors factors;
  for (const ModelError& error : errors) {
    if (measured && error.anchored.empty()) continue;
    const auto& quantity =
        parameters_of(layout).at(measured ? error.anchored : error.parameter).quantity;
    for (const ErrorCause& each : measured ? error.anchored_causes : error.causes) {
      if (each.name != cause) continue;
      factors.*error.part *= calibration::at_deviation(quantity, z * std::sqrt(each.share));
    }
  }
  const double base = layout.tornado.base_s;
  return layout.result.training ? base * slowdown_by(*layout.result.training, factors) : base;
}

}  // namespace

/// Parameters have the same value in both layouts. A cause of a model error has the same deviation
/// in the layouts that have it, and none in the other one.
std::vector<WorthMeasuring> deciding_measurements(const VariedLayout& one,
                                                  const VariedLayout& other) {
  if (!one.tornado.left_out.empty() || !other.tornado.left_out.empty()) return {};
  const std::array<const VariedLayout*, 2> layouts{&one, &other};
  const Times base{one.tornado.base_s, other.tornado.base_s};
  const std::array<std::vector<ModelError>, 2> errors{errors_of(one), errors_of(other)};
  std::map<std::string, std::string> causes;  // with the parameter of their error
  std::set<std::string> error_parameters;
  for (const auto& of_one : errors) {
    for (const ModelError& error : of_one) {
      error_parameters.insert(error.parameter);
      for (const ErrorCause& cause : error.causes) causes.emplace(cause.name, error.parameter);
    }
  }
  std::map<std::string, std::array<Times, 2>> ends;  // by parameter: at its low and its high end
  for (std::size_t l = 0; l < layouts.size(); ++l) {
    for (const TornadoBar& bar : layouts[l]->tornado.bars) {
      if (error_parameters.contains(bar.parameter)) continue;
      auto& both = ends.try_emplace(bar.parameter, std::array<Times, 2>{base, base}).first->second;
      both[0][l] = bar.low_s;
      both[1][l] = bar.high_s;
    }
  }
  std::vector<ParameterEffect> effects;
  for (const auto& [parameter, both] : ends) {
    effects.push_back({parameter, swing_of({base, both[0], both[1]}), 0.0});
  }
  for (const auto& [cause, parameter] : causes) {
    const auto swing = [&, &name = cause](bool measured) {
      std::vector<Times> all{base};
      for (const double z : {-calibration::kQuantile95, calibration::kQuantile95}) {
        all.push_back({seconds_at(one, errors[0], name, z, measured),
                       seconds_at(other, errors[1], name, z, measured)});
      }
      return swing_of(all);
    };
    effects.push_back({parameter, swing(false), swing(true)});
  }
  std::stable_sort(effects.begin(), effects.end(),
                   [](const auto& a, const auto& b) { return a.swing > b.swing; });
  return worth_measuring(effects, parameters_of(one));
}

std::vector<UndecidedLayout> undecided_layouts(
    const ScenarioResult& result,
    const std::function<std::optional<VariedLayout>(std::size_t)>& varied, std::size_t most) {
  std::vector<UndecidedLayout> found;
  for (const RankedGroup& group : ranked_groups(result)) {
    for (const RankedLayout& each : group.layouts) {
      if (found.size() == most) return found;
      if (each.gap.statement != Statement::kUndecided) continue;
      const auto one = varied(group.fastest());
      const auto other = varied(each.layout);
      if (!one || !other) continue;
      auto measure = deciding_measurements(*one, *other);
      if (!measure.empty()) found.push_back({group.fastest(), each.layout, std::move(measure)});
    }
  }
  return found;
}

}  // namespace vgsim::scenario
