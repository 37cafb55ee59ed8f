#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "models/scenario/answer/misfit.hpp"
#include "models/scenario/build/run_settings.hpp"
#include "models/scenario/read/document.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/file_loader.hpp"
#include "topology/input/shapes/shape.hpp"
#include "topology/input/source_file.hpp"

namespace vgsim::scenario {

struct Library;

inline constexpr const char* kTrainingCaseFormat = "vgsim.training-case/1";

/// One measurement of a training job.
struct TrainingPoint {
  Document scenario;  ///< complete: with the patches of its series and its own, and its hosts
  std::optional<double> value;          ///< nothing for a prediction only
  bool anchor = false;                  ///< may calibrate what its GPUs reach
  std::optional<double> flop_per_step;  ///< as the source counts them, for TFLOP/s
  std::string left_out;                 ///< why it is not run; empty if it is
};

/// Measurements that differ in few things.
struct TrainingSeries {
  std::string id;
  std::string metric;  ///< "samples_per_s", "tokens_per_s", "step_time_s" or "tflops_per_gpu"
  bool of_one_gpu = false;
  double source_factor = 1.0;  ///< value in the source's unit over this one's
  std::vector<TrainingPoint> points;

  [[nodiscard]] bool is_time() const { return metric == "step_time_s"; }
};

/// Measured training jobs of one source.
struct TrainingCase {
  std::string id;
  std::string group;
  std::string grade;
  std::vector<TrainingSeries> series;
};

/// A case file: "machines" by name, a base "scenario", and series with points, each with a merge
/// patch (RFC 7396). "use": {"machine", "hosts", "gpus"} in any of them stands for so many hosts of
/// that machine with so many GPUs each.
[[nodiscard]] input::Shape training_case_shape();

/// Reads such a file, strictly: patches, and the scenario of every point, have the form of one, but
/// are not built.
[[nodiscard]] tl::expected<TrainingCase, input::Diagnostics> read_training_case(
    const input::SourcePtr& file);

/// That holds nine draws in ten, in the metric of a series.
struct DrawnRange {
  double low = 0;
  double high = 0;
};

/// What became of a point.
struct TrainingScore {
  std::optional<double> predicted;  ///< in the series' metric; nothing where it could not be run
  std::string failure;              ///< why not
  JobKind kind = JobKind::kData;
  /// In the series' metric: what its GPUs would reach if each did as much as one of its anchor, the
  /// null model. The anchor is of the same network, GPUs and precision, with the nearest batch of a
  /// GPU; nothing without one.
  std::optional<double> as_anchor;
  bool keeps_batch = false;  ///< the batch of a GPU is that of the anchor
  double efficiency = 1.0;   ///< measured, of what the anchor's GPUs reach
  /// Of the prediction: what an error may come from.
  std::size_t ranks = 0;
  std::size_t hosts = 0;
  std::int64_t global_batch = 0;
  double iteration_s = 0;
  double compute_s = 0;
  double exposed_communication_s = 0;
  std::optional<DrawnRange> drawn;  ///< of one point in a series, if asked for
};

struct TrainingScoring {
  bool calibrated = true;   ///< fit to the anchors
  std::uint64_t draws = 0;  ///< for the interval of the scored point in the middle of each series
};

/// Predicts all points of a case, by series. If calibrated, how many times as long passes take as
/// predicted is first fitted to the anchors, by machine and precision, in each draw anew. Anchors
/// have predictions of their own too.
[[nodiscard]] std::vector<std::vector<TrainingScore>> score_training(
    const TrainingCase& measured, const Library& library, const input::FileLoader& load,
    const RunSettings& settings, const TrainingScoring& scoring);

}  // namespace vgsim::scenario
