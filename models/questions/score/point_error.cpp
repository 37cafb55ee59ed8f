#include "models/questions/score/point_error.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "models/questions/score/interval_score.hpp"

namespace vgsim::scenario {
namespace {

/// The prediction that the measurement is held against: the nearest point between both ends.
double nearest(double measured, double first, double second) {
  const auto [low, high] = std::minmax(first, second);
  return std::clamp(measured, low, high);
}

PointError error_of(const MeasuredPoint& point, const PredictedPoint& predicted) {
  const double measured = measured_seconds(point, predicted.bus_factor);
  PointError result{point.size, measured, to_seconds(predicted.chosen.time), 0.0, 0.0, 0.0, false};
  const bool is_band = predicted.ring && predicted.tree;
  const TimeInterval& first = is_band ? *predicted.ring : predicted.chosen;
  const TimeInterval& second = is_band ? *predicted.tree : predicted.chosen;
  const double expected = nearest(measured, to_seconds(first.time), to_seconds(second.time));
  result.error = (expected - measured) / measured;
  result.low_s = to_seconds(std::min(first.low, second.low));
  result.high_s = to_seconds(std::max(first.high, second.high));
  result.inside = ScoredInterval{measured, result.low_s, result.high_s}.holds();
  return result;
}

}  // namespace

double PointError::factor() const { return std::max(1.0 + error, 1.0 / (1.0 + error)); }

double measured_seconds(const MeasuredPoint& point, double bus_factor) {
  if (point.time) return to_seconds(*point.time);
  const auto bytes = static_cast<double>(point.size.count());
  if (point.algbw) return bytes / static_cast<double>(point.algbw->count());
  if (point.busbw) return bytes * bus_factor / static_cast<double>(point.busbw->count());
  throw std::logic_error("a blind point has no measured time");
}

std::vector<PointError> point_errors(const MeasuredCase& measured,
                                     const CasePrediction& prediction) {
  std::vector<PointError> errors;
  for (std::size_t p = 0; p < measured.points.size(); ++p) {
    if (measured.points[p].is_measured()) {
      errors.push_back(error_of(measured.points[p], prediction.points.at(p)));
    }
  }
  return errors;
}

}  // namespace vgsim::scenario
