#include "models/questions/score/interval_score.hpp"

#include <algorithm>
#include <cmath>

#include "models/calibration/statistics.hpp"
#include "models/calibration/uncertain.hpp"

namespace vgsim::scenario {
namespace {

constexpr double kHolds = 0.9;

double score_of(const ScoredInterval& one) {
  const double outside =
      std::max({0.0, std::log(one.low / one.measured), std::log(one.measured / one.high)});
  return std::log(one.high / one.low) + 2 / (1 - kHolds) * outside;
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

}  // namespace

bool IntervalSummary::is_too_narrow() const {
  const double deviation = std::sqrt(kHolds * (1 - kHolds) / static_cast<double>(groups));
  return inside < kHolds - calibration::kNineInTen * deviation;
}

std::optional<IntervalSummary> summarize_intervals(const IntervalsByGroup& groups) {
  std::vector<double> insides;
  std::vector<double> widths;
  std::vector<double> scores;
  for (const auto& [name, intervals] : groups) {
    if (intervals.empty()) continue;
    std::vector<double> inside;
    std::vector<double> width;
    std::vector<double> score;
    for (const ScoredInterval& one : intervals) {
      inside.push_back(one.holds() ? 1.0 : 0.0);
      width.push_back(one.high / one.low);
      score.push_back(score_of(one));
    }
    insides.push_back(mean(inside));
    widths.push_back(calibration::median(width));
    scores.push_back(mean(score));
  }
  if (insides.empty()) return std::nullopt;
  return IntervalSummary{insides.size(), mean(insides), calibration::median(widths),
                         std::exp(mean(scores))};
}

}  // namespace vgsim::scenario
