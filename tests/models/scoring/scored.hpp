#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/scoring/errors.hpp"

namespace vgsim::scoring::examples {

/// A point that was measured as 1 and predicted with that error.
inline Point point(double error, std::vector<std::string> tags = {}) {
  Point one;
  one.label = "1 MiB";
  one.measured = 1.0;
  one.predicted = 1.0 + error;
  one.error = error;
  one.tags = std::move(tags);
  return one;
}

/// A point with an interval, measured or not.
inline Point point_in(double measured, Interval interval) {
  Point one = point(0.0);
  one.measured = measured;
  one.interval = interval;
  return one;
}

inline ScoredCase scored(const std::string& id, const std::string& group,
                         std::vector<Point> points) {
  ScoredCase result;
  result.head.id = id;
  result.head.group = group;
  result.head.class_name = "nvswitch";
  result.head.grade = "A";
  result.prediction.series = {{"series", "time_s", std::move(points)}};
  result.prediction.tags = {"one_node"};
  return result;
}

/// By groups, or by points.
inline ErrorSummary summary(const std::vector<ScoredCase>& cases, const std::string& part = kAll,
                            Weighting weighting = Weighting::kGroups) {
  return summarize(counted(cases), part, weighting);
}

}  // namespace vgsim::scoring::examples
