#include "models/questions/score/score.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "models/calibration/statistics.hpp"

namespace vgsim::scenario {
namespace {

/// Both readings of "KB" and "MB" fall into the band that they name.
constexpr Bytes kSmallMost{4096};
constexpr Bytes kMediumLeast{64'000};
constexpr Bytes kMediumMost{64 << 20};
constexpr Bytes kLargeLeast{256'000'000};

/// One value of each point.
template <class Value>
std::vector<double> of_points(const std::vector<PointError>& points, const Value& value) {
  std::vector<double> values;
  for (const PointError& point : points) values.push_back(value(point));
  return values;
}

double signed_error(const PointError& point) { return point.error; }
double size_of_error(const PointError& point) { return std::abs(point.error); }
double factor_of_error(const PointError& point) { return point.factor(); }

IntervalSummary intervals_of(const PointsByGroup& groups) {
  IntervalsByGroup intervals;
  for (const auto& [name, points] : groups) {
    for (const PointError& point : points) {
      intervals[name].push_back({point.measured_s, point.low_s, point.high_s});
    }
  }
  return summarize_intervals(intervals).value_or(IntervalSummary{});
}

template <class Counts>
PointsByGroup points_by_group(const std::vector<ScoredCase>& cases, Band band,
                              const Counts& counts) {
  PointsByGroup groups;
  for (const ScoredCase& scored : cases) {
    if (!scored.counts() || !counts(scored)) continue;
    for (const PointError& point : scored.errors) {
      if (is_in(band, point.size)) groups[scored.measured.group].push_back(point);
    }
  }
  return groups;
}

}  // namespace

const char* to_string(Band band) {
  switch (band) {
    case Band::kSmall:
      return "small";
    case Band::kMedium:
      return "medium";
    case Band::kLarge:
      return "large";
    case Band::kAll:
      return "all";
  }
  return "";
}

const char* to_string(Nodes nodes) { return nodes == Nodes::kOne ? "one_node" : "several_nodes"; }

bool is_in(Band band, Bytes size) {
  switch (band) {
    case Band::kSmall:
      return size <= kSmallMost;
    case Band::kMedium:
      return kMediumLeast <= size && size <= kMediumMost;
    case Band::kLarge:
      return kLargeLeast <= size;
    case Band::kAll:
      return true;
  }
  return false;
}

std::optional<ErrorSummary> summarize_points(const std::vector<PointError>& points) {
  if (points.empty()) return std::nullopt;
  ErrorSummary summary;
  summary.groups = 1;
  summary.points = points.size();
  summary.signed_median = calibration::median(of_points(points, signed_error));
  summary.median = calibration::median(of_points(points, size_of_error));
  summary.p90 = calibration::percentile(of_points(points, size_of_error), 90);
  summary.median_factor = calibration::median(of_points(points, factor_of_error));
  summary.p90_factor = calibration::percentile(of_points(points, factor_of_error), 90);
  const auto worst = std::max_element(
      points.begin(), points.end(),
      [](const auto& a, const auto& b) { return size_of_error(a) < size_of_error(b); });
  summary.worst = worst->error;
  summary.worst_size = worst->size;
  summary.intervals = intervals_of({{"", points}});
  return summary;
}

std::optional<ErrorSummary> summarize_groups(const PointsByGroup& groups) {
  std::vector<PointError> all;
  std::vector<double> signed_medians;
  std::vector<double> medians;
  std::vector<double> factors;
  for (const auto& [name, points] : groups) {
    if (points.empty()) continue;
    all.insert(all.end(), points.begin(), points.end());
    signed_medians.push_back(calibration::median(of_points(points, signed_error)));
    medians.push_back(calibration::median(of_points(points, size_of_error)));
    factors.push_back(calibration::median(of_points(points, factor_of_error)));
  }
  auto summary = summarize_points(all);
  if (!summary) return std::nullopt;
  summary->groups = medians.size();
  summary->intervals = intervals_of(groups);
  if (medians.size() == 1) return summary;
  summary->signed_median = calibration::median(signed_medians);
  summary->median = calibration::median(medians);
  summary->p90 = calibration::percentile(medians, 90);
  summary->median_factor = calibration::median(factors);
  summary->p90_factor = calibration::percentile(factors, 90);
  return summary;
}

std::optional<ErrorSummary> case_summary(const ScoredCase& scored, Band band) {
  std::vector<PointError> points;
  for (const PointError& point : scored.errors) {
    if (is_in(band, point.size)) points.push_back(point);
  }
  return summarize_points(points);
}

std::optional<ErrorSummary> band_summary(const std::vector<ScoredCase>& cases, Band band,
                                         Nodes nodes) {
  return summarize_groups(points_by_group(
      cases, band, [nodes](const ScoredCase& scored) { return scored.nodes() == nodes; }));
}

std::optional<ErrorSummary> class_summary(const std::vector<ScoredCase>& cases,
                                          const std::string& topology_class, Band band) {
  return summarize_groups(points_by_group(cases, band, [&](const ScoredCase& scored) {
    return scored.measured.topology_class == topology_class;
  }));
}

std::vector<std::string> classes_of(const std::vector<ScoredCase>& cases) {
  std::set<std::string> names;
  for (const ScoredCase& scored : cases) {
    if (scored.counts() && !scored.errors.empty()) names.insert(scored.measured.topology_class);
  }
  return {names.begin(), names.end()};
}

}  // namespace vgsim::scenario
