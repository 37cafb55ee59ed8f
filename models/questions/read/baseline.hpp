#pragma once

#include <map>
#include <string>
#include <tl/expected.hpp>
#include <utility>
#include <vector>

#include "models/questions/check/layout_figures.hpp"
#include "models/scenario/read/document.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/shapes/shape.hpp"
#include "topology/input/value.hpp"

namespace vgsim::scenario {

/// A layout in a baseline.
struct BaselineLayout {
  bool refused = false;
  std::vector<std::string> rules;         ///< ids of the rules that apply, in order
  std::string bottleneck;                 ///< limit_of(); empty if refused
  std::string fingerprint;                ///< of all numbers of the result; empty if refused
  std::map<std::string, double> figures;  ///< by name, to twelve digits
  /// 90 % intervals of figures that have one, to twelve digits.
  std::map<std::string, std::pair<double, double>> intervals;
};

/// An earlier result of a scenario, for comparison.
struct Baseline {
  std::string scenario;  ///< name of the scenario
  std::string document;  ///< fingerprint of the file without its "expect"
  std::map<std::string, std::string>
      values;  ///< values of the file, by pointer; empty in old baselines
  std::map<std::string, std::string> inputs;  ///< used constants: name, value as text
  std::map<std::string, BaselineLayout> layouts;
};

/// The baseline of a result and its document.
[[nodiscard]] Baseline baseline_of(const ScenarioResult& result,
                                   const std::vector<LayoutFigures>& layouts,
                                   const Document& document);

/// As `vgsim.baseline/1`: JSON with a newline at the end and sorted keys; deterministic.
[[nodiscard]] std::string to_json(const Baseline& baseline);

[[nodiscard]] input::Shape baseline_shape();

/// Reads such a file; unknown keys are errors.
[[nodiscard]] tl::expected<Baseline, input::Diagnostics> read_baseline(
    const input::SourcePtr& file);

}  // namespace vgsim::scenario
