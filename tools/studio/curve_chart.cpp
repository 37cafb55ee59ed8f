#include "tools/studio/curve_chart.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tools/report/charts/curves.hpp"
#include "tools/report/figures.hpp"
#include "tools/report/html.hpp"
#include "tools/report/text.hpp"
#include "tools/text/figures.hpp"

namespace vgsim::studio {
namespace {

constexpr std::size_t kMostLabels = 10;  ///< on the axis

report::Curves chart_of(const SliderCurve& curve) {
  report::Curves chart;
  report::Curve drawn{curve.label, {}};
  double most = 0;
  for (std::size_t n = 0; n < curve.steps.size(); ++n) {
    if (!curve.seconds[n]) continue;
    most = std::max(most, *curve.seconds[n]);
    report::CurvePoint point;
    point.x = static_cast<double>(n);
    point.y = *curve.seconds[n];
    point.title =
        fmt::format("{}: {}", curve.steps[n], text::time_figure(*curve.seconds[n], std::nullopt));
    if (curve.steps[n] == curve.now) point.label = "now";
    drawn.points.push_back(std::move(point));
  }
  chart.curves.push_back(std::move(drawn));
  const std::size_t every = (curve.steps.size() + kMostLabels - 1) / kMostLabels;
  for (std::size_t n = 0; n < curve.steps.size(); n += every) {
    chart.x_values.push_back(static_cast<double>(n));
    chart.x_labels.push_back(curve.steps[n].substr(0, curve.steps[n].find(' ')));
  }
  const auto last = static_cast<double>(curve.steps.size() - 1);
  if (chart.x_values.back() < last) {
    chart.x_values.push_back(last);
    chart.x_labels.emplace_back();
  }
  const std::string& first = curve.steps.front();
  const std::size_t blank = first.find(' ');
  chart.x_what = curve.label + (blank == first.npos ? "" : " in " + first.substr(blank + 1));
  chart.x_logarithmic = false;
  chart.y_unit = report::time_unit(most);
  chart.y_what = "iteration in " + chart.y_unit.name;
  chart.title = "An iteration by " + curve.label;
  chart.description = "A point for each step of the slider. The table has the numbers.";
  return chart;
}

std::string heading_of(const SliderCurve& curve) {
  const auto faster = [](const auto& a, const auto& b) { return a && (!b || *a < *b); };
  const auto best = std::min_element(curve.seconds.begin(), curve.seconds.end(), faster);
  const auto n = static_cast<std::size_t>(best - curve.seconds.begin());
  return fmt::format("{}: an iteration is shortest with {}, {}", curve.label, curve.steps[n],
                     text::time_figure(**best, std::nullopt));
}

}  // namespace

std::string curve_html(const SliderCurve& curve) {
  const auto run = std::count_if(curve.seconds.begin(), curve.seconds.end(),
                                 [](const auto& each) { return each.has_value(); });
  if (run == 0) {
    return fmt::format("<h2>No step of {} can be run</h2>\n", report::escaped(curve.label));
  }
  report::Table table{{{"step", false}, {"iteration", true}}, {}, report::Narrow::kScrolls};
  for (std::size_t n = 0; n < curve.steps.size(); ++n) {
    table.rows.push_back({curve.steps[n], curve.seconds[n]
                                              ? text::time_figure(*curve.seconds[n], std::nullopt)
                                              : std::string("refused")});
  }
  report::Figure figure =
      report::figure_of("curve-chart", chart_of(curve), &report::curves, std::move(table));
  figure.caption = fmt::format("{} of {} steps run; each was simulated with all else as it is.",
                               run, curve.steps.size());
  return fmt::format("<h2>{}</h2>\n{}", report::typeset(heading_of(curve)),
                     report::figure_html(figure));
}

}  // namespace vgsim::studio
