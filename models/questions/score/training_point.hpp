#pragma once

#include <compare>
#include <cstddef>
#include <optional>
#include <string>

#include "models/questions/read/training_case.hpp"
#include "models/scenario/build/prepared.hpp"
#include "models/scenario/build/run_settings.hpp"
#include "models/scenario/run/result.hpp"
#include "topology/input/file_loader.hpp"

namespace vgsim::scenario {

struct Library;

/// As misfits_at() says them.
struct MisfitRange {
  Misfits value;
  Misfits low;
  Misfits high;
};

/// What became of a training job.
struct TrainingRun {
  TrainingResult training;
  JobKind kind = JobKind::kData;
  MisfitRange misfits;  ///< not in `training`
  std::size_t ranks = 0;
  std::size_t hosts = 0;
  double stated_tokens = 1;  ///< of a sample; 1 where the scenario says none
};

/// How many times as long as predicted something takes.
struct Pace {
  double passes = 1.0;    ///< on the GPU
  double launches = 1.0;  ///< of kernels by the host

  auto operator<=>(const Pace&) const = default;
};

/// A training job that was measured: read once, and run at several paces, each time on the
/// machines of the time before. It did fit, whatever the memory model says.
class MeasuredJob {
 public:
  /// The library and the loader must outlive it. Throws std::runtime_error for no sound scenario.
  MeasuredJob(const Document& scenario, const Library& library, const input::FileLoader& load,
              const RunSettings& settings);

  /// Throws std::runtime_error where it cannot be run.
  [[nodiscard]] TrainingRun run(const Pace& pace = {});

  /// Whether its layers are described as those of a transformer, and programmed as one kernel where
  /// that can be: with FlashAttention, or tuned.
  [[nodiscard]] bool is_fused_transformer() const;
  [[nodiscard]] const std::string& precision() const;
  /// What its GPUs are: the same text for those that are alike.
  [[nodiscard]] std::string gpus() const;

 private:
  const Library& library_;
  const input::FileLoader& load_;
  RunSettings settings_;
  Scenario scenario_;
  Shared<Layout> layout_;
  std::optional<PreparedScenario> last_;
};

/// What a run of a point gives in the metric of its series.
[[nodiscard]] double in_metric(const TrainingSeries& series, const TrainingPoint& point,
                               const TrainingRun& run);

}  // namespace vgsim::scenario
