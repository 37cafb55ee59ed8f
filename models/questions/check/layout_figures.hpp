#pragma once

#include <string>
#include <vector>

#include "models/scenario/answer/metrics.hpp"
#include "models/scenario/run/result.hpp"

namespace vgsim::scenario {

/// The parts of a layout's result used by expectations and baselines.
struct LayoutFigures {
  std::string name;
  bool refused = false;
  std::vector<std::string> refused_by;  ///< ids of rules, in order, each once
  std::vector<std::string> rules;       ///< ids of all rules that apply, likewise
  std::string bottleneck;               ///< limit_of(); empty if refused
  /// Of all numbers of the result to nine digits, without those of the engine's work; empty if
  /// refused.
  std::string fingerprint;
  std::vector<Metric> metrics;  ///< empty if refused
};

/// The figures of each layout, in the order of the result.
[[nodiscard]] std::vector<LayoutFigures> figures_of(const ScenarioResult& result);

/// The figure of that name, or nullptr.
[[nodiscard]] const Metric* find_metric(const LayoutFigures& layout, const std::string& name);

}  // namespace vgsim::scenario
