#pragma once

#include <string>
#include <utility>
#include <vector>

#include "models/scenario/answer/metrics.hpp"

namespace vgsim::studio {

/// The figures at each step of a slider.
struct SliderCurve {
  std::string label;  ///< of the slider
  std::string now;    ///< the present step, as in `steps`
  std::vector<std::string> steps;
  std::vector<std::vector<scenario::Metric>> figures;  ///< as many; none for steps that do not run
};

/// A chart like the curves of the report, with its table, for each figure that a smaller or a
/// larger value makes better. Times of a whole epoch come first, as the work of an iteration may
/// differ between steps.
[[nodiscard]] std::vector<std::pair<scenario::Metric, std::string>> curve_html(
    const SliderCurve& curve);

}  // namespace vgsim::studio
