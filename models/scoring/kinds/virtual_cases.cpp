#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "models/calibration/statistics.hpp"
#include "models/scoring/case_kind.hpp"
#include "models/scoring/kinds/job_case.hpp"
#include "models/scoring/kinds/measured_job.hpp"

namespace vgsim::scoring {
namespace {

constexpr const char* kVmotion = "vMotion";

double stun_in(const scenario::TrainingResult& training) {
  for (const scenario::Interruption& each : training.interruptions) {
    if (each.what.starts_with(kVmotion)) return each.seconds;
  }
  throw std::runtime_error("the scenario has no vMotion");
}

template <class T>
const T& of_job(const std::optional<T>& result, const std::string& metric) {
  if (!result) throw std::runtime_error("its job has no " + metric);
  return *result;
}

/// With the drawn errors of the model: `slowdown` of a training job, whose interruptions have
/// separate errors, and the drawn spread of a collective.
double virtual_metric(const scenario::LayoutResult& layout, const std::string& metric,
                      double slowdown) {
  if (metric == "busbw_GBps") {
    const auto& point = of_job(layout.collective, metric).points.back();
    return point.busbw_GBps * to_seconds(point.time) / to_seconds(point.low);
  }
  const scenario::TrainingResult& training = of_job(layout.training, metric);
  if (metric == "stun_s") return stun_in(training);
  if (metric == "training_s") return training.training_s * slowdown;
  if (metric == "samples_per_s") return training.samples_per_s / slowdown;
  return to_seconds(training.iteration) * slowdown;
}

/// The value in the metric of the series, before scaling. Throws std::exception if it cannot be
/// run.
double run_point(const JobPoint& from, const std::string& metric, const input::FileLoader& load,
                 const scenario::Library& library, const scenario::RunSettings& settings) {
  MeasuredJob job(from.scenario, library, load, settings);
  scenario::LayoutResult result = job.run();
  if (!settings.draw && result.collective) {
    for (auto& point : result.collective->points) point.low = point.time;
  }
  return virtual_metric(result, metric, job.drawn_slowdown(result));
}

Point predicted_point(const JobPoint& from, const std::string& metric,
                      const input::FileLoader& load, const PredictionSettings& settings) {
  Point point;
  point.label = fmt::format("point {}", from.source.point);
  point.role = from.role();
  point.measured = from.value;
  point.failure = from.left_out;
  point.source = from.source;
  if (point.role == Role::kLeftOut) return point;
  try {
    point.predicted = run_point(from, metric, load, settings.library, settings.run);
  } catch (const std::exception& error) {
    point.failure = error.what();
  }
  return point;
}

/// Measured value of the given point of a series divided by its prediction.
struct Scale {
  double measured = 1.0;
  double factor = 1.0;
};

/// The scale that maps the given point to its value; nothing if it could not be run.
std::optional<Scale> scale_of(const std::vector<Point>& points) {
  for (const Point& point : points) {
    if (point.role != Role::kGiven || !point.predicted) continue;
    return Scale{*point.measured, *point.measured / *point.predicted};
  }
  return std::nullopt;
}

/// 0 if a lower bound is satisfied.
double error_of(const JobPoint& from, double predicted) {
  if (from.at_least && predicted >= *from.value) return 0.0;
  return predicted / *from.value - 1;
}

void compare(const JobPoint& from, const std::optional<Scale>& scale, Point& point) {
  if (!scale) {
    if (point.predicted) point.failure = "the given point could not be run";
    point.predicted.reset();
    return;
  }
  if (point.predicted) *point.predicted *= scale->factor;
  if (from.null_model) point.null_model = *from.null_model * scale->measured;
  if (point.role != Role::kScored) return;
  if (point.predicted) point.error = error_of(from, *point.predicted);
  if (point.null_model) point.null_error = error_of(from, *point.null_model);
}

/// The values of the points of a series in one draw, as ratios to that of the given one where the
/// predictions are; nothing for a point that could not be run.
std::vector<std::optional<double>> drawn_values(const JobSeries& from,
                                                const std::vector<Point>& points, bool is_ratio,
                                                const input::FileLoader& load,
                                                const scenario::Library& library,
                                                const scenario::RunSettings& settings) {
  std::vector<std::optional<double>> values(points.size());
  std::optional<double> scale;
  if (!is_ratio) scale = 1.0;
  for (std::size_t p = 0; p < points.size(); ++p) {
    if (!points[p].predicted) continue;
    try {
      values[p] = run_point(from.points[p], from.metric, load, library, settings);
      if (!scale && points[p].role == Role::kGiven) scale = *points[p].measured / *values[p];
    } catch (const std::exception&) {
      continue;
    }
  }
  for (auto& value : values) {
    if (value) value = scale ? std::optional(*value * *scale) : std::nullopt;
  }
  return values;
}

/// A time, or the inverse of a rate.
double time_of(const JobSeries& series, double value) {
  const bool is_rate = series.metric == "samples_per_s" || series.metric == "busbw_GBps";
  return is_rate ? 1.0 / value : value;
}

/// Intervals of the scored points, extended to contain their predictions.
void add_intervals(const JobSeries& from, bool is_ratio, const input::FileLoader& load,
                   const PredictionSettings& settings, std::vector<Point>& points) {
  std::vector<std::vector<double>> drawn(points.size());
  for (std::uint64_t draw = 0; draw < settings.draws; ++draw) {
    scenario::RunSettings own = settings.run;
    own.draw = scenario::ParameterDraw{draw, settings.draws, 1};
    const auto values = drawn_values(from, points, is_ratio, load, settings.library, own);
    for (std::size_t p = 0; p < values.size(); ++p) {
      if (values[p]) drawn[p].push_back(*values[p]);
      const auto time = values[p] ? std::optional(time_of(from, *values[p])) : std::nullopt;
      if (points[p].compared) points[p].compared->drawn_s.push_back(time);
    }
  }
  for (std::size_t p = 0; p < points.size(); ++p) {
    Point& point = points[p];
    if (drawn[p].empty() || !point.is_scored()) continue;
    point.interval = Interval{std::min(calibration::percentile(drawn[p], 5), *point.predicted),
                              std::max(calibration::percentile(drawn[p], 95), *point.predicted)};
  }
}

/// Every point is run unchanged; series of ratios are then scaled to their given point.
Prediction predict_virtual(const JobCase& measured, const input::FileLoader& load,
                           const PredictionSettings& given) {
  PredictionSettings settings = given;
  settings.run.next_limit = false;
  settings.run.note_inputs = false;
  Prediction prediction;
  for (const JobSeries& from : measured.series) {
    MeasuredSeries& series = prediction.series.emplace_back();
    series.id = from.id;
    series.metric = from.metric;
    for (const JobPoint& point : from.points) {
      series.points.push_back(predicted_point(point, from.metric, load, settings));
    }
    const auto scale = measured.is_ratio ? scale_of(series.points) : Scale();
    for (std::size_t p = 0; p < from.points.size(); ++p) {
      compare(from.points[p], scale, series.points[p]);
      Point& point = series.points[p];
      if (!point.predicted || !point.measured || from.metric == "stun_s") continue;
      point.compared = ComparedTimes{
          from.id, time_of(from, *point.measured), time_of(from, *point.predicted), {}};
    }
    add_intervals(from, measured.is_ratio, load, settings, series.points);
  }
  return prediction;
}

tl::expected<Case, input::Diagnostics> read_virtual(const CaseFile& file) {
  auto measured = read_virtual_case(file.source);
  if (!measured) return tl::unexpected(measured.error());
  return Case{measured->head,
              [measured = *measured, load = file.load](const PredictionSettings& settings) {
                return predict_virtual(measured, load, settings);
              }};
}

}  // namespace

CaseKind virtual_cases() {
  return {
      .name = "virtualization",
      .format = kVirtualCaseFormat,
      .shape = &virtual_case_shape,
      .read = &read_each<read_virtual>,
      .weighting = Weighting::kPoints,
      .parts = {kAll},
      .columns = {"points", "signed", "median", "p90", "worst", "null median", "in order", "inside",
                  "width", "pairs", "stated right", "undecided", "missed", "pairs inside",
                  "not run"},
      .has_draws = true,
      .legend =
          "null model: an estimate without a model of virtualization. pair: a VM "
          "against "
          "bare metal; share: time slices of a GPU; mig: MIG slices; stun: of vMotion; nic: kinds "
          "of NICs; "
          "p2p: traffic between GPUs"};
}

}  // namespace vgsim::scoring
