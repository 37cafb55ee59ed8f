#include "tools/report/charts/roofline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "tools/report/charts/axis.hpp"
#include "tools/report/scale.hpp"
#include "tools/report/svg.hpp"
#include "tools/report/text.hpp"

namespace vgsim::report {
namespace {

constexpr double kRooflineTop = 34;
constexpr double kRooflineAxis = 40;
constexpr double kRadius = 4;

struct Area {
  double left = 0;
  double top = 0;
  double right = 0;
  double bottom = 0;

  [[nodiscard]] bool touches(const Area& other) const {
    return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
  }
};

/// Marks that would overlap, as one: "1, 4".
struct Cluster {
  Point at;
  std::string numbers;
  std::string names;
};

class RooflinePainter {
 public:
  RooflinePainter(const RooflineChart& chart, const Frame& frame)
      : chart_(chart),
        frame_(frame),
        svg_(frame.width),
        bottom_(kRooflineTop + (frame.narrow ? 230 : 300)),
        unit_(flops_unit(chart.peak_per_s)) {
    const double ridge = chart.peak_per_s / chart.bytes_per_s;
    double low_x = ridge / 2;
    double high_x = ridge * 4;
    double low_y = chart.peak_per_s / 2;
    for (const RooflineMark& mark : chart.marks) {
      low_x = std::min(low_x, mark.intensity);
      high_x = std::max(high_x, mark.intensity * 1.5);
      low_y = std::min(low_y, mark.per_s);
    }
    const auto x_values = decade_ticks(low_x, high_x);
    y_values_ = decade_ticks(low_y / unit_.size, chart.peak_per_s / unit_.size);
    double labels = 0;
    for (const double value : y_values_) {
      labels = std::max(labels, text_width(tick_label(value), kTextSize));
    }
    left_ = labels + 8;
    right_ = frame.width - 14;
    x_values_ = x_values;
    x_ = {x_values.front(), x_values.back(), left_, right_, true};
    y_ = {y_values_.front() * unit_.size, y_values_.back() * unit_.size, bottom_, kRooflineTop,
          true};
  }

  std::string paint() {
    draw_y_axis(svg_, ticks_at(y_values_, y_, unit_.size), unit_.name, left_, right_);
    draw_x_axis(svg_, ticks_at(x_values_, x_, 1), "", kRooflineTop, bottom_);
    svg_.text({right_, bottom_ + 34}, "operations per byte of memory traffic (FLOP/byte)", {},
              Anchor::kEnd);
    roofs();
    const auto all = clusters();
    for (const auto& [at, numbers, names] : all) {
      svg_.circle(at, kRadius, {"compute", names});
      taken_.push_back({at.x - kRadius, at.y - kRadius, at.x + kRadius, at.y + kRadius});
    }
    for (const Cluster& each : all) label_of(each);
    return svg_.finish(bottom_ + kRooflineAxis, frame_.look(), chart_.title, chart_.description);
  }

 private:
  void roofs() {
    const double ridge = chart_.peak_per_s / chart_.bytes_per_s;
    const double begin = std::max(x_.low, y_.low / chart_.bytes_per_s);
    const Point corner{x_(ridge), y_(chart_.peak_per_s)};
    svg_.polyline({{x_(begin), y_(begin * chart_.bytes_per_s)}, corner, {right_, corner.y}},
                  {"mark"});
    label_right(fmt::format("peak {:.4g} {}", chart_.peak_per_s / unit_.size, unit_.name),
                corner.y - 7);
    const std::string memory = fmt::format("memory {:.4g} GB/s", chart_.bytes_per_s / 1e9);
    // Above the slope, where no layer can be, or else below it.
    const Point middle{(x_(begin) + corner.x) / 2, (y_(begin * chart_.bytes_per_s) + corner.y) / 2};
    const double width = text_width(memory, kTextSize);
    const bool above = middle.x - width - 10 >= left_ + 4;
    const Point at =
        above ? Point{middle.x - width - 10, middle.y - 8} : Point{middle.x + 12, middle.y + 14};
    svg_.text(at, memory, {"halo"});
    taken_.push_back({at.x, at.y - 12, at.x + width, at.y + 4});
  }

  void label_right(const std::string& words, double y) {
    svg_.text({right_, y}, words, {"halo"}, Anchor::kEnd);
    taken_.push_back({right_ - text_width(words, kTextSize), y - 12, right_, y + 3});
  }

  std::vector<Cluster> clusters() const {
    std::vector<Cluster> result;
    for (std::size_t i = 0; i < chart_.marks.size(); ++i) {
      const RooflineMark& mark = chart_.marks[i];
      const Point at{x_(mark.intensity), y_(mark.per_s)};
      const auto near = std::find_if(result.begin(), result.end(), [&](const Cluster& other) {
        return std::hypot(other.at.x - at.x, other.at.y - at.y) < 3 * kRadius;
      });
      const std::string number = std::to_string(i + 1);
      if (near == result.end()) {
        result.push_back({at, number, mark.name});
      } else {
        near->numbers += ", " + number;
        near->names += ", " + mark.name;
      }
    }
    return result;
  }

  /// Labels are placed where they overlap no text, if possible.
  void label_of(const Cluster& cluster) {
    const std::string label = shortened(cluster.numbers, kTextSize, 110);
    const double width = text_width(label, kTextSize);
    const auto [x, y] = cluster.at;
    const std::array<Point, 6> places{{{x + 8, y + 4},
                                       {x - 8 - width, y + 4},
                                       {x - width / 2, y - 9},
                                       {x - width / 2, y + 19},
                                       {x + 8, y + 16},
                                       {x + 8, y - 8}}};
    for (const Point& place : places) {
      const Area box{place.x, place.y - 11, place.x + width, place.y + 3};
      const bool inside = box.left >= left_ && box.right <= right_ && box.bottom <= bottom_;
      const bool free = std::none_of(taken_.begin(), taken_.end(),
                                     [&](const Area& other) { return box.touches(other); });
      if (!inside || !free) continue;
      taken_.push_back(box);
      svg_.text(place, label, {"name halo"});
      return;
    }
  }

  const RooflineChart& chart_;
  const Frame& frame_;
  Svg svg_;
  double bottom_;
  AxisUnit unit_;
  double left_ = 0;
  double right_ = 0;
  std::vector<double> x_values_;
  std::vector<double> y_values_;
  Scale x_;
  Scale y_;
  std::vector<Area> taken_;
};

}  // namespace

std::string roofline_chart(const RooflineChart& chart, const Frame& frame) {
  return RooflinePainter(chart, frame).paint();
}

}  // namespace vgsim::report
