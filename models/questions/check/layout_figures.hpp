#pragma once

#include <string>
#include <vector>

#include "models/scenario/answer/metrics.hpp"
#include "models/scenario/run/result.hpp"

namespace vgsim::scenario {

/// What of a layout's result is expected of it, and kept in a baseline.
struct LayoutFigures {
  std::string name;
  bool refused = false;
  std::vector<std::string> refused_by;  ///< ids of rules, in order, each once
  std::vector<std::string> rules;       ///< of all that bite, likewise
  std::string bottleneck;               ///< as limit_of() has it; empty where it was refused
  /// Of all numbers that the result tells, but for those of the engine's work and beyond nine
  /// digits; empty where it was refused.
  std::string fingerprint;
  std::vector<Metric> metrics;  ///< none where it was refused
};

/// Of each layout, in the order of the result.
[[nodiscard]] std::vector<LayoutFigures> figures_of(const ScenarioResult& result);

/// The figure of that name, or nullptr.
[[nodiscard]] const Metric* find_metric(const LayoutFigures& layout, const std::string& name);

}  // namespace vgsim::scenario
