#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/report/charts/frame.hpp"
#include "tools/report/scale.hpp"

namespace vgsim::report {

struct BarPart {
  std::string look;  ///< class of style.cpp
  double value = 0;
  std::string label;  ///< written on it if it fits
  std::string title;  ///< tooltip
};

struct StackedBar {
  std::string name;
  std::vector<BarPart> parts;
  std::string total;          ///< in words
  std::optional<double> low;  ///< interval of the total; both or none
  std::optional<double> high;
  std::optional<double> limit;  ///< upper limit of the total
};

/// Bars below each other on an axis that begins at 0.
struct StackedBars {
  std::vector<StackedBar> bars;
  AxisUnit unit;
  std::string title;
  std::string description;
};

[[nodiscard]] std::string stacked_bars(const StackedBars& chart, const Frame& frame);

}  // namespace vgsim::report
