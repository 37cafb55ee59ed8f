#include "tools/report/charts/curves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tools/report/svg.hpp"
#include "tools/report/text.hpp"

namespace vgsim::report {
namespace {

constexpr std::size_t kCurveColours = 6;
constexpr double kCurvesTop = 34;
constexpr double kCurvesAxis = 42;

struct Range {
  double low = 0;
  double high = 0;
};

Range y_range(const Curves& chart) {
  Range range{INFINITY, 0};
  const auto include = [&](const CurvePoint& point) {
    range.low = std::min(range.low, point.low.value_or(point.y));
    range.high = std::max(range.high, point.high.value_or(point.y));
  };
  for (const Curve& curve : chart.curves) {
    std::for_each(curve.points.begin(), curve.points.end(), include);
  }
  for (const Reference& reference : chart.references) {
    std::for_each(reference.points.begin(), reference.points.end(), include);
  }
  return range;
}

class CurvesPainter {
 public:
  CurvesPainter(const Curves& chart, const Frame& frame)
      : chart_(chart),
        frame_(frame),
        svg_(frame.width),
        bottom_(kCurvesTop + (frame.narrow ? 230 : 300)) {
    const Range y = y_range(chart);
    y_values_ = chart.y_logarithmic
                    ? log_ticks(y.low / chart.y_unit.size, y.high / chart.y_unit.size)
                    : nice_ticks(0, y.high / chart.y_unit.size, 5);
    double labels = 0;
    for (const double value : y_values_) {
      labels = std::max(labels, text_width(tick_label(value), kTextSize));
    }
    left_ = labels + 8;
    right_ = frame.width - end_label_width();
    x_ = {chart.x_values.front(), chart.x_values.back(), left_ + 4, right_ - 10,
          chart.x_logarithmic};
    y_ = {y_values_.front() * chart.y_unit.size, y_values_.back() * chart.y_unit.size, bottom_,
          kCurvesTop, chart.y_logarithmic};
  }

  std::string paint() {
    draw_y_axis(svg_, ticks_at(y_values_, y_, chart_.y_unit.size), chart_.y_what, left_, right_);
    std::vector<Tick> ticks;
    for (std::size_t i = 0; i < chart_.x_values.size(); ++i) {
      ticks.push_back({x_(chart_.x_values[i]), chart_.x_labels[i]});
    }
    draw_x_axis(svg_, ticks, "", bottom_, bottom_ + 4);
    svg_.line({left_, bottom_}, {right_, bottom_}, {"axis"});
    svg_.text({right_, bottom_ + 36}, chart_.x_what, {}, Anchor::kEnd);
    for (std::size_t i = 0; i < chart_.curves.size(); ++i) band(i);
    draw_references();
    for (std::size_t i = 0; i < chart_.curves.size(); ++i) draw(i);
    end_labels();
    return svg_.finish(bottom_ + kCurvesAxis, frame_.look(), chart_.title, chart_.description);
  }

 private:
  double end_label_width() const {
    if (chart_.curves.size() < 2) return 16;
    if (frame_.narrow) return 26;
    double widest = 0;
    for (const Curve& curve : chart_.curves) {
      widest = std::max(widest, text_width(curve.name, kNameSize));
    }
    return std::min(widest, 190.0) + 24;
  }

  Point place(const CurvePoint& point) const { return {x_(point.x), y_(point.y)}; }

  std::vector<Point> places(const std::vector<CurvePoint>& points) const {
    std::vector<Point> result;
    for (const CurvePoint& point : points) result.push_back(place(point));
    return result;
  }

  void band(std::size_t i) {
    std::vector<Point> edge;
    const auto& points = chart_.curves[i].points;
    for (const CurvePoint& point : points) {
      if (point.high) edge.push_back({x_(point.x), y_(*point.high)});
    }
    for (auto point = points.rbegin(); point != points.rend(); ++point) {
      if (point->low) edge.push_back({x_(point->x), y_(*point->low)});
    }
    if (edge.size() >= 3) svg_.polygon(edge, {curve_look(i) + " band"});
  }

