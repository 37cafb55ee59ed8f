#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "models/scenario/answer/layout_time.hpp"
#include "models/scenario/answer/metrics.hpp"
#include "tools/report/charts/curves.hpp"
#include "tools/report/facts.hpp"
#include "tools/report/figures.hpp"
#include "tools/report/sections/sections.hpp"
#include "tools/text/figures.hpp"
#include "tools/text/verdict.hpp"

namespace vgsim::report {
namespace {

using scenario::BusbwCurve;
using scenario::CollectivePoint;
using scenario::MetricUnit;

constexpr std::size_t kMostLimits = 3;
constexpr double kLooksTheSame = 0.07;  ///< closer limits are drawn as one

/// Layouts with the same curve, drawn as one.
struct SameBandwidth {
  const BusbwCurve* curve;
  std::vector<std::string> layouts;

  [[nodiscard]] std::string name() const { return listed(layouts); }
  [[nodiscard]] std::string quoted() const {
    std::vector<std::string> names;
    for (const std::string& layout : layouts) names.push_back(named(layout));
    return listed(names);
  }
};

bool is_same(const BusbwCurve& a, const BusbwCurve& b) {
  return std::equal(a.collective.points.begin(), a.collective.points.end(),
                    b.collective.points.begin(), b.collective.points.end(),
                    [](const CollectivePoint& x, const CollectivePoint& y) {
                      return x.size == y.size && x.time == y.time;
                    });
}

std::vector<SameBandwidth> different_bandwidths(const Report& report) {
  std::vector<SameBandwidth> result;
  for (const BusbwCurve& curve : report.studies.busbw) {
    if (curve.collective.points.empty()) continue;
    const auto known = std::find_if(result.begin(), result.end(), [&](const SameBandwidth& other) {
      return is_same(*other.curve, curve);
    });
    if (known == result.end()) {
      result.push_back({&curve, {curve.layout}});
    } else {
      known->layouts.push_back(curve.layout);
    }
  }
  return result;
}

double bytes_of(const CollectivePoint& point) { return static_cast<double>(point.size.count()); }

Curve curve_of(const SameBandwidth& same, bool band) {
  Curve curve;
  curve.name = same.name();
  for (const CollectivePoint& point : same.curve->collective.points) {
    CurvePoint drawn{bytes_of(point), point.busbw_GBps * 1e9, {}, {}, "", ""};
    drawn.title =
        fmt::format("{}: {} in {}", size_label(drawn.x),
                    text::figure(point.busbw_GBps, MetricUnit::kGBps, text::point_known(point)),
                    text::time_figure(to_seconds(point.time), text::point_known(point)));
    if (band && point.low > SimTime{0} && point.high > SimTime{0}) {
      // The upper end of the time is the lower end of the bandwidth.
      const double time = to_seconds(point.time);
      drawn.low = drawn.y * time / to_seconds(point.high);
      drawn.high = drawn.y * time / to_seconds(point.low);
    }
    curve.points.push_back(std::move(drawn));
  }
  return curve;
}

std::vector<Reference> limits_of(const std::vector<SameBandwidth>& all, double low, double high) {
  std::vector<Reference> limits;
  for (const SameBandwidth& same : all) {
    const auto limit = scenario::limit_GBps(*same.curve);
    if (!limit || limits.size() == kMostLimits) continue;
    const auto level = *limit * 1e9;
    const bool known = std::any_of(limits.begin(), limits.end(), [&](const Reference& other) {
      return std::abs(other.points.front().y / level - 1) < kLooksTheSame;
    });
    if (known) continue;
    const std::string allowed = scenario::in_words(*limit, MetricUnit::kGBps);
    const scenario::LinkUse& link = *same.curve->limit;
    limits.push_back({fmt::format("{} ({}) allows {}", link.resource, link.kind, allowed),
                      fmt::format("{}: {}", kind_words(link.kind), allowed),
                      {{low, level, {}, {}, "", ""}, {high, level, {}, {}, "", ""}}});
  }
  return limits;
}

Curves bandwidth_chart(const std::vector<SameBandwidth>& all) {
  Curves chart;
  double low = bytes_of(all.front().curve->collective.points.front());
  double high = low;
  for (const SameBandwidth& same : all) {
    chart.curves.push_back(curve_of(same, chart.curves.empty()));
    for (const CollectivePoint& point : same.curve->collective.points) {
      low = std::min(low, bytes_of(point));
      high = std::max(high, bytes_of(point));
    }
  }
  for (double size = low; size < high * 1.001; size *= 2) {
    chart.x_values.push_back(size);
    const bool labelled = chart.x_values.size() % 3 == 1;
    chart.x_labels.push_back(labelled ? size_label(size) : "");
  }
  if (chart.x_values.back() < high || chart.x_values.size() == 1) {
    chart.x_values.push_back(chart.x_values.size() == 1 ? 2 * low : high);
    chart.x_labels.emplace_back();
  }
  chart.references = limits_of(all, low, chart.x_values.back());
  chart.x_what = "message size";
  chart.y_unit = {"GB/s", 1e9};
  chart.y_what = "bus bandwidth, GB/s";
  chart.title = "Bus bandwidth by message size";
  chart.description = "A curve for each layout that differs. The table has the numbers.";
  return chart;
}

Table bandwidth_table(const std::vector<SameBandwidth>& all) {
  Table table;
  table.columns.push_back({"message size", false});
  for (const SameBandwidth& same : all) {
    table.columns.push_back({same.name() + ": time", true});
    table.columns.push_back({"busbw", true});
  }
  for (const CollectivePoint& point : all.front().curve->collective.points) {
    auto& row = table.rows.emplace_back();
    row.push_back(size_label(bytes_of(point)));
    for (const SameBandwidth& same : all) {
      const auto& points = same.curve->collective.points;
      const auto own = std::find_if(points.begin(), points.end(),
                                    [&](const auto& each) { return each.size == point.size; });
      const bool missing = own == points.end();
      const text::Known known = missing ? std::nullopt : text::point_known(*own);
      row.push_back(missing ? "-" : text::time_figure(to_seconds(own->time), known));
      row.push_back(missing ? "-" : text::figure(own->busbw_GBps, MetricUnit::kGBps, known));
    }
  }
  return table;
}

std::string bandwidth_heading(const BusbwCurve& curve, const std::string& name) {
  const CollectivePoint& point = scenario::largest_point(curve.collective);
  std::string heading =
      fmt::format("{} at {} with {}",
                  text::figure(point.busbw_GBps, MetricUnit::kGBps, text::point_known(point)),
                  size_label(bytes_of(point)), name);
  if (const auto limit = scenario::limit_GBps(curve)) {
    heading += fmt::format(": {} of what {} allows", text::whole_percent(point.busbw_GBps / *limit),
                           curve.limit->resource);
  }
  return heading;
}

std::vector<std::string> left_out(const Report& report) {
  std::vector<std::string> words;
  for (const BusbwCurve& curve : report.studies.busbw) {
    if (!curve.left_out.empty()) {
      words.push_back(fmt::format("{}: not drawn, as {}.", curve.layout, curve.left_out));
    }
  }
  return words;
}

}  // namespace

std::optional<Section> bandwidth_section(const Report& report) {
  auto all = different_bandwidths(report);
  const auto missing = left_out(report);
  if (all.empty() && missing.empty()) return std::nullopt;
  Section section{"bandwidth", "Bandwidth", "No collective was run by itself", {}};
  if (!all.empty()) {
    std::stable_sort(all.begin(), all.end(), [](const SameBandwidth& a, const SameBandwidth& b) {
      return scenario::largest_point(a.curve->collective).busbw_GBps >
             scenario::largest_point(b.curve->collective).busbw_GBps;
    });
    section.heading = bandwidth_heading(*all.front().curve, all.front().quoted());
    Figure figure =
        figure_of("bandwidth-chart", bandwidth_chart(all), &curves, bandwidth_table(all));
    for (std::size_t i = 0; i < all.size() && all.size() > 1; ++i) {
      figure.keys.push_back({curve_look(i) + " chip", fmt::format("{} {}", i + 1, all[i].name())});
    }
    figure.keys_on_narrow = true;
    figure.caption = fmt::format(
        "{} among the GPUs of the job, alone. Bus bandwidth is the rate on each GPU's links "
        "for any number of GPUs, as in nccl-tests. The shaded band is the 90 % "
        "interval{}.",
        all.front().curve->collective.collective, all.size() > 1 ? " of the best curve" : "");
    section.blocks.emplace_back(std::move(figure));
  }
  if (!missing.empty()) section.blocks.emplace_back(List{missing});
  return section;
}

}  // namespace vgsim::report
