#include "models/questions/studies/tornado.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "models/collectives/spread.hpp"
#include "models/questions/studies/one_run.hpp"
#include "models/scenario/answer/layout_time.hpp"
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

/// The model error of a collective: the interval of its point. A measured collective removes it.
void add_collective_error(const PreparedLayout& layout, const CollectivePoint& point,
                          Tornado& result) {
  if (point.low >= point.high) return;
  ++result.varied;
  const std::string name = collectives::rate_spread_of(layout.placement.ranks());
  const calibration::Parameter& parameter = layout.library.library->parameters.at(name);
  const TornadoBar bar{name,           parameter.meaning,     parameter.low,
                       parameter.high, to_seconds(point.low), to_seconds(point.high)};
  if (is_worth_it(bar, result.base_s)) result.bars.push_back(bar);
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
  if (layout.training) {
    add_model_errors(own, *layout.training, result);
  } else {
    add_collective_error(own, largest_point(*layout.collective), result);
  }
  std::stable_sort(
      result.bars.begin(), result.bars.end(),
      [&](const TornadoBar& a, const TornadoBar& b) { return a.swing(*base) > b.swing(*base); });
  std::vector<ParameterEffect> effects;
  for (const TornadoBar& bar : result.bars) {
    effects.push_back({bar.parameter, bar.swing(*base), bar.stays_s});
  }
  result.measure = worth_measuring(effects, parameters);
  return result;
}

}  // namespace vgsim::scenario
