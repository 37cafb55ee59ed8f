#pragma once

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

/// What became of a training job.
struct TrainingRun {
  TrainingResult training;
  std::size_t ranks = 0;
  double stated_tokens = 1;  ///< of a sample; 1 where the scenario says none
};

/// A training job that was measured: read once, and run with what its GPUs reach, each time on the
/// machines of the time before. It did fit, whatever the memory model says.
class MeasuredJob {
 public:
  /// The library and the loader must outlive it. Throws std::runtime_error for no sound scenario.
  MeasuredJob(const Document& scenario, const Library& library, const input::FileLoader& load,
              const RunSettings& settings);

  /// With that share of the GPUs' peak instead of what is usual. Throws std::runtime_error where
  /// it cannot be run.
  [[nodiscard]] TrainingRun run(std::optional<double> share = std::nullopt);

  /// Whether that is the share of matrix products alone, as for transformers without another.
  [[nodiscard]] bool has_share_of_products() const;
  [[nodiscard]] const std::string& precision() const;
  /// What its GPUs are: the same text for those that reach the same share.
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
