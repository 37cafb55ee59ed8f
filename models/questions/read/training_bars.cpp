#include "models/questions/read/training_bars.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "models/calibration/statistics.hpp"
#include "topology/input/json_reader.hpp"
#include "topology/input/report.hpp"
#include "topology/input/suggest.hpp"

namespace vgsim::scenario {
namespace {

using namespace input;

constexpr double kMostRelativeError = 1e6;
constexpr std::int64_t kMostScored = 1'000'000;

/// As it is read: counts are signed there.
struct LimitKeys {
  std::optional<double> median;
  std::optional<double> p90;
  std::optional<double> of_null;
  std::int64_t points = 1;
};

struct BarKeys {
  Value format;
  std::vector<Named<TrainingLimits>> groups;
  std::vector<Named<TrainingLimits>> cases;
  std::int64_t not_run = 0;
};

void verify_groups(const BarKeys& read, const Value&, Diagnostics& diagnostics) {
  std::vector<std::string> known;
  for (const PointGroup& group : point_groups()) known.emplace_back(group.key);
  for (const Named<TrainingLimits>& group : read.groups) {
    if (std::find(known.begin(), known.end(), group.name) != known.end()) continue;
    report(diagnostics, group.origin, fmt::format("no group of points \"{}\"", group.name),
           fmt::format("one of: {}", fmt::join(known, ", ")), suggest(group.name, known));
  }
}

const Decoder<BarKeys>& training_bars_decoder() {
  static const Decoder<BarKeys> decoder = record<BarKeys>(
      {
          key("format", &BarKeys::format, as_written(enum_shape({kTrainingBarsFormat}))).required(),
          key("groups", &BarKeys::groups, named("group of points", error_limits()))
              .required()
              .describe("over the points of all cases of grade A and B; hard to scale are those "
                        "whose efficiency is below 0.9 at the batch of the anchor"),
          key("cases", &BarKeys::cases, named("id of a case", error_limits())),
          key("not_run", &BarKeys::not_run, count(0, kMostScored))
              .describe("points that may fail to run")
              .default_value("0"),
      },
      verify_groups);
  return decoder;
}

std::string share_text(double share) { return fmt::format("{:.4g} %", 100 * share); }

}  // namespace

Decoder<TrainingLimits> error_limits() {
  return changed(
      record<LimitKeys>({
          key("median", &LimitKeys::median, number(0, kMostRelativeError))
              .describe("most that the median of |error| may be; 0.1 is 10 %"),
          key("p90", &LimitKeys::p90, number(0, kMostRelativeError))
              .describe("most that the 90th percentile of |error| may be"),
          key("of_null", &LimitKeys::of_null, number(0, kMostRelativeError))
              .describe("most that the median may be of that of the null model, which says that "
                        "each GPU does as much as one of the anchor"),
          key("points", &LimitKeys::points, count(1, kMostScored))
              .describe("points that must be there at least")
              .default_value("1"),
      }),
      [](const LimitKeys& read) {
        return TrainingLimits{read.median, read.p90, read.of_null,
                              static_cast<std::size_t>(read.points)};
      });
}

void judge_errors(const std::string& what, std::vector<double> errors, const TrainingLimits& limits,
                  std::vector<std::string>& missed) {
  if (errors.size() < limits.points) {
    missed.push_back(
        fmt::format("{}: {} points for {} at least", what, errors.size(), limits.points));
  }
  if (errors.empty()) return;
  for (double& error : errors) error = std::abs(error);
  const auto hold = [&](const char* name, double value, const std::optional<double>& most) {
    if (!most || value <= *most) return;
    missed.push_back(
        fmt::format("{}: {} {} for {} at most", what, name, share_text(value), share_text(*most)));
  };
  hold("median", calibration::median(errors), limits.median);
  hold("90th percentile", calibration::percentile(errors, 90), limits.p90);
}

void judge_null(const std::string& what, const std::vector<double>& sizes,
                const std::vector<double>& null_sizes, const TrainingLimits& limits,
                std::vector<std::string>& missed) {
  if (!limits.of_null) return;
  if (sizes.empty() || null_sizes.empty()) {
    missed.push_back(fmt::format("{}: no point to compare with the null model", what));
    return;
  }
  const double ours = calibration::median(sizes);
  const double null = calibration::median(null_sizes);
  if (ours <= *limits.of_null * null) return;
  missed.push_back(fmt::format("{}: median {} for {} of the null model's {} at most", what,
                               share_text(ours), share_text(*limits.of_null), share_text(null)));
}

const std::vector<PointGroup>& point_groups() {
  static const std::vector<PointGroup> groups{
      {"all", "all", [](const TrainingError&) { return true; }},
      {"hard", "  hard to scale", [](const TrainingError& e) { return e.hard; }},
      {"data_parallel", "data parallel",
       [](const TrainingError& e) { return e.kind == JobKind::kData; }},
      {"data_parallel_hard", "  hard to scale",
       [](const TrainingError& e) { return e.kind == JobKind::kData && e.hard; }},
      {"sharded", "sharded", [](const TrainingError& e) { return e.kind == JobKind::kSharded; }},
      {"split_one_host", "split over one host",
       [](const TrainingError& e) { return e.kind == JobKind::kSplit && !e.several_hosts; }},
      {"split_several_hosts", "split over several hosts",
       [](const TrainingError& e) { return e.kind == JobKind::kSplit && e.several_hosts; }},
  };
  return groups;
}

std::vector<TrainingError> points_in(const PointGroup& group,
                                     const std::vector<TrainingErrors>& cases) {
  std::vector<TrainingError> points;
  for (const TrainingErrors& each : cases) {
    if (!each.counts) continue;
    std::copy_if(each.points.begin(), each.points.end(), std::back_inserter(points), group.holds);
  }
  return points;
}

std::vector<double> sizes_of(const std::vector<TrainingError>& points) {
  std::vector<double> sizes;
  for (const TrainingError& point : points) sizes.push_back(std::abs(point.error));
  return sizes;
}

std::vector<double> null_sizes_of(const std::vector<TrainingError>& points) {
  std::vector<double> sizes;
  for (const TrainingError& point : points) {
    if (point.null_error) sizes.push_back(std::abs(*point.null_error));
  }
  return sizes;
}

bool is_scored(const TrainingPoint& point) {
  return point.value && !point.anchor && point.left_out.empty();
}

TrainingErrors errors_of(const TrainingCase& measured,
                         const std::vector<std::vector<TrainingScore>>& scores) {
  TrainingErrors errors{measured.id, measured.grade != "C", {}, 0};
  for (std::size_t s = 0; s < measured.series.size(); ++s) {
    const std::vector<TrainingPoint>& points = measured.series[s].points;
    for (std::size_t p = 0; p < points.size(); ++p) {
      const TrainingScore& score = scores.at(s).at(p);
      if (!is_scored(points[p])) continue;
      if (!score.predicted) {
        ++errors.not_run;
        continue;
      }
      TrainingError& point = errors.points.emplace_back();
      point.error = *score.predicted / *points[p].value - 1;
      if (score.as_anchor) point.null_error = *score.as_anchor / *points[p].value - 1;
      point.kind = score.kind;
      point.hard = score.keeps_batch && score.efficiency < kHardToScale;
      point.several_hosts = score.hosts > 1;
    }
  }
  return errors;
}

Shape training_bars_shape() { return training_bars_decoder().shape; }

tl::expected<TrainingBars, Diagnostics> read_training_bars(const SourcePtr& file) {
  const auto document = read_json(file);
  if (!document) return tl::unexpected(document.error());
  Diagnostics diagnostics;
  check(*document, training_bars_decoder().shape, diagnostics);
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  BarKeys read = training_bars_decoder().read(*document, diagnostics);
  if (diagnostics.has_errors()) return tl::unexpected(diagnostics);
  return TrainingBars{std::move(read.groups), std::move(read.cases),
                      static_cast<std::size_t>(read.not_run)};
}

std::vector<std::string> missed_training_bars(const std::vector<TrainingErrors>& cases,
                                              const TrainingBars& bars) {
  std::vector<std::string> missed;
  for (const Named<TrainingLimits>& limits : bars.groups) {
    const auto group =
        std::find_if(point_groups().begin(), point_groups().end(),
                     [&](const PointGroup& each) { return each.key == limits.name; });
    auto points = points_in(*group, cases);
    judge_errors(limits.name, sizes_of(points), *limits, missed);
    std::erase_if(points, [](const TrainingError& point) { return !point.null_error; });
    judge_null(limits.name, sizes_of(points), null_sizes_of(points), *limits, missed);
  }
  for (const Named<TrainingLimits>& limits : bars.cases) {
    const auto found = std::find_if(cases.begin(), cases.end(), [&](const TrainingErrors& each) {
      return each.id == limits.name;
    });
    judge_errors(limits.name,
                 found == cases.end() ? std::vector<double>{} : sizes_of(found->points), *limits,
                 missed);
  }
  std::size_t not_run = 0;
  for (const TrainingErrors& each : cases) not_run += each.counts ? each.not_run : 0;
  if (not_run > bars.not_run) {
    missed.push_back(
        fmt::format("{} points could not be run, for {} at most", not_run, bars.not_run));
  }
  return missed;
}

}  // namespace vgsim::scenario
