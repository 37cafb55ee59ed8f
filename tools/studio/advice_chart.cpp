#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tools/report/charts/axis.hpp"
#include "tools/report/figures.hpp"
#include "tools/report/html.hpp"
#include "tools/report/text.hpp"
#include "tools/studio/advice_search.hpp"
#include "tools/text/words.hpp"

namespace vgsim::studio {
namespace {

using report::Anchor;
using report::Point;
using scenario::Metric;
using scenario::MetricUnit;

constexpr double kTop = 34;
constexpr double kBelow = 42;
constexpr double kFar = 3;  ///< times the largest of the best figures; points beyond are left out

report::AxisUnit unit_of(const Metric& figure, double most) {
  switch (figure.unit) {
    case MetricUnit::kSeconds:
      return report::time_unit(most);
    case MetricUnit::kBytes:
      return report::bytes_unit(most);
    case MetricUnit::kShare:
      return {"%", 0.01};
    case MetricUnit::kPerSecond:
      return {"1/s", 1};
    case MetricUnit::kGBps:
      return {"GB/s", 1};
    case MetricUnit::kFlops:
      return {"TFLOP/s", 1e12};
    case MetricUnit::kHours:
      return {"h", 1};
    case MetricUnit::kKwh:
      return {"kWh", 1};
    case MetricUnit::kCount:
    case MetricUnit::kMoney:
      break;
  }
  return {"", 1};
}

std::string axis_words(const Metric& figure, const report::AxisUnit& unit) {
  return unit.name.empty() ? figure.label : fmt::format("{} in {}", figure.label, unit.name);
}

/// Vertical axis: the first figure. Horizontal axis: the second.
struct Picture {
  const Advised& advised;
  const std::vector<Metric>& now;  ///< of the same figures; empty if nothing runs
};

class Painter {
 public:
  Painter(const Picture& picture, const report::Frame& frame)
      : picture_(picture),
        frame_(frame),
        svg_(frame.width),
        bottom_(kTop + (frame.narrow ? 230 : 300)) {
    for (std::size_t axis = 0; axis < 2; ++axis) {
      double best = picture.now.empty() ? 0 : picture.now[axis].value;
      for (const AdvisedChange& each : picture.advised.best) {
        best = std::max(best, each.figures[axis]);
      }
      for (const auto& each : picture.advised.ran) {
        if (each[axis] <= kFar * best) most_[axis] = std::max(most_[axis], each[axis]);
      }
      most_[axis] = std::max(most_[axis], best);
      unit_[axis] = unit_of(picture.advised.figures[axis], most_[axis]);
      values_[axis] = report::nice_ticks(0, most_[axis] / unit_[axis].size, frame.narrow ? 4 : 6);
    }
    double labels = 0;
    for (const double value : values_[0]) {
      labels = std::max(labels, report::text_width(report::tick_label(value), report::kTextSize));
    }
    left_ = labels + 8;
    right_ = frame.width - 18;
    y_ = {0, values_[0].back() * unit_[0].size, bottom_, kTop};
    x_ = {0, values_[1].back() * unit_[1].size, left_, right_};
  }

  std::string paint() {
    const Advised& advised = picture_.advised;
    report::draw_y_axis(svg_, report::ticks_at(values_[0], y_, unit_[0].size),
                        axis_words(advised.figures[0], unit_[0]), left_, right_);
    report::draw_x_axis(svg_, report::ticks_at(values_[1], x_, unit_[1].size), "", bottom_,
                        bottom_ + 4);
    svg_.line({left_, bottom_}, {right_, bottom_}, {"axis"});
    svg_.text({right_, bottom_ + 36}, axis_words(advised.figures[1], unit_[1]), {}, Anchor::kEnd);
    for (const auto& each : advised.ran) {
      if (each[0] > most_[0] || each[1] > most_[1]) continue;
      svg_.circle(place(each), 2.2, {"load0 dot"});
    }
    std::vector<Point> line;
    for (const AdvisedChange& each : advised.best) line.push_back(place(each.figures));
    if (line.size() > 1) svg_.polyline(line, {"s0 curve"});
    draw_now();
    for (std::size_t n = 0; n < advised.best.size(); ++n) draw_best(n, line[n]);
    return svg_.finish(
        bottom_ + kBelow, frame_.look(),
        fmt::format("{} against {}", advised.figures[0].label, advised.figures[1].label),
        "A point for each combination that ran; the Pareto-optimal ones are joined, and can be "
        "opened. The list has their figures.");
  }

 private:
  Point place(const std::vector<double>& figures) const { return {x_(figures[1]), y_(figures[0])}; }

  void draw_now() {
    if (picture_.now.empty()) return;
    const Point at = place({picture_.now[0].value, picture_.now[1].value});
    svg_.circle(at, 10, {"s1 ring", "present scenario"});
    label({at.x + (at.x > right_ - 60 ? -28 : 28), at.y - 8}, "now");
  }

  /// The number is drawn on the side without points, where both figures are better.
  void draw_best(std::size_t n, Point at) {
    const AdvisedChange& each = picture_.advised.best[n];
    const std::string number = fmt::format("{}", n + 1);
    const std::string title = fmt::format("{}: {}", number, each.change.title);
    const std::string of = fmt::format("{}", n);
    svg_.circle(at, 6.5, {"s0 dot", title, of});
    const auto larger = [&](std::size_t axis) {
      return picture_.advised.figures[axis].better == scenario::Better::kHigher;
    };
    const bool to_the_right = larger(1) || at.x - 22 < left_;
    label({at.x + (to_the_right ? 13 : -13), at.y + (larger(0) ? -7 : 12)}, number);
  }

  /// Skipped if it overlaps another label. `at`: the middle of its base line.
  void label(Point at, const std::string& words) {
    const auto touches = [&](const Point& other) {
      return std::abs(at.x - other.x) < 24 && std::abs(at.y - other.y) < 14;
    };
    if (std::any_of(labels_.begin(), labels_.end(), touches)) return;
    svg_.text(at, words, {"halo"}, Anchor::kMiddle);
    labels_.push_back(at);
  }

  const Picture& picture_;
  const report::Frame& frame_;
  report::Svg svg_;
  double bottom_;
  double left_ = 0;
  double right_ = 0;
  double most_[2] = {0, 0};
  report::AxisUnit unit_[2];
  std::vector<double> values_[2];
  report::Scale x_;
  report::Scale y_;
  std::vector<Point> labels_;  ///< positions in use
};

std::string draw(const Picture& picture, const report::Frame& frame) {
  return Painter(picture, frame).paint();
}

std::string caption_of(const Advised& advised) {
  std::string text =
      fmt::format("{} of {} were simulated{}; {} ran.", advised.simulated,
                  text::plural(advised.space, "combination"),
                  advised.simulated < advised.space ? ", chosen by an evolutionary search" : "",
                  advised.ran.size());
  std::vector<std::string> refused;
  for (const auto& [rule, count] : advised.refused_by) {
    refused.push_back(fmt::format("{} by {}", count, rule));
  }
  if (!refused.empty()) text += fmt::format(" Refused: {}.", fmt::join(refused, ", "));
  return text;
}

}  // namespace

std::string advice_html(const Advised& advised, const std::vector<Metric>& now) {
  const Picture picture{advised, now};
  report::Figure figure = report::figure_of("advice-chart", picture, &draw, {});
  figure.keys = {
      {"s0 chip", "Pareto-optimal"}, {"load0 chip", "others"}, {"s1 chip", "present scenario"}};
  figure.caption = caption_of(advised);
  return report::figure_html(figure);
}

}  // namespace vgsim::studio
