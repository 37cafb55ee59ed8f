#pragma once

#include <string>
#include <vector>

#include "tools/report/charts/frame.hpp"

namespace vgsim::report {

struct TimelineSpan {
  double begin = 0;  ///< seconds
  double end = 0;
  std::string look;   ///< class of style.cpp; "waiting" is drawn thin
  std::string label;  ///< written on it where there is room
  std::string title;  ///< said when pointed at
  double low = 0;     ///< part of the row's height that it takes, counted from below
  double high = 1;
};

struct TimelineLane {
  std::string name;
  std::string note;  ///< below the name; may be empty
  std::vector<TimelineSpan> spans;
  bool mixed = false;  ///< spans are shares of a time, one above the other in a single row
};

/// What happens when, lane by lane. Spans of a lane that overlap are drawn one below the other;
/// those without label and title take little room in the file.
struct Timeline {
  double length = 0;  ///< seconds
  std::vector<TimelineLane> lanes;
  std::string title;
  std::string description;
};

[[nodiscard]] std::string timeline(const Timeline& chart, const Frame& frame);

}  // namespace vgsim::report
