#pragma once

#include <optional>
#include <string>
#include <vector>

namespace vgsim::studio {

/// The time at each step of a slider.
struct SliderCurve {
  std::string label;  ///< of the slider
  std::string now;    ///< the present step, as in `steps`
  std::vector<std::string> steps;
  std::vector<std::optional<double>> seconds;  ///< as many; nothing for steps that do not run
};

/// A chart like the curves of the report, with its table.
[[nodiscard]] std::string curve_html(const SliderCurve& curve);

}  // namespace vgsim::studio
