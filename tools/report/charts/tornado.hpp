#pragma once

#include <string>
#include <vector>

#include "tools/report/charts/frame.hpp"

namespace vgsim::report {

/// A time with one input at either end of its interval.
struct TornadoRow {
  std::string name;
  std::string at_low;  ///< the input's lower end, in words
  std::string at_high;
  double low_s = 0;  ///< the time with it
  double high_s = 0;
};

/// Rows of two bars that begin at the time with unchanged inputs.
struct TornadoChart {
  double base_s = 0;
  std::vector<TornadoRow> rows;  ///< largest effect first
  std::string title;
  std::string description;
};

[[nodiscard]] std::string tornado_chart(const TornadoChart& chart, const Frame& frame);

}  // namespace vgsim::report