  const std::string& words_of(const Reference& reference) const {
    return frame_.narrow ? reference.short_words : reference.words;
  }

  /// The label of a level is above its begin, that of a rising line above its end.
  void draw_references() {
    std::vector<const Reference*> levels;
    for (const Reference& reference : chart_.references) {
      svg_.polyline(places(reference.points), {"limit"});
      const Point end = place(reference.points.back());
      if (reference.points.front().y == reference.points.back().y) {
        levels.push_back(&reference);
      } else {
        svg_.text({end.x - 10, end.y - 8}, words_of(reference), {"halo"}, Anchor::kEnd);
      }
    }
    std::stable_sort(levels.begin(), levels.end(), [](const Reference* a, const Reference* b) {
      return a->points.front().y > b->points.front().y;
    });
    std::vector<double> wanted;
    for (const Reference* level : levels) wanted.push_back(place(level->points.front()).y - 6);
    const auto at = spread_out(wanted, 15, kCurvesTop - 6, bottom_);
    for (std::size_t n = 0; n < levels.size(); ++n) {
      svg_.text({left_ + 6, at[n]}, shortened(words_of(*levels[n]), kTextSize, right_ - left_ - 20),
                {"halo"});
    }
  }

  void draw(std::size_t i) {
    const Curve& curve = chart_.curves[i];
    const std::string look = curve_look(i);
    svg_.polyline(places(curve.points), {fmt::format("{} curve dash{}", look, i / kCurveColours)});
    for (const CurvePoint& point : curve.points) {
      svg_.circle(place(point), point.marked ? 5 : 2.6, {look + " dot", point.title});
    }
    std::vector<std::pair<double, double>> taken;  // from left to right ends
    for (const bool marked : {true, false}) {
      for (const CurvePoint& point : curve.points) {
        if (point.label.empty() || point.marked != marked) continue;
        const double half = text_width(point.label, kTextSize) / 2;
        const double middle = std::clamp(x_(point.x), left_ + half, frame_.width - half);
        const bool overlaps = std::any_of(taken.begin(), taken.end(), [&](const auto& other) {
          return middle - half < other.second + 6 && middle + half > other.first - 6;
        });
        if (overlaps) continue;
        svg_.text({middle, y_(point.y) - 9}, point.label, {"halo"}, Anchor::kMiddle);
        taken.emplace_back(middle - half, middle + half);
      }
    }
  }

  void end_labels() {
    if (chart_.curves.size() < 2) return;
    std::vector<std::size_t> order(chart_.curves.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto end = [&](std::size_t i) { return place(chart_.curves[i].points.back()); };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return end(a).y < end(b).y; });
    std::vector<double> wanted;
    for (const std::size_t i : order) wanted.push_back(end(i).y);
    const auto at = spread_out(wanted, 15, kCurvesTop, bottom_);
    for (std::size_t n = 0; n < order.size(); ++n) {
      const Curve& curve = chart_.curves[order[n]];
      const std::string label = frame_.narrow
                                    ? std::to_string(order[n] + 1)
                                    : shortened(curve.name, kNameSize, frame_.width - right_ - 18);
      const Point from{end(order[n]).x + 5, end(order[n]).y};
      svg_.line(from, {right_ + 6, at[n]}, {"axis"});
      svg_.text({right_ + 10, at[n] + 4}, label, {"name", curve.name});
    }
  }

  const Curves& chart_;
  const Frame& frame_;
  Svg svg_;
  double bottom_;
  double left_ = 0;
  double right_ = 0;
  std::vector<double> y_values_;
  Scale x_;
  Scale y_;
};

}  // namespace

std::string curve_look(std::size_t n) { return fmt::format("s{}", n % kCurveColours); }

std::string curves(const Curves& chart, const Frame& frame) {
  return CurvesPainter(chart, frame).paint();
}

}  // namespace vgsim::report
