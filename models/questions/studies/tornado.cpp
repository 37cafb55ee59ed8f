#include "models/questions/studies/tornado.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "models/questions/studies/one_run.hpp"
#include "models/scenario/answer/model_error.hpp"
#include "models/scenario/read/library.hpp"

namespace vgsim::scenario {
namespace {

constexpr double kLeastMove = 0.0005;  ///< least relative effect of a bar

std::vector<UsedInput> used_uncertain(const LayoutResult& layout,
                                      const calibration::Parameters& parameters) {
  const auto all = parameters.uncertain_names();
  std::vector<UsedInput> used;
  for (const UsedInput& input : layout.inputs) {
    if (std::find(all.begin(), all.end(), input.name) == all.end()) continue;
    const auto range = parameters.uncertain(input.name);
    if (range && range->low < range->high) used.push_back(input);
  }
  return used;
}

std::vector<WorthMeasuring> worth_measuring(const std::vector<TornadoBar>& bars, double base_s,
                                            const calibration::Parameters& parameters) {
  double all = 0;
  std::vector<WorthMeasuring> found;
  std::vector<double> squares;  // by measurement
  for (const TornadoBar& bar : bars) {
    const double square = std::pow(bar.swing(base_s), 2);
    all += square;
    const auto& measurement = parameters.at(bar.parameter).measured_by;
    if (!measurement) continue;
    std::size_t m = 0;
    while (m < found.size() && found[m].measurement.command != measurement->command) ++m;
    if (m == found.size()) {
      found.push_back({*measurement, {}, 0});
      squares.push_back(0);
    }
    found[m].parameters.push_back(bar.parameter);
    squares[m] += square - std::min(square, std::pow(bar.stays_s, 2));
  }
  for (std::size_t m = 0; m < found.size(); ++m) {
    found[m].narrows = 1 - std::sqrt(std::max(0.0, 1 - squares[m] / all));
  }
  std::erase_if(found, [](const WorthMeasuring& each) { return each.narrows < kLeastNarrowing; });
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.narrows > b.narrows; });
  if (found.size() > kMostMeasurements) found.resize(kMostMeasurements);
  return found;
}

bool is_worth_it(const TornadoBar& bar, double base_s) {
  return std::max(std::abs(bar.low_s - base_s), std::abs(bar.high_s - base_s)) >
         kLeastMove * base_s;
}

/// Model errors: factors on parts of the time, whose ends need no runs.
void add_model_errors(const PreparedLayout& layout, const TrainingResult& training,
                      Tornado& result) {
  const calibration::Parameters& parameters = layout.library.library->parameters;
  const auto seconds = [&](const ModelError& error, double factor) {
    ErrorFactors all;
    all.*error.part = factor;
    return result.base_s * slowdown_by(training, all);
  };
  for (const ModelError& error : model_errors_of(layout)) {
    ++result.varied;
    const calibration::Parameter& parameter = parameters.at(error.parameter);
    const auto after = error.anchored.empty() ? calibration::Uncertain{1, 1, 1}
                                              : parameters.at(error.anchored).quantity;
    const TornadoBar bar{error.parameter,
                         parameter.meaning,
                         parameter.low,
                         parameter.high,
                         seconds(error, parameter.quantity.low),
                         seconds(error, parameter.quantity.high),
                         seconds(error, after.high) - seconds(error, after.low)};
    if (is_worth_it(bar, result.base_s)) result.bars.push_back(bar);
  }
}

}  // namespace

double TornadoBar::swing(double base_s) const {
  return std::max({low_s, high_s, base_s}) - std::min({low_s, high_s, base_s});
}

bool is_quickly_varied(const LayoutResult& layout) {
  constexpr std::size_t kOfWhatIsAffordable = 8;
  return is_affordable(layout, kOfWhatIsAffordable * 2 * layout.inputs.size());
}

Tornado tornado(const Studied& studied, const LayoutResult& layout, ComputedParts* parts) {
  Tornado result;
  result.layout = layout.name;
  const auto base = measured_seconds(layout);
  if (!base) {
    result.left_out = "the layout was not simulated";
    return result;
  }
  const PreparedLayout& own = studied.layout(layout.name);
  const calibration::Parameters& parameters = own.library.library->parameters;
  result.base_s = *base;
  const auto used = used_uncertain(layout, parameters);
  if (!is_affordable(layout, 2 * used.size())) {
    result.left_out =
        fmt::format("{} more runs of a job of this size would take too long", 2 * used.size());
    return result;
  }
  result.varied = used.size();
  RunSettings settings = studied.settings;
  if (!settings.known_steps) {
    settings.known_steps = computed_part<std::shared_ptr<const KnownSteps>>(parts, [&] {
      return learn_steps({own.placement.layout->name, {own}}, settings);
    });
  }
  using Seconds = std::optional<double>;
  const auto seconds = computed<Seconds>(parts, 2 * used.size(), [&](std::size_t i) {
    const std::string& name = used[i / 2].name;
    const auto range = *parameters.uncertain(name);
    RunSettings changed = settings;
    changed.parameters[name] = i % 2 == 0 ? range.low : range.high;
    const auto run = run_alone(studied, own.placement.layout, changed);
    return run ? measured_seconds(*run) : Seconds();
  });
  for (std::size_t n = 0; n < used.size(); ++n) {
    const UsedInput& input = used[n];
    const TornadoBar bar{
        input.name, parameters.at(input.name).meaning, input.low,
        input.high, seconds[2 * n].value_or(*base),    seconds[2 * n + 1].value_or(*base)};
    if (is_worth_it(bar, *base)) result.bars.push_back(bar);
  }
  if (layout.training) add_model_errors(own, *layout.training, result);
  std::stable_sort(
      result.bars.begin(), result.bars.end(),
      [&](const TornadoBar& a, const TornadoBar& b) { return a.swing(*base) > b.swing(*base); });
  result.measure = worth_measuring(result.bars, *base, parameters);
  if (result.bars.size() > kMostTornadoBars) result.bars.resize(kMostTornadoBars);
  return result;
}

}  // namespace vgsim::scenario
