#include <fmt/format.h>

#include <cmath>
#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/calibration/statistics.hpp"
#include "models/scoring/case_kind.hpp"
#include "models/scoring/kinds/anchors.hpp"
#include "models/scoring/kinds/job_case.hpp"
#include "models/scoring/kinds/measured_job.hpp"
#include "models/scoring/likeness.hpp"

namespace vgsim::scoring {
namespace {

/// Below this efficiency at the anchor's batch, scaling of a job is hard to predict.
constexpr double kHardToScale = 0.9;

/// A run of a point, with the properties that make it comparable with another.
struct Comparable {
  const TrainingRun* run = nullptr;  ///< nullptr if it failed
  std::string subject;               ///< GPUs, precision and network

  [[nodiscard]] double batch() const {
    return static_cast<double>(run->training.global_batch) / static_cast<double>(run->ranks);
  }
};

/// The value of a point if its GPUs perform like those of its anchor.
struct AnchorComparison {
  double value = 0;          ///< in the metric of the series
  bool keeps_batch = false;  ///< whether the batch of a GPU equals the anchor's
};

/// The anchor with the nearest batch of a GPU, the first among equals; nothing without one.
std::optional<std::size_t> anchor_of(const JobSeries& series, const std::vector<Comparable>& runs,
                                     std::size_t point) {
  std::optional<std::size_t> nearest;
  const auto distance = [&](std::size_t a) {
    return std::abs(std::log(runs[a].batch() / runs[point].batch()));
  };
  for (std::size_t a = 0; a < runs.size(); ++a) {
    const bool known = series.points[a].role() == Role::kGiven && runs[a].run;
    if (!known || runs[a].subject != runs[point].subject) continue;
    if (!nearest || distance(a) < distance(*nearest)) nearest = a;
  }
  return nearest;
}

std::optional<AnchorComparison> compare_with_anchor(const JobSeries& series,
                                                    const std::vector<Comparable>& runs,
                                                    std::size_t point) {
  const auto anchor = anchor_of(series, runs, point);
  if (!anchor) return std::nullopt;
  const bool of_all = !series.of_one_gpu && series.metric != "tflops_per_gpu";
  const double samples = runs[point].batch() / runs[*anchor].batch();
  const double ranks =
      static_cast<double>(runs[point].run->ranks) / static_cast<double>(runs[*anchor].run->ranks);
  const double growth = series.is_time() ? samples : of_all ? ranks : 1.0;
  return AnchorComparison{*series.points[*anchor].value * growth, samples == 1.0};
}

std::vector<std::string> tags_of(const TrainingRun& run) {
  const std::string hosts = run.hosts > 1 ? "several_hosts" : "one_host";
  const std::string like = tag_of_likeness(run.machines_like);
  switch (run.kind) {
    case scenario::JobKind::kDataParallel:
      return {"data_parallel", hosts, like};
    case scenario::JobKind::kSharded:
      return {"sharded", hosts, like};
    case scenario::JobKind::kModelParallel:
      return {"split", hosts, like};
  }
  return {};
}

std::vector<Fact> facts_of(const TrainingRun& run) {
  const scenario::TrainingResult& training = run.training;
  return {{"kind", std::string(scenario::to_string(run.kind))},
          {"architecture", run.architecture},
          {"hosts", static_cast<std::int64_t>(run.hosts)},
          {"ranks", static_cast<std::int64_t>(run.ranks)},
          {"global_batch", training.global_batch},
          {"iteration_s", to_seconds(training.iteration)},
          {"compute_s", to_seconds(training.compute)},
          {"exposed_communication_s", to_seconds(training.exposed_communication)}};
}

double sample_seconds(const scenario::TrainingResult& training) {
  return to_seconds(training.iteration) / static_cast<double>(training.global_batch);
}

/// By which a point is compared with others of its case: the measured time is the predicted one
/// without its error.
ComparedTimes compared_times(const JobSeries& series, double error, const TrainingRun& run) {
  const double predicted = sample_seconds(run.training);
  const double measured = series.is_time() ? predicted / (1 + error) : predicted * (1 + error);
  return {fmt::format("{}, {} tokens", run.training.network, run.training.tokens),
          measured,
          predicted,
          {}};
}

/// Adds the anchor's estimate to a point that was run.
void add_null_model(const JobSeries& series, const AnchorComparison& as_anchor, Point& point) {
  point.null_model = as_anchor.value;
  point.facts.push_back({"keeps_batch", as_anchor.keeps_batch});
  if (!point.measured) return;
  point.null_error = as_anchor.value / *point.measured - 1;
  const double efficiency =
      series.is_time() ? as_anchor.value / *point.measured : *point.measured / as_anchor.value;
  point.facts.push_back({"efficiency", efficiency});
  if (as_anchor.keeps_batch && efficiency < kHardToScale) point.tags.push_back("hard");
}

Point unpredicted(const JobPoint& from) {
  Point point;
  point.role = from.role();
  point.measured = from.value;
  point.failure = from.left_out;
  point.label = fmt::format("point {}", from.source.point);
  point.source = from.source;
  return point;
}

Point predicted(const JobSeries& series, const JobPoint& from, const TrainingRun& run) {
  Point point = unpredicted(from);
  point.label = fmt::format("{} GPUs, batch {}", run.ranks, run.training.global_batch);
  point.predicted = in_metric(series, from, run);
  if (from.value) point.error = *point.predicted / *from.value - 1;
  if (point.error) point.compared = compared_times(series, *point.error, run);
  point.tags = tags_of(run);
  point.facts = facts_of(run);
  return point;
}

MeasuredSeries predict_series(const JobSeries& series, const AnchorFactors& factors,
                              TrainingRuns& runs) {
  MeasuredSeries result{series.id, series.metric, {}};
  std::vector<Comparable> ran(series.points.size());
  for (std::size_t p = 0; p < series.points.size(); ++p) {
    const JobPoint& from = series.points[p];
    Point& point = result.points.emplace_back(unpredicted(from));
    if (from.role() == Role::kLeftOut) continue;
    try {
      const std::string gpus = runs.job_of(from).gpus();
      ran[p].run = &runs.run(from, factors.of(series.id, gpus));
      ran[p].subject = gpus + "\n" + ran[p].run->training.network;
      point = predicted(series, from, *ran[p].run);
    } catch (const std::exception& error) {
      point.failure = error.what();
    }
  }
  for (std::size_t p = 0; p < ran.size(); ++p) {
    const auto as_anchor = ran[p].run ? compare_with_anchor(series, ran, p) : std::nullopt;
    if (as_anchor) add_null_model(series, *as_anchor, result.points[p]);
  }
  return result;
}

/// Drawn points of a series: the scored one in the middle, whose interval is scored, and one to
/// compare it with, an anchor if there is one.
struct DrawnPoints {
  std::optional<std::size_t> middle;
  std::optional<std::size_t> other;
};

DrawnPoints drawn_points(const MeasuredSeries& series) {
  std::vector<std::size_t> scored;
  std::optional<std::size_t> given;
  for (std::size_t p = 0; p < series.points.size(); ++p) {
    const Point& point = series.points[p];
    if (point.is_scored()) scored.push_back(p);
    if (point.role == Role::kGiven && point.predicted && !given) given = p;
  }
  if (scored.empty()) return {};
  const std::size_t middle = scored[scored.size() / 2];
  const auto other = given || scored.size() == 1 ? given : std::optional(scored.front());
  return {middle, other};
}

/// In one draw: its value in the metric, and seconds per sample.
struct DrawnPoint {
  double value = 0;
  double sample_s = 0;
};

/// Nothing for a point that cannot be run.
std::optional<DrawnPoint> drawn(const JobSeries& from, std::size_t number,
                                const AnchorFactors& factors, TrainingRuns& runs) {
  const JobPoint& point = from.points[number];
  try {
    const TrainingRun& ran = runs.run(point, factors.of(from.id, runs.job_of(point).gpus()));
    const double as_run = in_metric(from, point, ran);
    const double factor = scenario::slowdown_by(ran.training, ran.model_errors.drawn);
    return DrawnPoint{from.is_time() ? as_run * factor : as_run / factor,
                      sample_seconds(ran.training) * factor};
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

/// The factors of the anchors are fitted again in each draw, so quantities that they determine have
/// no spread.
void add_intervals(const JobCase& measured, const input::FileLoader& load,
                   const PredictionSettings& settings, std::vector<MeasuredSeries>& series) {
  std::vector<DrawnPoints> wanted;
  for (const MeasuredSeries& each : series) wanted.push_back(drawn_points(each));
  std::vector<std::vector<double>> values(series.size());
  for (std::uint64_t draw = 0; draw < settings.draws; ++draw) {
    scenario::RunSettings own = settings.run;
    own.draw = scenario::ParameterDraw{draw, settings.draws, 1};
    TrainingRuns runs(settings.library, load, own);
    const AnchorFactors factors =
        settings.calibrated ? fit_anchors(measured, runs) : AnchorFactors();
    for (std::size_t s = 0; s < series.size(); ++s) {
      for (const auto number : {wanted[s].other, wanted[s].middle}) {
        if (!number) continue;
        const auto point = drawn(measured.series[s], *number, factors, runs);
        auto& compared = series[s].points[*number].compared;
        if (compared)
          compared->drawn_s.push_back(point ? std::optional(point->sample_s) : std::nullopt);
        if (point && number == wanted[s].middle) values[s].push_back(point->value);
      }
    }
  }
  for (std::size_t s = 0; s < series.size(); ++s) {
    if (values[s].empty()) continue;
    Point& point = series[s].points[*wanted[s].middle];
    point.interval = Interval{std::min(calibration::percentile(values[s], 5), *point.predicted),
                              std::max(calibration::percentile(values[s], 95), *point.predicted)};
  }
}

/// Skips results that need other simulations.
PredictionSettings quick(PredictionSettings settings) {
  settings.run.next_limit = false;
  settings.run.note_inputs = false;
  settings.run.epoch_end = false;
  return settings;
}

Prediction predict_training(const JobCase& measured, const input::FileLoader& load,
                            const PredictionSettings& given) {
  const PredictionSettings settings = quick(given);
  TrainingRuns runs(settings.library, load, settings.run);
  const AnchorFactors factors = settings.calibrated ? fit_anchors(measured, runs) : AnchorFactors();
  Prediction prediction;
  for (const JobSeries& series : measured.series) {
    prediction.series.push_back(predict_series(series, factors, runs));
  }
  add_intervals(measured, load, settings, prediction.series);
  return prediction;
}

tl::expected<Case, input::Diagnostics> read_training(const CaseFile& file) {
  auto measured = read_training_case(file.source);
  if (!measured) return tl::unexpected(measured.error());
  return Case{measured->head,
              [measured = *measured, load = file.load](const PredictionSettings& settings) {
                return predict_training(measured, load, settings);
              }};
}

}  // namespace

CaseKind training_cases() {
  return {
      .name = "training",
      .format = kTrainingCaseFormat,
      .shape = &training_case_shape,
      .read = &read_each<read_training>,
      .weighting = Weighting::kPoints,
      .parts = with_likeness_parts({kAll, "hard", "data_parallel", "data_parallel/hard", "sharded",
                                    "split", "split/one_host", "split/several_hosts"}),
      .columns = {"points", "signed", "median", "p90", "worst", "compared", "own median",
                  "null median", "null p90", "order", "inside", "width", "pairs", "stated right",
                  "undecided", "missed", "pairs inside", "not run"},
      .has_anchors = true,
      .has_draws = true,
      .legend =
          "null model: each GPU performs like one of the nearest anchor of the same network "
          "and GPU. "
          "hard: points with the anchor's batch on each GPU whose measured efficiency is below "
          "0.9. like: number of measured machines with this kind of job and GPU architecture"};
}

}  // namespace vgsim::scoring
