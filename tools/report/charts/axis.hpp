#pragma once

#include <string>
#include <vector>

#include "tools/report/scale.hpp"
#include "tools/report/svg.hpp"

namespace vgsim::report {

/// A labelled position on an axis.
struct Tick {
  double at = 0;  ///< in the drawing
  std::string label;
};

/// Ticks at these values; labels are multiples of `unit`.
[[nodiscard]] std::vector<Tick> ticks_at(const std::vector<double>& values, const Scale& scale,
                                         double unit_size);

/// Values of ticks of a logarithmic axis that includes both, which are finite and above 0: 1, 2 and
/// 5 times powers of ten, or the powers alone over more than three decades.
[[nodiscard]] std::vector<double> log_ticks(double low, double high);

/// Lines from `top` to `bottom` with labels below; the last label has the unit. Labels that
/// would touch the next one are left out.
void draw_x_axis(Svg& svg, std::vector<Tick> ticks, const std::string& unit, double top,
                 double bottom);

/// Lines from `left` to `right` with labels on the left, and the quantity above them.
void draw_y_axis(Svg& svg, const std::vector<Tick>& ticks, const std::string& what, double left,
                 double right);

/// Positions of labels near `wanted` (ascending) at least `pitch` apart, and between `top` and
/// `bottom` if they fit.
[[nodiscard]] std::vector<double> spread_out(std::vector<double> wanted, double pitch, double top,
                                             double bottom);

}  // namespace vgsim::report
