#include "models/questions/check/layout_figures.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "models/questions/check/result_fingerprint.hpp"
#include "models/scenario/answer/bottleneck.hpp"
#include "models/scenario/answer/figures.hpp"
#include "models/scenario/answer/result_json.hpp"

namespace vgsim::scenario {
namespace {

LayoutFigures figures_of(const LayoutResult& layout) {
  LayoutFigures figures;
  figures.name = layout.name;
  figures.refused = layout.refused;
  std::set<std::string> rules;
  std::set<std::string> refused_by;
  for (const Warning& warning : layout.warnings) {
    rules.insert(warning.rule);
    if (warning.verdict == vsphere::Verdict::kRefused) refused_by.insert(warning.rule);
  }
  figures.rules.assign(rules.begin(), rules.end());
  figures.refused_by.assign(refused_by.begin(), refused_by.end());
  if (layout.refused) return figures;
  figures.bottleneck = limit_of(layout).what;
  figures.fingerprint = result_fingerprint(layout_json(layout));
  figures.metrics = metrics_of(layout);
  return figures;
}

}  // namespace

std::vector<LayoutFigures> figures_of(const ScenarioResult& result) {
  std::vector<LayoutFigures> all;
  for (const LayoutResult& layout : result.layouts) all.push_back(figures_of(layout));
  return all;
}

const Metric* find_metric(const LayoutFigures& layout, const std::string& name) {
  const auto found = std::find_if(layout.metrics.begin(), layout.metrics.end(),
                                  [&name](const Metric& metric) { return metric.name == name; });
  return found == layout.metrics.end() ? nullptr : &*found;
}

}  // namespace vgsim::scenario
