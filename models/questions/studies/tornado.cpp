#include "models/questions/studies/tornado.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "models/questions/studies/one_run.hpp"
#include "models/scenario/answer/parallel_for.hpp"
#include "models/scenario/build/layout_library.hpp"
#include "models/scenario/read/layouts.hpp"
#include "models/scenario/read/library.hpp"

namespace vgsim::scenario {
namespace {

constexpr double kLeastMove = 0.0005;  ///< of the time, that is worth a bar

/// The parameters of a layout, with its calibration; nothing where the document has errors.
std::optional<calibration::Parameters> parameters_of(const input::Value& document,
                                                     const std::string& layout,
                                                     const Library& library,
                                                     const input::FileLoader& load) {
  input::Diagnostics diagnostics;
  for (const Layout& each : read_scenario(document, library, diagnostics).layouts) {
    if (each.name != layout) continue;
    const LayoutLibrary own = library_of(each, library, load, RunSettings{}, diagnostics);
    if (!diagnostics.has_errors()) return own.library->parameters;
  }
  return std::nullopt;
}

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

}  // namespace

double TornadoBar::swing(double base_s) const {
  return std::max({low_s, high_s, base_s}) - std::min({low_s, high_s, base_s});
}

Tornado tornado(const input::Value& document, const LayoutResult& layout, const Library& library,
                const input::FileLoader& load, const RunSettings& settings) {
  Tornado result;
  result.layout = layout.name;
  const auto base = measured_seconds(layout);
  const auto own = document_of_layout(document, layout.name);
  const auto parameters = parameters_of(document, layout.name, library, load);
  if (!base || !own || !parameters) {
    result.left_out = "the layout did not run";
    return result;
  }
  result.base_s = *base;
  const auto used = used_uncertain(layout, *parameters);
  if (!is_affordable(layout, 2 * used.size())) {
    result.left_out =
        fmt::format("{} more runs of a job of this size would take too long", 2 * used.size());
    return result;
  }
  result.varied = used.size();
  std::vector<std::optional<double>> seconds(2 * used.size());
  parallel_for(seconds.size(), [&](std::size_t i) {
    const std::string& name = used[i / 2].name;
    const auto range = *parameters->uncertain(name);
    RunSettings changed = settings;
    changed.parameters[name] = i % 2 == 0 ? range.low : range.high;
    if (const auto run = run_alone(*own, library, load, changed))
      seconds[i] = measured_seconds(*run);
  });
  for (std::size_t n = 0; n < used.size(); ++n) {
    const UsedInput& input = used[n];
    const TornadoBar bar{
        input.name, parameters->meaning(input.name), input.low,
        input.high, seconds[2 * n].value_or(*base),  seconds[2 * n + 1].value_or(*base)};
    if (std::max(std::abs(bar.low_s - *base), std::abs(bar.high_s - *base)) > kLeastMove * *base) {
      result.bars.push_back(bar);
    }
  }
  std::stable_sort(
      result.bars.begin(), result.bars.end(),
      [&](const TornadoBar& a, const TornadoBar& b) { return a.swing(*base) > b.swing(*base); });
  if (result.bars.size() > kMostTornadoBars) result.bars.resize(kMostTornadoBars);
  return result;
}

}  // namespace vgsim::scenario
