#include "models/scoring/fit/training_subject.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "models/scoring/kinds/measured_job.hpp"

namespace vgsim::scenario {
namespace {

/// The time of an iteration: the point's value if it is a time, the inverse if it is a rate.
double measured_seconds(const scoring::JobSeries& series, const scoring::JobPoint& point,
                        const scoring::TrainingRun& run) {
  const double seconds = to_seconds(run.training.iteration);
  const double ratio = *point.value / scoring::in_metric(series, point, run);
  return series.is_time() ? seconds * ratio : seconds / ratio;
}

}  // namespace

tl::expected<std::vector<Observation>, input::Diagnostics> TrainingSubject::observe(
    const Library& library) const {
  std::vector<Observation> all;
  for (const scoring::JobSeries& series : measured_.series) {
    for (const scoring::JobPoint& point : series.points) {
      if (!point.value || !point.left_out.empty()) continue;
      try {
        // The fit records the used parameters itself.
        RunSettings settings;
        settings.note_inputs = false;
        settings.epoch_end = false;
        const scoring::TrainingRun run =
            scoring::MeasuredJob(point.scenario, library, load_, settings).train();
        Observation each;
        each.id = measured_.head.id;
        each.what =
            fmt::format("{}, {} GPUs, batch {}", series.id, run.ranks, run.training.global_batch);
        each.measured_s = measured_seconds(series, point, run);
        each.predicted_s = to_seconds(run.training.iteration);
        each.low_s = each.predicted_s * slowdown_by(run.training, run.model_errors.low);
        each.high_s = each.predicted_s * slowdown_by(run.training, run.model_errors.high);
        all.push_back(std::move(each));
      } catch (const std::runtime_error& error) {
        input::Diagnostics diagnostics;
        diagnostics.error("E613", {}, "",
                          fmt::format("{}: a point of {} cannot be run: {}", measured_.head.id,
                                      series.id, error.what()),
                          "\"skip\" with the reason, at that point");
        return tl::unexpected(diagnostics);
      }
    }
  }
  return all;
}

}  // namespace vgsim::scenario
