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

/// What a baseline keeps of a layout.
struct BaselineLayout {
  bool refused = false;
  std::vector<std::string> rules;         ///< ids of those that bite, in order
  std::string bottleneck;                 ///< as limit_of() has it; empty where it was refused
  std::string fingerprint;                ///< of all numbers of the result; empty where refused
  std::map<std::string, double> figures;  ///< by name, to twelve digits
  /// Nine in ten lie between these, where a figure has such an interval; to twelve digits.
  std::map<std::string, std::pair<double, double>> intervals;
};

/// An earlier result of a scenario, to hold later ones against.
struct Baseline {
  std::string scenario;                       ///< its name
  std::string document;                       ///< fingerprint of the file, but for its "expect"
  std::map<std::string, std::string> values;  ///< of the same, by pointer; none in old baselines
  std::map<std::string, std::string> inputs;  ///< constants that it rests on: name, value in words
  std::map<std::string, BaselineLayout> layouts;
};

/// Of a result, and the document that it came from.
[[nodiscard]] Baseline baseline_of(const ScenarioResult& result,
                                   const std::vector<LayoutFigures>& layouts,
                                   const Document& document);

/// As `vgsim.baseline/1`: JSON with a newline at the end, keys in order; the same text for the same
/// baseline.
[[nodiscard]] std::string to_json(const Baseline& baseline);

[[nodiscard]] input::Shape baseline_shape();

/// Reads such a file, strictly.
[[nodiscard]] tl::expected<Baseline, input::Diagnostics> read_baseline(
    const input::SourcePtr& file);

}  // namespace vgsim::scenario
