#pragma once

#include <string>
#include <vector>

#include "tools/report/charts/frame.hpp"

namespace vgsim::report {

struct TimelineSpan {
  double begin = 0;  ///< seconds
  double end = 0;
  std::string look;   ///< class of style.cpp; "waiting" is drawn thin
  std::string label;  ///< written on it if it fits
  std::string title;  ///< tooltip
  double low = 0;     ///< begin of its part of the row's height, from below
  double high = 1;
};

struct TimelineLane {
  std::string name;
  std::string note;  ///< below the name; may be empty
  std::vector<TimelineSpan> spans;
  bool mixed = false;  ///< spans are shares of a time, stacked in a single row
};

/// Activities over time, lane by lane. Overlapping spans of a lane are drawn below each other;
/// spans without label and title take little space in the file.
struct Timeline {
  double length = 0;  ///< seconds
  std::vector<TimelineLane> lanes;
  std::string title;
  std::string description;
};

[[nodiscard]] std::string timeline(const Timeline& chart, const Frame& frame);

}  // namespace vgsim::report
