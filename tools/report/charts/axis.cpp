#include "tools/report/charts/axis.hpp"

#include <algorithm>

#include "tools/report/charts/frame.hpp"
#include "tools/report/text.hpp"

namespace vgsim::report {
namespace {

constexpr double kLabelDrop = 16;  ///< from the axis to the base line of its labels
constexpr double kBetweenLabels = 8;

/// The left end of a label under a tick, kept within the drawing.
double label_begin(const Tick& tick, double width) {
  const double size = text_width(tick.label, kTextSize);
  return std::clamp(tick.at - size / 2, 0.0, std::max(width - size, 0.0));
}

}  // namespace

std::vector<Tick> ticks_at(const std::vector<double>& values, const Scale& scale,
                           double unit_size) {
  std::vector<Tick> ticks;
  for (const double value : values) {
    ticks.push_back({scale(value * unit_size), tick_label(value)});
  }
  return ticks;
}

std::vector<double> log_ticks(double low, double high) {
  constexpr double kFewDecades = 1000;
  constexpr double kRounding = 1e-9;
  const std::vector<double> decades = decade_ticks(low, high);
  if (high > kFewDecades * low) return decades;
  std::vector<double> ticks;
  for (const double decade : decades) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double tick = decade * factor;
      if (!ticks.empty() && tick <= low * (1 + kRounding)) ticks.clear();
      ticks.push_back(tick);
      if (ticks.size() > 1 && tick >= high * (1 - kRounding)) return ticks;
    }
  }
  return ticks;
}

void draw_x_axis(Svg& svg, std::vector<Tick> ticks, const std::string& unit, double top,
                 double bottom) {
  for (const Tick& tick : ticks) svg.line({tick.at, top}, {tick.at, bottom}, {"grid"});
  if (ticks.empty()) return;
  if (!unit.empty()) ticks.back().label += " " + unit;
  double free_until = svg.width() + kBetweenLabels;
  for (auto tick = ticks.rbegin(); tick != ticks.rend(); ++tick) {
    if (tick->label.empty()) continue;
    const double begin = label_begin(*tick, svg.width());
    if (begin + text_width(tick->label, kTextSize) + kBetweenLabels > free_until) continue;
    svg.text({begin, bottom + kLabelDrop}, tick->label);
    free_until = begin;
  }
}

void draw_y_axis(Svg& svg, const std::vector<Tick>& ticks, const std::string& what, double left,
                 double right) {
  double top = ticks.empty() ? 0.0 : ticks.front().at;
  for (const Tick& tick : ticks) {
    svg.line({left, tick.at}, {right, tick.at}, {"grid"});
    svg.text({left - 6, tick.at + 4}, tick.label, {}, Anchor::kEnd);
    top = std::min(top, tick.at);
  }
  svg.text({0, top - 14}, what);
}

std::vector<double> spread_out(std::vector<double> wanted, double pitch, double top,
                               double bottom) {
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    wanted[i] = std::max(wanted[i], i == 0 ? top : wanted[i - 1] + pitch);
  }
  double free_until = bottom;
  for (std::size_t i = wanted.size(); i-- > 0;) {
    wanted[i] = std::min(wanted[i], free_until);
    free_until = wanted[i] - pitch;
  }
  return wanted;
}

}  // namespace vgsim::report
