#include "tools/report/charts/stacked_bars.hpp"

#include <algorithm>

#include "tools/report/charts/axis.hpp"
#include "tools/report/svg.hpp"
#include "tools/report/text.hpp"

namespace vgsim::report {
namespace {

constexpr double kStackHeight = 28;
constexpr double kBarsGap = 12;
constexpr double kBarsAxis = 24;
constexpr double kBarsTop = 6;

double total_of(const StackedBar& bar) {
  double total = 0;
  for (const BarPart& part : bar.parts) total += part.value;
  return total;
}

/// Positions: names left of the bars or above them.
struct Places {
  double left = 0;
  double right = 0;
  double pitch = 0;
  double bar_drop = 0;  ///< from the top of a row to its bar
};

Places places_of(const StackedBars& chart, const Frame& frame) {
  if (frame.narrow) return {0, frame.width, kStackHeight + 22 + kBarsGap + 4, 22};
  double names = 0;
  double totals = 0;
  for (const StackedBar& bar : chart.bars) {
    names = std::max(names, text_width(bar.name, kNameSize));
    totals = std::max(totals, text_width(bar.total, kNameSize));
  }
  return {std::clamp(names, 60.0, 190.0) + 14, frame.width - totals - 12,
          kStackHeight + kBarsGap + 8, 0};
}

class BarsPainter {
 public:
  BarsPainter(const StackedBars& chart, const Frame& frame)
      : chart_(chart), frame_(frame), places_(places_of(chart, frame)), svg_(frame.width) {
    double most = 0;
    for (const StackedBar& bar : chart.bars) {
      most = std::max({most, total_of(bar), bar.high.value_or(0), bar.limit.value_or(0)});
    }
    values_ = nice_ticks(0, std::max(most, 1e-15) / chart.unit.size, frame.narrow ? 4 : 8);
    scale_ = {0, values_.back() * chart.unit.size, places_.left, places_.right};
  }

  std::string paint() {
    const double bottom = kBarsTop + static_cast<double>(chart_.bars.size()) * places_.pitch;
    draw_x_axis(svg_, ticks_at(values_, scale_, chart_.unit.size), chart_.unit.name, 0, bottom);
    double top = kBarsTop;
    for (const StackedBar& bar : chart_.bars) {
      name(bar, top);
      parts(bar, top + places_.bar_drop);
      marks(bar, top + places_.bar_drop);
      top += places_.pitch;
    }
    return svg_.finish(bottom + kBarsAxis, frame_.look(), chart_.title, chart_.description);
  }

 private:
  void name(const StackedBar& bar, double top) {
    const double total = text_width(bar.total, kNameSize) + 10;
    if (frame_.narrow) {
      svg_.text({0, top + 15}, shortened(bar.name, kNameSize, frame_.width - total), {"name halo"});
      svg_.text({frame_.width, top + 15}, bar.total, {"name value halo"}, Anchor::kEnd);
      return;
    }
    const auto lines = lines_of(bar.name, kNameSize, places_.left - 14, 2);
    double y = top + kStackHeight / 2 + 5 - 7.5 * static_cast<double>(lines.size() - 1);
    for (const std::string& line : lines) {
      svg_.text({places_.left - 14, y}, line, {"name"}, Anchor::kEnd);
      y += 15;
    }
    svg_.text({frame_.width, top + kStackHeight / 2 + 5}, bar.total, {"name value"}, Anchor::kEnd);
  }

  void parts(const StackedBar& bar, double top) {
    double done = 0;
    for (const BarPart& part : bar.parts) {
      if (part.value <= 0) continue;
      const double begin = scale_(done);
      done += part.value;
      const double width = scale_(done) - begin;
      svg_.rect(begin, top, std::max(width, 0.5), kStackHeight, {part.look, part.title});
      if (text_width(part.label, kTextSize) + 12 <= width) {
        svg_.text({begin + width / 2, top + kStackHeight / 2 + 4}, part.label, {"on"},
                  Anchor::kMiddle);
      }
    }
  }

  /// The interval is drawn below the bar, so that it covers nothing.
  void marks(const StackedBar& bar, double top) {
    if (bar.low && bar.high) {
      const double y = top + kStackHeight + 6;
      svg_.line({scale_(*bar.low), y}, {scale_(*bar.high), y}, {"mark"});
      for (const double end : {*bar.low, *bar.high}) {
        svg_.line({scale_(end), y - 3}, {scale_(end), y + 3}, {"mark"});
      }
    }
    if (bar.limit) {
      const double x = scale_(*bar.limit);
      svg_.line({x, top - 4}, {x, top + kStackHeight + 4}, {"mark"});
    }
  }

  const StackedBars& chart_;
  const Frame& frame_;
  Places places_;
  Svg svg_;
  std::vector<double> values_;
  Scale scale_;
};

}  // namespace

std::string stacked_bars(const StackedBars& chart, const Frame& frame) {
  return BarsPainter(chart, frame).paint();
}

}  // namespace vgsim::report
