#include <fmt/format.h>

#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

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

double virtual_metric(const scenario::LayoutResult& layout, const std::string& metric) {
  if (metric == "busbw_GBps") return of_job(layout.collective, metric).points.back().busbw_GBps;
  const scenario::TrainingResult& training = of_job(layout.training, metric);
  if (metric == "stun_s") return stun_in(training);
  if (metric == "training_s") return training.training_s;
  if (metric == "samples_per_s") return training.samples_per_s;
  return to_seconds(training.iteration);
}

/// Runs a point; the prediction is in the metric of the series, before scaling.
Point run_point(const JobPoint& from, const std::string& metric, const input::FileLoader& load,
                const PredictionSettings& settings) {
  Point point;
  point.label = fmt::format("point {}", from.source.point);
  point.role = from.role();
  point.measured = from.value;
  point.failure = from.left_out;
  point.source = from.source;
  if (point.role == Role::kLeftOut) return point;
  try {
    scenario::RunSettings run = settings.run;
    run.next_limit = false;
    point.predicted =
        virtual_metric(MeasuredJob(from.scenario, settings.library, load, run).run(), metric);
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

/// Every point is run unchanged; series of ratios are then scaled to their given point.
Prediction predict_virtual(const JobCase& measured, const input::FileLoader& load,
                           const PredictionSettings& settings) {
  Prediction prediction;
  for (const JobSeries& from : measured.series) {
    MeasuredSeries& series = prediction.series.emplace_back(from.id, from.metric);
    for (const JobPoint& point : from.points) {
      series.points.push_back(run_point(point, from.metric, load, settings));
    }
    const auto scale = measured.is_ratio ? scale_of(series.points) : Scale();
    for (std::size_t p = 0; p < from.points.size(); ++p) {
      compare(from.points[p], scale, series.points[p]);
    }
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
      .columns = {"points", "signed", "median", "p90", "worst", "null median", "in order",
                  "not run"},
      .legend =
          "null model: an estimate without a model of virtualization. pair: a VM "
          "against "
          "bare metal; share: time slices of a GPU; mig: MIG slices; stun: of vMotion; nic: kinds "
          "of NICs; "
          "p2p: traffic between GPUs"};
}

}  // namespace vgsim::scoring
