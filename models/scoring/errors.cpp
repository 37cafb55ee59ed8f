#include "models/scoring/errors.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "models/calibration/statistics.hpp"
#include "models/calibration/uncertain.hpp"
#include "models/scenario/answer/ranked_layouts.hpp"

namespace vgsim::scoring {
namespace {

constexpr double kHeld = 0.9;                ///< coverage of 90 % intervals
constexpr std::size_t kSmallestRanking = 8;  ///< points

using Points = std::vector<const Point*>;
using PointsByGroup = std::map<std::string, Points>;
using Values = std::vector<double>;

/// One value for each point.
template <class Value>
Values of_points(const Points& points, const Value& value) {
  Values values;
  for (const Point* point : points) values.push_back(value(*point));
  return values;
}

double signed_error(const Point& point) { return *point.error; }
double size_of_error(const Point& point) { return std::abs(*point.error); }
double size_of_null_error(const Point& point) { return std::abs(*point.null_error); }
double factor_of_error(const Point& point) {
  return std::max(1.0 + *point.error, 1.0 / (1.0 + *point.error));
}

double mean(const Values& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

bool has(const std::vector<std::string>& tags, const std::string& tag) {
  return std::find(tags.begin(), tags.end(), tag) != tags.end();
}

std::vector<std::string> tags_of(const std::string& part) {
  std::vector<std::string> tags;
  std::size_t begin = 0;
  for (std::size_t end = 0; end != std::string::npos; begin = end + 1) {
    end = part.find('/', begin);
    tags.push_back(part.substr(begin, end == std::string::npos ? end : end - begin));
  }
  return tags;
}

bool belongs(const Point& point, const ScoredCase& scored, const std::vector<std::string>& tags) {
  return std::all_of(tags.begin(), tags.end(), [&](const std::string& tag) {
    return tag == kAll || has(point.tags, tag) || has(scored.prediction.tags, tag) ||
           (!tag.empty() && tag == scored.head.class_name);
  });
}

bool holds(const Point& point) {
  return point.interval->low <= *point.measured && *point.measured <= point.interval->high;
}

double score_of(const Point& point) {
  const auto [low, high] = *point.interval;
  const double outside =
      std::max({0.0, std::log(low / *point.measured), std::log(*point.measured / high)});
  return std::log(high / low) + 2 / (1 - kHeld) * outside;
}

std::optional<IntervalSummary> intervals_of(const PointsByGroup& groups) {
  Values insides;
  Values widths;
  Values scores;
  for (const auto& [name, all] : groups) {
    Points points = all;
    std::erase_if(points, [](const Point* point) { return !point->interval; });
    if (points.empty()) continue;
    insides.push_back(mean(of_points(points, [](const Point& p) { return holds(p) ? 1.0 : 0.0; })));
    widths.push_back(calibration::median(
        of_points(points, [](const Point& p) { return p.interval->high / p.interval->low; })));
    scores.push_back(mean(of_points(points, score_of)));
  }
  if (insides.empty()) return std::nullopt;
  return IntervalSummary{insides.size(), mean(insides), calibration::median(widths),
                         std::exp(mean(scores))};
}

/// The count of that outcome.
std::size_t& count_of(VerdictSummary& summary, VerdictOutcome outcome) {
  switch (outcome) {
    case VerdictOutcome::kRight:
      return summary.right;
    case VerdictOutcome::kFalseAccept:
      return summary.false_accepts;
    case VerdictOutcome::kFalseRefusal:
      return summary.false_refusals;
    case VerdictOutcome::kWrongReason:
      break;
  }
  return summary.wrong_reasons;
}

std::optional<VerdictSummary> verdicts_of(const Points& points) {
  std::optional<VerdictSummary> summary;
  for (const Point* point : points) {
    if (!point->verdict) continue;
    if (!summary) summary.emplace();
    ++count_of(*summary, *point->verdict);
  }
  return summary;
}

double median_of(const Values& values, Weighting weighting) {
  return weighting == Weighting::kRankedPoints ? calibration::percentile(values, 50)
                                               : calibration::median(values);
}

std::optional<NullSummary> null_model_of(Points points, Weighting weighting) {
  std::erase_if(points, [](const Point* point) { return !point->null_error; });
  if (points.empty()) return std::nullopt;
  const Values sizes = of_points(points, size_of_null_error);
  return NullSummary{points.size(), median_of(of_points(points, size_of_error), weighting),
                     median_of(sizes, weighting), calibration::percentile(sizes, 90)};
}

/// Ranks from 0; ties are in list order.
Values ranks_of(const Values& values) {
  std::vector<std::size_t> order(values.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
  Values ranks(values.size());
  for (std::size_t k = 0; k < order.size(); ++k) ranks[order[k]] = static_cast<double>(k);
  return ranks;
}

std::optional<double> rank_correlation(const Points& points) {
  if (points.size() < kSmallestRanking) return std::nullopt;
  const Values x = ranks_of(of_points(points, [](const Point& p) { return *p.measured; }));
  const Values y = ranks_of(of_points(points, [](const Point& p) { return *p.predicted; }));
  const auto n = static_cast<double>(points.size());
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i) sum += (x[i] - y[i]) * (x[i] - y[i]);
  return 1 - 6 * sum / (n * (n * n - 1));
}

/// Whether two values differ by more than the noise of both.
bool differ(double a, double b, double noise) {
  return std::abs(a - b) > 2 * noise * std::min(std::abs(a), std::abs(b));
}

/// Whether a relative difference is too small to matter.
bool differ_at_most(double more) {
  return std::abs(std::log1p(more)) <= std::log1p(scenario::kSmallDifference);
}

void count_pairs(const Points& points, double noise, ErrorSummary& summary) {
  for (auto a = points.begin(); a != points.end(); ++a) {
    for (auto b = a + 1; b != points.end(); ++b) {
      if (!differ(*(*a)->measured, *(*b)->measured, noise)) continue;
      ++summary.pairs;
      const bool is_less = *(*a)->measured < *(*b)->measured;
      if (is_less == (*(*a)->predicted < *(*b)->predicted)) ++summary.in_order;
    }
  }
}

/// Adds the pair of points `a` and `b`, if their work is the same and their measurements differ.
void compare(const ComparedTimes& a, const ComparedTimes& b, double noise,
             DifferenceSummary& summary) {
  if (a.work != b.work || !differ(a.measured_s, b.measured_s, noise)) return;
  const bool a_first = a.predicted_s <= b.predicted_s;
  const ComparedTimes& faster = a_first ? a : b;
  const ComparedTimes& slower = a_first ? b : a;
  const scenario::Gap gap =
      scenario::gap_between(faster.predicted_s, faster.drawn_s, slower.predicted_s, slower.drawn_s);
  if (gap.draws == 0) return;
  const double measured = slower.measured_s / faster.measured_s - 1.0;
  const bool is_apart = !differ_at_most(measured);
  ++summary.pairs;
  summary.inside += gap.low <= measured && measured <= gap.high ? 1 : 0;
  summary.apart += is_apart ? 1 : 0;
  switch (gap.statement) {
    case scenario::Statement::kSlower:
      ++summary.stated;
      summary.right += measured > 0.0 ? 1 : 0;
      break;
    case scenario::Statement::kNoDifference:
      summary.missed += is_apart ? 1 : 0;
      break;
    case scenario::Statement::kUndecided:
      ++summary.undecided;
      break;
  }
}

/// Compares each drawn point of a part with the next one of its case.
void count_differences(const ScoredCase& scored, const std::vector<std::string>& tags,
                       DifferenceSummary& summary) {
  constexpr double kUsualNoise = 0.005;
  const ComparedTimes* before = nullptr;
  for (const MeasuredSeries& series : scored.prediction.series) {
    for (const Point& point : series.points) {
      const bool is_drawn = point.compared && !point.compared->drawn_s.empty();
      if (!is_drawn || !belongs(point, scored, tags)) continue;
      if (before != nullptr) {
        compare(*before, *point.compared, scored.head.noise.value_or(kUsualNoise), summary);
      }
      before = &*point.compared;
    }
  }
}

void summarize_points(const Points& points, Weighting weighting, ErrorSummary& summary) {
  summary.points = points.size();
  if (points.empty()) return;
  const Values sizes = of_points(points, size_of_error);
  const Values factors = of_points(points, factor_of_error);
  summary.signed_median = median_of(of_points(points, signed_error), weighting);
  summary.median = median_of(sizes, weighting);
  summary.p90 = calibration::percentile(sizes, 90);
  summary.median_factor = median_of(factors, weighting);
  summary.p90_factor = calibration::percentile(factors, 90);
  summary.too_low =
      mean(of_points(points, [](const Point& p) { return *p.error < 0 ? 1.0 : 0.0; }));
  const Point& worst = **std::max_element(
      points.begin(), points.end(),
      [](const Point* a, const Point* b) { return size_of_error(*a) < size_of_error(*b); });
  summary.worst = *worst.error;
  summary.worst_at = worst.label;
  summary.null_model = null_model_of(points, weighting);
}

void weigh_groups(const PointsByGroup& groups, ErrorSummary& summary) {
  Values signed_medians;
  Values medians;
  Values factors;
  for (const auto& [name, points] : groups) {
    signed_medians.push_back(calibration::median(of_points(points, signed_error)));
    medians.push_back(calibration::median(of_points(points, size_of_error)));
    factors.push_back(calibration::median(of_points(points, factor_of_error)));
  }
  summary.signed_median = calibration::median(signed_medians);
  summary.median = calibration::median(medians);
  summary.p90 = calibration::percentile(medians, 90);
  summary.median_factor = calibration::median(factors);
  summary.p90_factor = calibration::percentile(factors, 90);
}

}  // namespace

const char* to_string(VerdictOutcome outcome) {
  switch (outcome) {
    case VerdictOutcome::kRight:
      return "right";
    case VerdictOutcome::kFalseAccept:
      return "false accept";
    case VerdictOutcome::kFalseRefusal:
      return "false refusal";
    case VerdictOutcome::kWrongReason:
      break;
  }
  return "wrong reason";
}

bool IntervalSummary::is_too_narrow() const {
  const double deviation = std::sqrt(kHeld * (1 - kHeld) / static_cast<double>(groups));
  return inside < kHeld - calibration::kQuantile95 * deviation;
}

ErrorSummary summarize(const std::vector<const ScoredCase*>& cases, const std::string& part,
                       Weighting weighting) {
  ErrorSummary summary;
  PointsByGroup groups;
  DifferenceSummary differences;
  const auto tags = tags_of(part);
  for (const ScoredCase* scored : cases) {
    for (const MeasuredSeries& series : scored->prediction.series) {
      Points known;  // includes given points
      for (const Point& point : series.points) {
        if (!belongs(point, *scored, tags)) continue;
        if (point.is_scored()) groups[scored->head.group].push_back(&point);
        if (point.is_missing()) ++summary.not_run;
        if (point.measured && point.predicted) known.push_back(&point);
      }
      if (scored->head.noise) count_pairs(known, *scored->head.noise, summary);
    }
    count_differences(*scored, tags, differences);
  }
  Points all;
  for (const auto& [name, points] : groups) all.insert(all.end(), points.begin(), points.end());
  summarize_points(all, weighting, summary);
  summary.groups = groups.size();
  summary.intervals = intervals_of(groups);
  if (differences.pairs > 0) summary.differences = differences;
  summary.verdicts = verdicts_of(all);
  if (cases.size() == 1 && !summary.verdicts) summary.rank_correlation = rank_correlation(all);
  if (weighting == Weighting::kGroups && groups.size() > 1) weigh_groups(groups, summary);
  return summary;
}

std::string part_text(std::string part) {
  std::replace(part.begin(), part.end(), '_', ' ');
  for (std::size_t at = 0; (at = part.find('/', at)) != std::string::npos;) {
    part.replace(at, 1, ", ");
  }
  return part;
}

std::vector<const ScoredCase*> counted(const std::vector<ScoredCase>& cases) {
  std::vector<const ScoredCase*> all;
  for (const ScoredCase& scored : cases) {
    if (scored.head.counts) all.push_back(&scored);
  }
  return all;
}

}  // namespace vgsim::scoring
