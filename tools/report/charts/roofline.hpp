#pragma once

#include <string>
#include <vector>

#include "tools/report/charts/frame.hpp"

namespace vgsim::report {

struct RooflineMark {
  std::string name;
  double intensity = 0;  ///< operations per byte
  double per_s = 0;      ///< operations/s
};

/// Layers below the roofs of a GPU, with logarithmic axes. Marks are numbered from 1.
struct RooflineChart {
  double peak_per_s = 0;
  double bytes_per_s = 0;
  std::vector<RooflineMark> marks;
  std::string title;
  std::string description;
};

[[nodiscard]] std::string roofline_chart(const RooflineChart& chart, const Frame& frame);

}  // namespace vgsim::report
