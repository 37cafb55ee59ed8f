#pragma once

#include <string>
#include <vector>

#include "tools/report/scale.hpp"
#include "tools/report/svg.hpp"

namespace vgsim::report {

/// A place on an axis with what stands there.
struct Tick {
  double at = 0;  ///< in the drawing
  std::string label;
};

/// Ticks at these values, which are counted in units of that size.
[[nodiscard]] std::vector<Tick> ticks_at(const std::vector<double>& values, const Scale& scale,
                                         double unit_size);

/// Lines from `top` to `bottom` with labels under them; the last label carries the unit. A label
/// that would touch the one after it is left out.
void draw_x_axis(Svg& svg, std::vector<Tick> ticks, const std::string& unit, double top,
                 double bottom);

/// Lines from `left` to `right` with labels left of them, and what is counted above them.
void draw_y_axis(Svg& svg, const std::vector<Tick>& ticks, const std::string& what, double left,
                 double right);

/// Places for labels that want to be at `wanted`, ascending, moved apart until each has `pitch`,
/// and kept between `top` and `bottom` as far as there is room.
[[nodiscard]] std::vector<double> spread_out(std::vector<double> wanted, double pitch, double top,
                                             double bottom);

}  // namespace vgsim::report
