#include <fmt/core.h>

#include <algorithm>

#include "models/scenario/answer/metrics.hpp"
#include "tools/report/charts/curves.hpp"
#include "tools/report/facts.hpp"
#include "tools/report/figures.hpp"
#include "tools/report/sections/sections.hpp"
#include "tools/text/words.hpp"

namespace vgsim::report {
namespace {

using scenario::MetricUnit;
using scenario::ScalingCurve;
using scenario::ScalingPoint;

constexpr std::size_t kMostPlainMachines = 8;  ///< for more, the axes are logarithmic

struct SameScaling {
  const ScalingCurve* curve;
  std::vector<std::string> layouts;
};

bool is_same(const ScalingCurve& a, const ScalingCurve& b) {
  return std::equal(a.points.begin(), a.points.end(), b.points.begin(), b.points.end(),
                    [](const ScalingPoint& x, const ScalingPoint& y) {
                      return x.machines == y.machines && x.samples_per_s == y.samples_per_s;
                    });
}

/// Curves of at least two points, the fastest first.
std::vector<SameScaling> different_scalings(const Report& report) {
  std::vector<SameScaling> result;
  for (const ScalingCurve& curve : report.studies.scaling) {
    if (curve.points.size() < 2) continue;
    const auto known = std::find_if(result.begin(), result.end(), [&](const SameScaling& other) {
      return is_same(*other.curve, curve);
    });
    if (known == result.end()) {
      result.push_back({&curve, {curve.layout}});
    } else {
      known->layouts.push_back(curve.layout);
    }
  }
  std::stable_sort(result.begin(), result.end(), [](const SameScaling& a, const SameScaling& b) {
    return a.curve->points.back().samples_per_s > b.curve->points.back().samples_per_s;
  });
  return result;
}

Curve curve_of(const SameScaling& same) {
  Curve curve;
  curve.name = listed(same.layouts);
  for (const ScalingPoint& point : same.curve->points) {
    CurvePoint drawn{static_cast<double>(point.machines), point.samples_per_s, {}, {}, "", ""};
    drawn.title = fmt::format("{}: {}, {} of linear",
                              text::plural(point.machines, same.curve->machine.c_str()),
                              scenario::in_words(point.samples_per_s, MetricUnit::kPerSecond),
                              text::percent(point.efficiency));
    curve.points.push_back(std::move(drawn));
  }
  return curve;
}

Reference linear(const ScalingCurve& curve) {
  Reference reference{"linear", "linear", {}};
  const ScalingPoint& first = curve.points.front();
  for (const ScalingPoint* point : {&curve.points.front(), &curve.points.back()}) {
    const double ideal =
        first.samples_per_s * static_cast<double>(point->ranks) / static_cast<double>(first.ranks);
    reference.points.push_back({static_cast<double>(point->machines), ideal, {}, {}, "", ""});
  }
  return reference;
}

Curves scaling_chart(const std::vector<SameScaling>& all) {
  Curves chart;
  std::vector<std::size_t> counts;
  for (const SameScaling& same : all) {
    chart.curves.push_back(curve_of(same));
    for (const ScalingPoint& point : same.curve->points) counts.push_back(point.machines);
  }
  std::sort(counts.begin(), counts.end());
  counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
  for (const std::size_t count : counts) {
    chart.x_values.push_back(static_cast<double>(count));
    chart.x_labels.push_back(std::to_string(count));
  }
  for (std::size_t i = 0; all.size() == 1 && i < all.front().curve->points.size(); ++i) {
    const double efficiency = all.front().curve->points[i].efficiency;
    if (i > 0) chart.curves.front().points[i].label = fmt::format("{:.0f} %", efficiency * 100);
  }
  chart.references.push_back(linear(*all.front().curve));
  chart.x_logarithmic = counts.back() > kMostPlainMachines;
  chart.y_logarithmic = chart.x_logarithmic;
  chart.x_what = all.front().curve->machine + "s";
  chart.y_unit = {"samples/s", 1};
  chart.y_what = "samples/s";
  chart.title = "Samples per second by number of machines";
  chart.description = "A curve for each layout that differs. The table has the numbers.";
  return chart;
}

Table scaling_table(const std::vector<SameScaling>& all) {
  Table table;
  table.columns.push_back({all.front().curve->machine + "s", false});
  table.columns.push_back({"GPUs", true});
  std::vector<ScalingPoint> sizes;
  for (const SameScaling& same : all) {
    table.columns.push_back({listed(same.layouts) + ": samples/s", true});
    table.columns.push_back({"of linear", true});
    for (const ScalingPoint& point : same.curve->points) sizes.push_back(point);
  }
  std::sort(sizes.begin(), sizes.end(),
            [](const auto& a, const auto& b) { return a.machines < b.machines; });
  sizes.erase(std::unique(sizes.begin(), sizes.end(),
                          [](const auto& a, const auto& b) { return a.machines == b.machines; }),
              sizes.end());
  for (const ScalingPoint& size : sizes) {
    auto& row = table.rows.emplace_back();
    row = {std::to_string(size.machines), std::to_string(size.ranks)};
    for (const SameScaling& same : all) {
      const auto& points = same.curve->points;
      const auto own = std::find_if(points.begin(), points.end(), [&](const auto& each) {
        return each.machines == size.machines;
      });
      const bool missing = own == points.end();
      row.push_back(missing ? "-" : fmt::format("{:.4g}", own->samples_per_s));
      row.push_back(missing ? "-" : text::percent(own->efficiency));
    }
  }
  return table;
}

std::string scaling_heading(const SameScaling& same) {
  const ScalingPoint& first = same.curve->points.front();
  const ScalingPoint& last = same.curve->points.back();
  const char* const machine = same.curve->machine.c_str();
  return fmt::format(
      "On {} a GPU does {} of what it does on {}, with {}", text::plural(last.machines, machine),
      text::percent(last.efficiency),
      first.machines == 1 ? std::string("one") : text::plural(first.machines, machine),
      named(listed(same.layouts)));
}

}  // namespace

std::optional<Section> scaling_section(const Report& report) {
  if (report.studies.scaling.empty()) return std::nullopt;
  const auto all = different_scalings(report);
  Section section{"scaling", "Scaling", "No scaling curve", {}};
  if (all.empty()) {
    std::vector<std::string> reasons;
    for (const ScalingCurve& curve : report.studies.scaling) {
      reasons.push_back(fmt::format(
          "{}: {}.", curve.layout,
          curve.left_out.empty() ? "the job runs on one number of machines only" : curve.left_out));
    }
    section.blocks.emplace_back(List{reasons});
    return section;
  }
  section.heading = scaling_heading(all.front());
  Figure figure = figure_of("scaling-chart", scaling_chart(all), &curves, scaling_table(all));
  for (std::size_t i = 0; i < all.size() && all.size() > 1; ++i) {
    figure.keys.push_back(
        {curve_look(i) + " chip", fmt::format("{} {}", i + 1, listed(all[i].layouts))});
  }
  figure.keys_on_narrow = true;
  figure.caption = fmt::format(
      "The job on the first of its {}s, each GPU with the same work unless the job fixes its "
      "global "
      "batch. The dashed line is ideal scaling from the first point.",
      all.front().curve->machine);
  section.blocks.emplace_back(std::move(figure));
  return section;
}

}  // namespace vgsim::report
