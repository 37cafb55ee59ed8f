#pragma once

#include <compare>
#include <cstddef>
#include <optional>
#include <string>

#include "models/scenario/answer/misfit.hpp"
#include "models/scenario/build/prepared.hpp"
#include "models/scenario/build/run_settings.hpp"
#include "models/scenario/run/result.hpp"
#include "models/scoring/kinds/job_case.hpp"
#include "topology/input/file_loader.hpp"

namespace vgsim::scenario {
struct Library;
}

namespace vgsim::scoring {

/// As misfits_at() says them.
struct MisfitRange {
  scenario::Misfits value;
  scenario::Misfits low;
  scenario::Misfits high;
};

/// What became of a training job.
struct TrainingRun {
  scenario::TrainingResult training;
  scenario::JobKind kind = scenario::JobKind::kData;
  MisfitRange misfits;  ///< not in `training`
  std::size_t ranks = 0;
  std::size_t hosts = 0;
  double stated_tokens = 1;  ///< of a sample; 1 where the scenario says none
};

/// How many times as long as predicted something takes.
struct SlowdownFactors {
  double passes = 1.0;    ///< on the GPU
  double launches = 1.0;  ///< of kernels by the host

  auto operator<=>(const SlowdownFactors&) const = default;
};

/// A job that was measured: read once, and run with several factors, each time on the machines of
/// the time before. It did fit, whatever the memory model says.
class MeasuredJob {
 public:
  /// The library and the loader must outlive it. Throws std::runtime_error for no sound scenario.
  MeasuredJob(const scenario::Document& scenario, const scenario::Library& library,
              const input::FileLoader& load, const scenario::RunSettings& settings);

  /// Throws std::runtime_error where it cannot be run.
  [[nodiscard]] scenario::LayoutResult run();
  /// The same of a training job.
  [[nodiscard]] TrainingRun train(const SlowdownFactors& factors = {});

  /// Whether its layers are described as those of a transformer, and programmed as one kernel where
  /// that can be: with FlashAttention, or tuned.
  [[nodiscard]] bool is_fused_transformer() const;
  [[nodiscard]] const std::string& precision() const;
  /// What its GPUs are: the same text for those that are alike.
  [[nodiscard]] std::string gpus() const;

 private:
  scenario::LayoutResult run(scenario::Shared<scenario::Layout> layout);

  const scenario::Library& library_;
  const input::FileLoader& load_;
  scenario::RunSettings settings_;
  scenario::Scenario scenario_;
  scenario::Shared<scenario::Layout> layout_;
  std::optional<scenario::PreparedScenario> last_;
};

/// What a run of a training point gives in the metric of its series.
[[nodiscard]] double in_metric(const JobSeries& series, const JobPoint& point,
                               const TrainingRun& run);

}  // namespace vgsim::scoring
