#include "tools/studio/curve_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string_view>

#include "tools/report/charts/curves.hpp"
#include "tools/report/figures.hpp"
#include "tools/report/html.hpp"
#include "tools/report/text.hpp"
#include "tools/text/figures.hpp"
#include "topology/input/units/unit_strings.hpp"

// Steps with numbers are at their values on the axis, whose ticks are round values; others are
// evenly spaced. An axis is logarithmic if it spans more than a decade.

namespace vgsim::studio {
namespace {

using scenario::Metric;
using scenario::MetricUnit;

constexpr std::size_t kMostLabels = 10;  ///< on the axis
constexpr std::size_t kMostFigures = 8;
constexpr double kDecade = 10;

/// The value of a step: "25 Gbit/s" in bytes per second, "64" as 64.
std::optional<double> value_of(const std::string& step) {
  if (const auto rate = input::parse_bytes_per_second(step)) {
    return static_cast<double>(rate->count());
  }
  if (const auto bytes = input::parse_bytes(step)) return static_cast<double>(bytes->count());
  char* end = nullptr;
  const double number = std::strtod(step.c_str(), &end);
  if (end == step.c_str() || *end != '\0' || !std::isfinite(number)) return std::nullopt;
  return number;
}

/// Positions on the axis, ascending.
struct Places {
  std::vector<double> at;
  bool are_values = true;  ///< else the index of each step
};

Places places_of(const std::vector<std::string>& steps) {
  Places places;
  for (const std::string& step : steps) {
    const auto value = value_of(step);
    if (!value || (!places.at.empty() && *value <= places.at.back())) break;
    places.at.push_back(*value);
  }
  if (places.at.size() == steps.size()) return places;
  places = {{}, false};
  for (std::size_t n = 0; n < steps.size(); ++n) places.at.push_back(static_cast<double>(n));
  return places;
}

/// One figure at each step.
struct FigureCurve {
  const SliderCurve& curve;
  Metric figure;
  std::vector<std::optional<Metric>> values;
  std::size_t best = 0;  ///< index of the best step

