#pragma once

#include <cstddef>

#include "models/questions/score/training_case.hpp"
#include "models/scenario/build/run_settings.hpp"
#include "models/scenario/run/result.hpp"
#include "topology/input/file_loader.hpp"

namespace vgsim::scenario {

struct Library;

/// What became of a training job.
struct TrainingRun {
  TrainingResult training;
  std::size_t ranks = 0;
};

/// Runs the scenario of a training job that was measured: it did fit, whatever the memory model
/// says. Throws std::runtime_error where it cannot be run.
[[nodiscard]] TrainingRun run_training(const input::Value& scenario, const Library& library,
                                       const input::FileLoader& load, const RunSettings& settings);

/// What a run of a point gives in the metric of its series.
[[nodiscard]] double in_metric(const TrainingSeries& series, const TrainingPoint& point,
                               const TrainingRun& run);

}  // namespace vgsim::scenario
