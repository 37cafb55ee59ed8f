#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tools/report/charts/axis.hpp"
#include "tools/report/charts/frame.hpp"
#include "tools/report/scale.hpp"

namespace vgsim::report {

struct CurvePoint {
  double x = 0;
  double y = 0;
  std::optional<double> low;  ///< interval of y; both or none
  std::optional<double> high;
  std::string label;    ///< above it; may be empty
  std::string title;    ///< tooltip
  bool marked = false;  ///< drawn larger; its label comes first
};

struct Curve {
  std::string name;
  std::vector<CurvePoint> points;  ///< by x
};

/// An upper bound of the curves, or a line for comparison.
struct Reference {
  std::string words;
  std::string short_words;  ///< on narrow pages
  std::vector<CurvePoint> points;
};

/// Curves over a common axis. Each is labelled at its end by its name on wide pages, by its
/// number on narrow ones; curve_look() returns its colour.
struct Curves {
  std::vector<Curve> curves;
  std::vector<Reference> references;
  std::vector<double> x_values;       ///< of the ticks
  std::vector<std::string> x_labels;  ///< as many
  std::string x_what;                 ///< "message size"
  bool x_logarithmic = true;
  bool y_logarithmic = false;
  AxisUnit y_unit;
  std::string y_what;  ///< "bus bandwidth in GB/s"
  std::string title;
  std::string description;
};

[[nodiscard]] std::string curves(const Curves& chart, const Frame& frame);

/// Classes of the n-th curve's colour.
[[nodiscard]] std::string curve_look(std::size_t n);

}  // namespace vgsim::report