  [[nodiscard]] double value(std::size_t n) const { return values[n]->value; }
  [[nodiscard]] std::string words(std::size_t n) const {
    return scenario::in_words(value(n), figure.unit);
  }
  /// "1.2 to 1.4 ms"; empty without an interval.
  [[nodiscard]] std::string interval(std::size_t n) const {
    return values[n]->low ? text::range_figure(*values[n]) : std::string();
  }
};

/// Times have their own interval, or that of the iteration in proportion; rates of samples have
/// it the other way round.
Metric with_interval(Metric figure, const std::vector<Metric>& all) {
  if (auto interval = text::interval_of(figure, all)) {
    figure.low = interval->low_s;
    figure.high = interval->high_s;
  }
  const auto time = std::ranges::find(all, "iteration_time_s", &Metric::name);
  if (figure.unit != MetricUnit::kPerSecond || time == all.end() || !time->low) return figure;
  figure.low = figure.value * time->value / *time->high;
  figure.high = figure.value * time->value / *time->low;
  return figure;
}

std::optional<FigureCurve> curve_of(const SliderCurve& curve, const Metric& figure) {
  FigureCurve drawn{curve, figure, {}, curve.steps.size()};
  for (std::size_t n = 0; n < curve.steps.size(); ++n) {
    const auto& figures = curve.figures[n];
    const auto found = std::ranges::find(figures, figure.name, &Metric::name);
    auto& value = drawn.values.emplace_back();
    if (found == figures.end()) continue;
    value = with_interval(*found, figures);
    const bool higher = figure.better == scenario::Better::kHigher;
    const bool is_better =
        drawn.best == curve.steps.size() ||
        (higher ? value->value > drawn.value(drawn.best) : value->value < drawn.value(drawn.best));
    if (is_better) drawn.best = n;
  }
  return drawn.best == curve.steps.size() ? std::nullopt : std::optional(std::move(drawn));
}

/// Steps without values, at equal distances.
void add_steps(const std::vector<std::string>& steps, const Places& places, report::Curves& chart) {
  const std::size_t every = (steps.size() + kMostLabels - 1) / kMostLabels;
  for (std::size_t n = 0; n < steps.size(); n += every) {
    chart.x_values.push_back(places.at[n]);
    chart.x_labels.push_back(steps[n]);
  }
  if (chart.x_values.back() < places.at.back()) {
    chart.x_values.push_back(places.at.back());
    chart.x_labels.emplace_back();
  }
  chart.x_logarithmic = false;
}

/// Round values in the unit of the largest step: "500 Mbit/s" is 0.5 on an axis in Gbit/s.
void add_values(const std::vector<std::string>& steps, const Places& places,
                report::Curves& chart) {
  const std::size_t blank = steps.back().find(' ');
  const std::string unit = blank == std::string::npos ? "" : steps.back().substr(blank + 1);
  const double size = unit.empty() ? 1 : value_of("1 " + unit).value_or(1);
  const double low = places.at.front() / size;
  const double high = places.at.back() / size;
  chart.x_logarithmic = low > 0 && high > kDecade * low;
  const auto labels = std::clamp(high - low, 1.0, static_cast<double>(kMostLabels));
  for (const double value : chart.x_logarithmic
                                ? report::log_ticks(low, high)
                                : report::nice_ticks(low, high, static_cast<std::size_t>(labels))) {
    chart.x_values.push_back(value * size);
    chart.x_labels.push_back(report::tick_label(value));
  }
  if (!unit.empty()) chart.x_what += " in " + unit;
}

report::Curves chart_of(const FigureCurve& drawn) {
  report::Curves chart;
  report::Curve line{drawn.curve.label, {}};
  const Places places = places_of(drawn.curve.steps);
  double most = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t n = 0; n < places.at.size(); ++n) {
    if (!drawn.values[n]) continue;
    most = std::max(most, drawn.values[n]->high.value_or(drawn.value(n)));
    least = std::min(least, drawn.values[n]->low.value_or(drawn.value(n)));
    report::CurvePoint point;
    point.x = places.at[n];
    point.y = drawn.value(n);
    point.low = drawn.values[n]->low;
    point.high = drawn.values[n]->high;
    point.title = fmt::format("{}: {}", drawn.curve.steps[n], drawn.words(n));
    if (point.low) point.title += ", 90 % interval " + drawn.interval(n);
    const bool is_now = drawn.curve.steps[n] == drawn.curve.now;
    if (is_now) point.label = "now";
    if (n == drawn.best) point.label = is_now ? "now, best" : "best";
    point.marked = n == drawn.best;
    line.points.push_back(std::move(point));
  }
  chart.curves.push_back(std::move(line));
  chart.x_what = drawn.curve.label;
  if (places.are_values) {
    add_values(drawn.curve.steps, places, chart);
  } else {
    add_steps(drawn.curve.steps, places, chart);
  }
  chart.y_logarithmic = least > 0 && most > kDecade * least;
  const bool is_time = drawn.figure.unit == MetricUnit::kSeconds;
  chart.y_unit = is_time ? report::time_unit(most) : report::AxisUnit{"", 1};
  chart.y_what = drawn.figure.label + (is_time ? " in " + chart.y_unit.name : "");
  chart.title = fmt::format("{} by {}", drawn.figure.label, drawn.curve.label);
  chart.description = "A point for each step of the slider. The table has the numbers.";
  return chart;
}

report::Table table_of(const FigureCurve& drawn, bool has_intervals) {
  report::Table table{{{"step", false}, {drawn.figure.label, true}}, {}, report::Narrow::kScrolls};
  if (has_intervals) table.columns.push_back({"90 % interval", true});
  for (std::size_t n = 0; n < drawn.curve.steps.size(); ++n) {
    auto& row = table.rows.emplace_back();
    row = {drawn.curve.steps[n], drawn.values[n] ? drawn.words(n) : std::string("refused")};
    if (has_intervals) row.push_back(drawn.values[n] ? drawn.interval(n) : std::string());
  }
  return table;
}

std::string html_of(const FigureCurve& drawn) {
  const bool has_intervals =
      std::ranges::any_of(drawn.values, [](const auto& v) { return v && v->low; });
  report::Figure figure = report::figure_of("curve-chart", chart_of(drawn), &report::curves,
                                            table_of(drawn, has_intervals));
  const auto run = std::ranges::count_if(drawn.values, [](const auto& v) { return v.has_value(); });
  figure.caption = fmt::format("{} of {} steps run; each was simulated with all else as it is.",
                               run, drawn.curve.steps.size());
  if (has_intervals) {
    figure.caption += " The band is the 90 % interval.";
  }
  const bool higher = drawn.figure.better == scenario::Better::kHigher;
  const std::string heading = fmt::format("{}: {} is {} with {}, {}", drawn.curve.label,
                                          drawn.figure.label, higher ? "highest" : "lowest",
                                          drawn.curve.steps[drawn.best], drawn.words(drawn.best));
  return fmt::format("<h2>{}</h2>\n{}", report::typeset(heading), report::figure_html(figure));
}

/// Figures of one training come first, as an iteration is not the same work at each step.
std::size_t rank_of(const Metric& figure) {
  constexpr std::array<std::string_view, 4> kFirst{"epoch_time_s", "training_time_s",
                                                   "iteration_time_s", "samples_per_s"};
  return static_cast<std::size_t>(std::ranges::find(kFirst, figure.name) - kFirst.begin());
}

}  // namespace

std::vector<std::pair<Metric, std::string>> curve_html(const SliderCurve& curve) {
  std::vector<Metric> figures;
  for (const auto& each : curve.figures) {
    if (each.empty()) continue;
    figures = each;
    break;
  }
  std::erase_if(figures, [](const Metric& each) {
    return each.better == scenario::Better::kNeither || !(each.value > 0);
  });
  std::ranges::stable_sort(figures, {}, rank_of);
  if (figures.size() > kMostFigures) figures.resize(kMostFigures);
  std::vector<std::pair<Metric, std::string>> all;
  for (const Metric& figure : figures) {
    if (const auto drawn = curve_of(curve, figure)) all.emplace_back(figure, html_of(*drawn));
  }
  return all;
}

}  // namespace vgsim::studio
