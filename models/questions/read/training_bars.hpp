#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "models/questions/read/training_case.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/origin.hpp"
#include "topology/input/record.hpp"
#include "topology/input/shapes/shape.hpp"
#include "topology/input/source_file.hpp"

namespace vgsim::scenario {

inline constexpr const char* kTrainingBarsFormat = "vgsim.training-bars/1";

/// Below this efficiency at the anchor's batch a job is hard to scale, and so to predict.
inline constexpr double kHardToScale = 0.9;

/// Was measured, is no anchor and not left out.
[[nodiscard]] bool is_scored(const TrainingPoint& point);

/// How far off a point is that is scored.
struct TrainingError {
  double error = 0;                  ///< (predicted - measured) / measured
  std::optional<double> null_error;  ///< the same of TrainingScore::as_anchor
  JobKind kind = JobKind::kData;
  bool hard = false;  ///< to scale
  bool several_hosts = false;
};

/// Of a case.
struct TrainingErrors {
  std::string id;
  bool counts = true;  ///< not of grade C
  std::vector<TrainingError> points;
  std::size_t not_run = 0;  ///< that could not be run
};

/// Points that are judged together.
struct PointGroup {
  const char* key;   ///< in files
  const char* text;  ///< on screen
  bool (*holds)(const TrainingError&);
};
/// All, hard ones, and by what a job splits.
[[nodiscard]] const std::vector<PointGroup>& point_groups();

/// The points of a group, in all cases that count.
[[nodiscard]] std::vector<TrainingError> points_in(const PointGroup& group,
                                                   const std::vector<TrainingErrors>& cases);

/// |error| of each, and of the null model where it says something.
[[nodiscard]] std::vector<double> sizes_of(const std::vector<TrainingError>& points);
[[nodiscard]] std::vector<double> null_sizes_of(const std::vector<TrainingError>& points);

/// Of a case and what score_training() made of it.
[[nodiscard]] TrainingErrors errors_of(const TrainingCase& measured,
                                       const std::vector<std::vector<TrainingScore>>& scores);

/// What the errors of a set of points must not exceed.
struct TrainingLimits {
  std::optional<double> median;   ///< of |error|; 0.1 is 10 %
  std::optional<double> p90;      ///< 90th percentile of |error|
  std::optional<double> of_null;  ///< median over that of the null model, on points that both say
  std::size_t points = 1;         ///< that must be there at least
};

/// As a file of bars says it.
[[nodiscard]] input::Decoder<TrainingLimits> error_limits();

/// Adds a sentence for each limit that errors do not keep, but for that of the null model.
void judge_errors(const std::string& what, std::vector<double> errors, const TrainingLimits& limits,
                  std::vector<std::string>& missed);

/// The same for the limit that compares with the null model: |errors| of points of which both say
/// something.
void judge_null(const std::string& what, const std::vector<double>& sizes,
                const std::vector<double>& null_sizes, const TrainingLimits& limits,
                std::vector<std::string>& missed);

struct TrainingBars {
  std::vector<input::Named<TrainingLimits>> groups;  ///< by PointGroup::key
  std::vector<input::Named<TrainingLimits>> cases;   ///< by id
  std::size_t not_run = 0;  ///< points that may fail to run, over the cases that count
};

/// A file of bars for training cases.
[[nodiscard]] input::Shape training_bars_shape();

/// Reads such a file, strictly.
[[nodiscard]] tl::expected<TrainingBars, input::Diagnostics> read_training_bars(
    const input::SourcePtr& file);

/// A sentence for each bar that was missed: "all: median 6.1 % for 6 % at most".
[[nodiscard]] std::vector<std::string> missed_training_bars(
    const std::vector<TrainingErrors>& cases, const TrainingBars& bars);

}  // namespace vgsim::scenario
