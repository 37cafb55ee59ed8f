#include "models/scoring/read/thresholds.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "topology/input/json_reader.hpp"
#include "topology/input/typed.hpp"

namespace vgsim::scoring {
namespace {

using namespace input;

constexpr const char* kThresholdsFormat = "vgsim.bars/2";
constexpr double kMostError = 1e6;
constexpr double kMostPoints = 1e6;

/// The quantity that is missed if too many points fail to run; it does not belong to a single part.
const Quantity kNotRun{"not_run",
                       "points not run",
                       "maximum number of points that fail to run, in all cases that count",
                       [](const ErrorSummary& s) -> std::optional<double> { return s.not_run; },
                       true,
                       0,
                       kMostPoints,
                       Unit::kCount};

Shape limit_shape(const Quantity& quantity) {
  if (quantity.unit != Unit::kCount) return number_shape(quantity.least, quantity.most);
  return count_shape(static_cast<std::int64_t>(quantity.least),
                     static_cast<std::int64_t>(quantity.most));
}

Shape limits_shape() {
  std::vector<Field> fields;
  for (const Quantity& quantity : quantities()) {
    fields.push_back(field(quantity.key, limit_shape(quantity)).describe(quantity.meaning));
  }
  return object_shape(std::move(fields));
}

template <std::size_t VerdictSummary::*count>
std::optional<double> count_of(const ErrorSummary& summary) {
  if (!summary.verdicts) return std::nullopt;
  return static_cast<double>(*summary.verdicts.*count);
}

double number_of(const Value& value, const Quantity& quantity) {
  return quantity.unit == Unit::kCount ? static_cast<double>(as_count(value)) : as_double(value);
}

/// The number of points comes first: it decides whether the others are meaningful.
void add_limits(const Member& member, bool is_case, Thresholds& thresholds) {
  for (const Quantity& quantity : quantities()) {
    const auto limit = find(member.value, quantity.key);
    const bool is_default = !limit && quantity.unit == Unit::kCount && !quantity.at_most;
    if (!limit && !is_default) continue;
    thresholds.limits.push_back({member.name, is_case, &quantity,
                                 is_default ? quantity.least : number_of(*limit, quantity)});
  }
}

bool is_met(const Quantity& quantity, double value, double limit) {
  return quantity.at_most ? value <= limit : value >= limit;
}

ErrorSummary summary_of(const Threshold& threshold, const std::vector<ScoredCase>& cases,
                        Weighting weighting) {
  if (!threshold.is_case) return summarize(counted(cases), threshold.of, weighting);
  std::vector<const ScoredCase*> one;
  for (const ScoredCase& scored : cases) {
    if (scored.head.id == threshold.of) one.push_back(&scored);
  }
  return summarize(one, kAll, weighting);
}

std::string text_of(double value, Unit unit) {
  switch (unit) {
    case Unit::kShare:
      return fmt::format("{:.4g} %", 100 * value);
    case Unit::kFactor:
      return fmt::format("x{:.4g}", value);
    case Unit::kCount:
      return fmt::format("{:.0f}", value);
  }
  return "";
}

/// A count of differences divided by another; nothing without the latter.
std::optional<double> share_of(const ErrorSummary& summary, std::size_t DifferenceSummary::*part,
                               std::size_t DifferenceSummary::*all) {
  if (!summary.differences || (*summary.differences).*all == 0) return std::nullopt;
  return static_cast<double>((*summary.differences).*part) /
         static_cast<double>((*summary.differences).*all);
}

}  // namespace

const std::vector<Quantity>& quantities() {
  using Summary = const ErrorSummary&;
  using Number = std::optional<double>;
  static const std::vector<Quantity> table = {
      {"points", "points", "minimum number of points", [](Summary s) -> Number { return s.points; },
       false, 1, kMostPoints, Unit::kCount},
      {"median", "median", "maximum median of |error|; 0.1 is 10 %",
       [](Summary s) -> Number { return s.median; }, true, 0, kMostError, Unit::kShare},
      {"p90", "90th percentile", "maximum 90th percentile of |error|",
       [](Summary s) -> Number { return s.p90; }, true, 0, kMostError, Unit::kShare},
      {"median_factor", "median factor", "maximum median factor; 1.5 is 50 % longer, or 1/1.5",
       [](Summary s) -> Number { return s.median_factor; }, true, 1, kMostError, Unit::kFactor},
      {"p90_factor", "90th percentile of the factor", "maximum 90th percentile of the factor",
       [](Summary s) -> Number { return s.p90_factor; }, true, 1, kMostError, Unit::kFactor},
      {"inside", "share inside the interval",
       "minimum share of the points inside the predicted interval, the mean over groups",
       [](Summary s) { return s.intervals ? Number(s.intervals->inside) : std::nullopt; }, false, 0,
       1, Unit::kShare},
      {"width", "width of the interval",
       "maximum width of intervals: the median over groups of high over low",
       [](Summary s) { return s.intervals ? Number(s.intervals->width) : std::nullopt; }, true, 1,
       kMostError, Unit::kFactor},
      {"interval_score", "interval score",
       "maximum interval score, expressed as the width of an interval with all points",
       [](Summary s) { return s.intervals ? Number(s.intervals->score) : std::nullopt; }, true, 1,
       kMostError, Unit::kFactor},
      {"stated_right", "statements that are right",
       "minimum share of the pairs of which one is stated to be slower that are measured so",
       [](Summary s) { return share_of(s, &DifferenceSummary::right, &DifferenceSummary::stated); },
       false, 0, 1, Unit::kShare},
      {"missed", "missed differences",
       "maximum share of the pairs that differ by more than 5 % of which no significant difference "
       "is stated",
       [](Summary s) { return share_of(s, &DifferenceSummary::missed, &DifferenceSummary::apart); },
       true, 0, 1, Unit::kShare},
      {"of_null", "median over that of the null model",
       "maximum ratio of the median of |error| to that of the null model, at the points that both "
       "predict",
       [](Summary s) {
         return s.null_model ? Number(s.null_model->own_median / s.null_model->median)
                             : std::nullopt;
       },
       true, 0, kMostError, Unit::kShare},
      {"in_order", "pairs in order",
       "minimum share of the pairs of points in a series, among those that differ by more than the "
       "noise, whose order is predicted correctly",
       [](Summary s) {
         return s.pairs > 0 ? Number(static_cast<double>(s.in_order) / static_cast<double>(s.pairs))
                            : std::nullopt;
       },
       false, 0, 1, Unit::kShare},
      {"false_accepts", "false accepts", "maximum number of supported verdicts that sources refuse",
       &count_of<&VerdictSummary::false_accepts>, true, 0, kMostPoints, Unit::kCount},
      {"false_refusals", "false refusals",
       "maximum number of refused verdicts that sources support",
       &count_of<&VerdictSummary::false_refusals>, true, 0, kMostPoints, Unit::kCount},
      {"wrong_reasons", "wrong reasons",
       "maximum number of correct verdicts by another rule than the named one",
       &count_of<&VerdictSummary::wrong_reasons>, true, 0, kMostPoints, Unit::kCount},
  };
  return table;
}

Shape thresholds_shape() {
  return object_shape({
      field("format", enum_shape({kThresholdsFormat})).required(),
      field("parts", map_shape("part of the score, as \"vgsim score --format json\" names it",
                               limits_shape()))
          .required()
          .describe("limits over the cases that count, by part: all, or tags such as "
                    "small/one_node"),
      field("cases", map_shape("id of a case", limits_shape())).describe("limits of single cases"),
      field(kNotRun.key, limit_shape(kNotRun)).describe(kNotRun.meaning).default_text("0"),
  });
}

tl::expected<Thresholds, Diagnostics> read_thresholds(const SourcePtr& file) {
  const auto document = read_json(file);
  if (!document) return tl::unexpected(document.error());
  Diagnostics diagnostics;
  check(*document, thresholds_shape(), diagnostics);
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  Thresholds thresholds;
  for (const auto& [key, is_case] : {std::pair("parts", false), std::pair("cases", true)}) {
    const auto limits = find(*document, key);
    if (!limits) continue;
    for (const Member& member : limits->members()) add_limits(member, is_case, thresholds);
  }
  const auto not_run = find(*document, kNotRun.key);
  if (not_run) thresholds.not_run = static_cast<std::size_t>(as_count(*not_run));
  return thresholds;
}

std::vector<MissedThreshold> missed_thresholds(const std::vector<ScoredCase>& cases,
                                               Weighting weighting, const Thresholds& thresholds) {
  std::vector<MissedThreshold> missed;
  for (const Threshold& threshold : thresholds.limits) {
    const ErrorSummary summary = summary_of(threshold, cases, weighting);
    const Quantity& quantity = *threshold.quantity;
    if (summary.points == 0 && quantity.unit != Unit::kCount) continue;
    const auto value = quantity.value(summary);
    if (!value || !is_met(quantity, *value, threshold.limit)) missed.push_back({threshold, value});
  }
  const auto not_run = summarize(counted(cases), kAll, weighting).not_run;
  if (not_run > thresholds.not_run) {
    missed.push_back({{kAll, false, &kNotRun, static_cast<double>(thresholds.not_run)},
                      static_cast<double>(not_run)});
  }
  return missed;
}

std::string describe(const MissedThreshold& missed) {
  const auto& [of, is_case, quantity, limit] = missed.threshold;
  const std::string what = is_case ? of : part_text(of);
  if (!missed.value) return fmt::format("{}: has no {}", what, quantity->text);
  return fmt::format("{}: {} {} for {} at {}", what, quantity->text,
                     text_of(*missed.value, quantity->unit), text_of(limit, quantity->unit),
                     quantity->at_most ? "most" : "least");
}

}  // namespace vgsim::scoring
