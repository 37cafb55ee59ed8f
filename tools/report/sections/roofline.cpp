#include "tools/report/charts/roofline.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "tools/report/facts.hpp"
#include "tools/report/figures.hpp"
#include "tools/report/sections/sections.hpp"
#include "tools/text/words.hpp"

namespace vgsim::report {
namespace {

using scenario::LayoutResult;
using training::Roofline;
using training::RooflinePoint;

constexpr std::size_t kMostRooflines = 3;
constexpr std::size_t kMostMarks = 24;

/// Layouts with equal rooflines.
struct SameRoofline {
  const Roofline* roofline;
  std::vector<std::string> layouts;
};

bool is_same(const Roofline& a, const Roofline& b) {
  return a.peak_operations_per_s == b.peak_operations_per_s &&
         a.memory_bytes_per_s == b.memory_bytes_per_s &&
         std::equal(a.points.begin(), a.points.end(), b.points.begin(), b.points.end(),
                    [](const RooflinePoint& x, const RooflinePoint& y) {
                      return x.layers == y.layers && x.operations == y.operations &&
                             x.bytes == y.bytes && x.operations_per_s == y.operations_per_s;
                    });
}

bool can_be_drawn(const Roofline& roofline) {
  return roofline.peak_operations_per_s > 0 && roofline.memory_bytes_per_s > 0 &&
         std::any_of(roofline.points.begin(), roofline.points.end(), [](const auto& point) {
           return point.intensity() > 0 && point.operations_per_s > 0;
         });
}

std::vector<SameRoofline> different(const Report& report) {
  std::vector<SameRoofline> result;
  for (const LayoutResult* layout : by_speed(report)) {
    if (!layout->training || !layout->training->roofline) continue;
    const Roofline& own = *layout->training->roofline;
    if (!can_be_drawn(own)) continue;
    const auto known = std::find_if(result.begin(), result.end(), [&](const SameRoofline& other) {
      return is_same(*other.roofline, own);
    });
    if (known != result.end()) {
      known->layouts.push_back(layout->name);
    } else if (result.size() < kMostRooflines) {
      result.push_back({&own, {layout->name}});
    }
  }
  return result;
}

/// The layers that take the most time first.
std::vector<RooflinePoint> sorted_points(const Roofline& roofline) {
  std::vector<RooflinePoint> points;
  for (const RooflinePoint& point : roofline.points) {
    if (point.intensity() > 0 && point.operations_per_s > 0) points.push_back(point);
  }
  const auto time = [](const RooflinePoint& point) {
    return static_cast<double>(point.count) * point.operations / point.operations_per_s;
  };
  std::stable_sort(points.begin(), points.end(),
                   [&](const auto& a, const auto& b) { return time(a) > time(b); });
  return points;
}

/// The share of the roof at that intensity.
double share_of_roof(const RooflinePoint& point, const Roofline& roofline) {
  const double roof =
      std::min(roofline.peak_operations_per_s, point.intensity() * roofline.memory_bytes_per_s);
  return point.operations_per_s / roof;
}

bool is_limited_by_memory(const RooflinePoint& point, const Roofline& roofline) {
  return point.intensity() * roofline.memory_bytes_per_s < roofline.peak_operations_per_s;
}

Figure figure_of_roofline(const SameRoofline& same, std::size_t n, bool named) {
  const auto points = sorted_points(*same.roofline);
  RooflineChart chart{same.roofline->peak_operations_per_s,
                      same.roofline->memory_bytes_per_s,
                      {},
                      "Layers under the roofs of a GPU",
                      "Operations per second against operations per byte. The table names the "
                      "layers."};
  Table table{{{"layers", false},
               {"how many", true},
               {"FLOP/byte", true},
               {"TFLOP/s", true},
               {"of the roof", true},
               {"which is", false}},
              {},
              Narrow::kStacks};
  for (std::size_t i = 0; i < std::min(kMostMarks, points.size()); ++i) {
    const RooflinePoint& point = points[i];
    chart.marks.push_back({point.layers, point.intensity(), point.operations_per_s});
    table.rows.push_back({fmt::format("{} {}", i + 1, point.layers), std::to_string(point.count),
                          fmt::format("{:.3g}", point.intensity()),
                          fmt::format("{:.1f}", point.operations_per_s / 1e12),
                          text::percent(share_of_roof(point, *same.roofline)),
                          is_limited_by_memory(point, *same.roofline) ? "memory" : "compute"});
  }
  Figure figure =
      figure_of(fmt::format("roofline-chart-{}", n + 1), chart, &roofline_chart, std::move(table));
  if (named) figure.heading = listed(same.layouts);
  figure.caption =
      "Forward passes of one micro-batch, numbered by the time that they take; left of the corner "
      "memory is the limit, right of it computing.";
  return figure;
}

std::string roofline_heading(const Roofline& roofline) {
  double time = 0;
  double by_memory = 0;
  double operations = 0;
  for (const RooflinePoint& point : sorted_points(roofline)) {
    const auto count = static_cast<double>(point.count);
    const double own = count * point.operations / point.operations_per_s;
    time += own;
    operations += count * point.operations;
    if (is_limited_by_memory(point, roofline)) by_memory += own;
  }
  const std::string reached =
      fmt::format("Forward passes reach {} of the GPU's peak",
                  text::percent(operations / time / roofline.peak_operations_per_s));
  if (by_memory == 0) return reached + "; no kind of layer is limited by memory";
  return fmt::format("{}; layers limited by memory take {} of their time", reached,
                     text::percent(by_memory / time));
}

}  // namespace

std::optional<Section> roofline_section(const Report& report) {
  const auto all = different(report);
  if (all.empty()) return std::nullopt;
  std::vector<Figure> figures;
  for (std::size_t n = 0; n < all.size(); ++n) {
    figures.push_back(figure_of_roofline(all[n], n, all.size() > 1));
  }
  return Section{"roofline", "Roofline", roofline_heading(*all.front().roofline),
                 first_open(std::move(figures), "Other layouts")};
}

}  // namespace vgsim::report
