#pragma once

#include <optional>
#include <string>
#include <vector>

namespace vgsim::studio {

/// What the steps of a slider make of a time.
struct SliderCurve {
  std::string label;  ///< of the slider
  std::string now;    ///< the step that stands, as in `steps`
  std::vector<std::string> steps;
  std::vector<std::optional<double>> seconds;  ///< as many; nothing of those that do not run
};

/// Drawn as the report draws its curves, with the numbers below.
[[nodiscard]] std::string curve_html(const SliderCurve& curve);

}  // namespace vgsim::studio
