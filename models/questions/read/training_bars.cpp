#include "models/questions/read/training_bars.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "models/calibration/statistics.hpp"
#include "topology/input/json_reader.hpp"

namespace vgsim::scenario {
namespace {

using namespace input;

constexpr double kMostRelativeError = 1e6;
constexpr std::int64_t kMostScored = 1'000'000;

/// As it is read: counts are signed there.
struct LimitKeys {
  std::optional<double> median;
  std::optional<double> p90;
  std::int64_t points = 1;
};

struct BarKeys {
  Value format;
  TrainingLimits all;
  TrainingLimits hard;
  std::vector<Named<TrainingLimits>> cases;
  std::int64_t not_run = 0;
};

const Decoder<BarKeys>& training_bars_decoder() {
  static const Decoder<BarKeys> decoder = record<BarKeys>({
      key("format", &BarKeys::format, as_written(enum_shape({kTrainingBarsFormat}))).required(),
      key("all", &BarKeys::all, error_limits())
          .required()
          .describe("over the points of all cases of grade A and B"),
      key("hard_to_scale", &BarKeys::hard, error_limits())
          .required()
          .describe("over those whose efficiency is below 0.9 at the batch of the anchor"),
      key("cases", &BarKeys::cases, named("id of a case", error_limits())),
      key("not_run", &BarKeys::not_run, count(0, kMostScored))
          .describe("points that may fail to run")
          .default_value("0"),
  });
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
          key("points", &LimitKeys::points, count(1, kMostScored))
              .describe("points that must be there at least")
              .default_value("1"),
      }),
      [](const LimitKeys& read) {
        return TrainingLimits{read.median, read.p90, static_cast<std::size_t>(read.points)};
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

bool is_scored(const TrainingPoint& point) {
  return point.value && !point.anchor && point.left_out.empty();
}

TrainingErrors errors_of(const TrainingCase& measured,
                         const std::vector<std::vector<TrainingScore>>& scores) {
  TrainingErrors errors{measured.id, measured.grade != "C", {}, {}, 0};
  for (std::size_t s = 0; s < measured.series.size(); ++s) {
    const std::vector<TrainingPoint>& points = measured.series[s].points;
    for (std::size_t p = 0; p < points.size(); ++p) {
      const TrainingScore& score = scores.at(s).at(p);
      if (!is_scored(points[p])) continue;
      if (!score.predicted) {
        ++errors.not_run;
        continue;
      }
      errors.all.push_back(*score.predicted / *points[p].value - 1);
      if (score.keeps_batch && score.efficiency < kHardToScale) {
        errors.hard.push_back(errors.all.back());
      }
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
  return TrainingBars{read.all, read.hard, std::move(read.cases),
                      static_cast<std::size_t>(read.not_run)};
}

std::vector<std::string> missed_training_bars(const std::vector<TrainingErrors>& cases,
                                              const TrainingBars& bars) {
  std::vector<std::string> missed;
  TrainingErrors sum;
  for (const TrainingErrors& each : cases) {
    if (!each.counts) continue;
    sum.all.insert(sum.all.end(), each.all.begin(), each.all.end());
    sum.hard.insert(sum.hard.end(), each.hard.begin(), each.hard.end());
    sum.not_run += each.not_run;
  }
  judge_errors("all", sum.all, bars.all, missed);
  judge_errors("hard to scale", sum.hard, bars.hard, missed);
  for (const Named<TrainingLimits>& limits : bars.cases) {
    const auto found = std::find_if(cases.begin(), cases.end(), [&](const TrainingErrors& each) {
      return each.id == limits.name;
    });
    judge_errors(limits.name, found == cases.end() ? std::vector<double>{} : found->all, *limits,
                 missed);
  }
  if (sum.not_run > bars.not_run) {
    missed.push_back(
        fmt::format("{} points could not be run, for {} at most", sum.not_run, bars.not_run));
  }
  return missed;
}

}  // namespace vgsim::scenario
