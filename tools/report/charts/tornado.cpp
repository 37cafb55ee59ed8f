#include "tools/report/charts/tornado.hpp"

#include <algorithm>

#include "tools/report/charts/axis.hpp"
#include "tools/report/scale.hpp"
#include "tools/report/svg.hpp"
#include "tools/report/text.hpp"

namespace vgsim::report {
namespace {

constexpr double kTornadoBar = 10;
constexpr double kBarPitch = 15;
constexpr double kTornadoTop = 22;
constexpr double kTornadoAxis = 24;

class TornadoPainter {
 public:
  TornadoPainter(const TornadoChart& chart, const Frame& frame)
      : chart_(chart), frame_(frame), svg_(frame.width), unit_(time_unit(chart.base_s)) {
    double names = 0;
    double ends = 0;
    double low = chart.base_s;
    double high = chart.base_s;
    for (const TornadoRow& row : chart.rows) {
      names = std::max(names, text_width(row.name, kNameSize));
      ends =
          std::max({ends, text_width(row.at_low, kTextSize), text_width(row.at_high, kTextSize)});
      low = std::min({low, row.low_s, row.high_s});
      high = std::max({high, row.low_s, row.high_s});
    }
    ends = std::min(ends, frame.narrow ? 80.0 : 120.0) + 8;
    names_ = frame.narrow ? 0 : std::clamp(names, 80.0, 280.0) + 16;
    head_ = frame.narrow ? 19 : 0;
    pitch_ = head_ + 2 * kBarPitch + 10;
    values_ = nice_ticks(low / unit_.size, high / unit_.size, frame.narrow ? 3 : 6);
    scale_ = {values_.front() * unit_.size, values_.back() * unit_.size, names_ + ends,
              frame.width - ends};
  }

  std::string paint() {
    const double bottom = kTornadoTop + static_cast<double>(chart_.rows.size()) * pitch_;
    draw_x_axis(svg_, ticks_at(values_, scale_, unit_.size), unit_.name, kTornadoTop - 4, bottom);
    double top = kTornadoTop;
    for (const TornadoRow& row : chart_.rows) {
      draw(row, top);
      top += pitch_;
    }
    return svg_.finish(bottom + kTornadoAxis, frame_.look(), chart_.title, chart_.description);
  }

 private:
  void draw(const TornadoRow& row, double top) {
    const double room = frame_.narrow ? frame_.width : names_ - 16;
    const std::string name = shortened(row.name, kNameSize, room);
    if (frame_.narrow) {
      svg_.text({0, top + 13}, name, {"name halo", row.name});
    } else {
      svg_.text({0, top + kBarPitch + 4}, name, {"name", row.name});
    }
    bar(row.low_s, row.at_low, "at-low", top + head_);
    bar(row.high_s, row.at_high, "at-high", top + head_ + kBarPitch);
    const double base = scale_(chart_.base_s);
    svg_.line({base, top + head_ - 1}, {base, top + head_ + 2 * kBarPitch + 1}, {"mark"});
  }

  void bar(double seconds, const std::string& label, const char* look, double top) {
    const double base = scale_(chart_.base_s);
    const double end = scale_(seconds);
    const bool grows = end >= base;
    svg_.rect(std::min(base, end), top + 2, std::max(std::abs(end - base), 0.5), kTornadoBar,
              {look, label});
    const double room = grows ? frame_.width - end - 6 : end - names_ - 6;
    svg_.text({grows ? end + 6 : end - 6, top + 11}, shortened(label, kTextSize, room), {"halo"},
              grows ? Anchor::kStart : Anchor::kEnd);
  }

  const TornadoChart& chart_;
  const Frame& frame_;
  Svg svg_;
  AxisUnit unit_;
  double names_ = 0;
  double head_ = 0;
  double pitch_ = 0;
  std::vector<double> values_;
  Scale scale_;
};

}  // namespace

std::string tornado_chart(const TornadoChart& chart, const Frame& frame) {
  return TornadoPainter(chart, frame).paint();
}

}  // namespace vgsim::report
