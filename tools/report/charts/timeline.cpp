#include "tools/report/charts/timeline.hpp"

#include <algorithm>
#include <map>

#include "tools/report/charts/axis.hpp"
#include "tools/report/scale.hpp"
#include "tools/report/svg.hpp"
#include "tools/report/text.hpp"

namespace vgsim::report {
namespace {

constexpr double kRowHeight = 20;
constexpr double kRowPitch = 23;
constexpr double kLaneGap = 12;
constexpr double kTimelineAxis = 24;
constexpr std::size_t kMostLanes = 6;  ///< of a lane; further overlapping spans share the last row

bool waits(const TimelineSpan& span) { return span.look == "waiting"; }

/// The row of each span of a lane: the first free one.
std::vector<std::size_t> rows_of(const TimelineLane& lane) {
  if (lane.mixed) return std::vector<std::size_t>(lane.spans.size(), 0);
  std::vector<double> free_from;
  std::vector<std::size_t> rows;
  for (const TimelineSpan& span : lane.spans) {
    const auto free = std::find_if(free_from.begin(), free_from.end(),
                                   [&](double end) { return end <= span.begin; });
    auto row = static_cast<std::size_t>(free - free_from.begin());
    if (row == free_from.size() && row < kMostLanes) free_from.push_back(0);
    row = std::min(row, kMostLanes - 1);
    free_from[row] = std::max(free_from[row], span.end);
    rows.push_back(row);
  }
  return rows;
}

class TimelinePainter {
 public:
  TimelinePainter(const Timeline& chart, const Frame& frame)
      : chart_(chart), frame_(frame), svg_(frame.width), unit_(time_unit(chart.length)) {
    double names = 0;
    for (const TimelineLane& lane : chart.lanes) {
      names = std::max({names, text_width(lane.name, kNameSize), text_width(lane.note, kTextSize)});
    }
    left_ = frame.narrow ? 0 : std::clamp(names, 60.0, 190.0) + 14;
    right_ = frame.width - (frame.narrow ? 0 : 8);
    scale_ = {0, chart.length, left_, right_};
  }

  std::string paint() {
    double height = 4;
    for (const TimelineLane& lane : chart_.lanes) height += lane_height(lane);
    auto values = nice_ticks(0, chart_.length / unit_.size, frame_.narrow ? 5 : 9);
    while (values.size() > 1 && values.back() * unit_.size > chart_.length * (1 + 1e-9)) {
      values.pop_back();
    }
    draw_x_axis(svg_, ticks_at(values, scale_, unit_.size), unit_.name, 0, height);
    double top = 4;
    for (const TimelineLane& lane : chart_.lanes) {
      draw(lane, top);
      top += lane_height(lane);
    }
    return svg_.finish(height + kTimelineAxis, frame_.look(), chart_.title, chart_.description);
  }

 private:
  double head() const { return frame_.narrow ? 20 : 0; }

  double lane_height(const TimelineLane& lane) const {
    const auto rows = rows_of(lane);
    const std::size_t most = rows.empty() ? 0 : *std::max_element(rows.begin(), rows.end());
    const double notes = !frame_.narrow && !lane.note.empty() ? 32 : 0;
    return head() + std::max(static_cast<double>(most + 1) * kRowPitch, notes) + kLaneGap;
  }

  void name(const TimelineLane& lane, double top) {
    if (frame_.narrow) {
      const double note = lane.note.empty() ? 0 : text_width(lane.note, kTextSize) + 10;
      const std::string shown = shortened(lane.name, kNameSize, frame_.width - note);
      svg_.text({0, top + 14}, shown, {"name halo", lane.name});
      if (!lane.note.empty()) {
        svg_.text({text_width(shown, kNameSize) + 8, top + 14}, lane.note, {"halo"});
      }
      return;
    }
    svg_.text({left_ - 14, top + 14}, shortened(lane.name, kNameSize, left_ - 14),
              {"name", lane.name}, Anchor::kEnd);
    if (lane.note.empty()) return;
    svg_.text({left_ - 14, top + 29}, shortened(lane.note, kTextSize, left_ - 14), {},
              Anchor::kEnd);
  }

  void draw(const TimelineLane& lane, double top) {
    name(lane, top);
    const auto rows = rows_of(lane);
    std::map<std::string, std::vector<Box>> plain;  // by look
    for (std::size_t i = 0; i < lane.spans.size(); ++i) {
      const TimelineSpan& span = lane.spans[i];
      const Box box = box_of(span, top + head() + static_cast<double>(rows[i]) * kRowPitch);
      if (span.title.empty() && span.label.empty()) {
        plain[span.look].push_back(box);
      } else {
        draw(span, box);
      }
    }
    for (const auto& [look, boxes] : plain) svg_.rects(boxes, {look});
  }

  Box box_of(const TimelineSpan& span, double top) const {
    const double begin = scale_(span.begin);
    const double whole = scale_(span.end) - begin;
    if (span.high - span.low < 1) {
      return {begin, top + kRowHeight * (1 - span.high), whole,
              kRowHeight * (span.high - span.low)};
    }
    // A gap separates neighbours.
    const double width = whole > 3 ? whole - 0.8 : std::max(whole, 0.6);
    if (waits(span)) return {begin, top + kRowHeight / 2 - 2, width, 4};
    return {begin, top + kRowHeight * (1 - span.high), width, kRowHeight * (span.high - span.low)};
  }

  void draw(const TimelineSpan& span, const Box& box) {
    svg_.rect(box.x, box.y, box.width, box.height, {span.look, span.title});
    if (waits(span) || text_width(span.label, kTextSize) + 8 > box.width) return;
    svg_.text({box.x + box.width / 2, box.y + kRowHeight / 2 + 4}, span.label, {"on"},
              Anchor::kMiddle);
  }

  const Timeline& chart_;
  const Frame& frame_;
  Svg svg_;
  AxisUnit unit_;
  double left_ = 0;
  double right_ = 0;
  Scale scale_;
};

}  // namespace

std::string timeline(const Timeline& chart, const Frame& frame) {
  return TimelinePainter(chart, frame).paint();
}

}  // namespace vgsim::report
