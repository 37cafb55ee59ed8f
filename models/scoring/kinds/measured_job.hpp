#pragma once

#include <compare>
#include <cstddef>
#include <optional>
#include <string>

#include "models/scenario/answer/model_error.hpp"
#include "models/scenario/build/prepared.hpp"
#include "models/scenario/build/run_settings.hpp"
#include "models/scenario/run/result.hpp"
#include "models/scoring/kinds/job_case.hpp"
#include "topology/input/file_loader.hpp"

namespace vgsim::scenario {
struct Library;
}

namespace vgsim::scoring {

/// As of drawn_error_factors(), none without a draw, and error_factors_at().
struct ModelErrorRange {
  scenario::ErrorFactors drawn;
  scenario::ErrorFactors low;
  scenario::ErrorFactors high;
};

/// The result of a training job.
struct TrainingRun {
  scenario::TrainingResult training;
  scenario::JobKind kind = scenario::JobKind::kDataParallel;
  ModelErrorRange model_errors;  ///< not applied to `training`
  std::size_t ranks = 0;
  std::size_t hosts = 0;
  std::string architecture;       ///< of the GPUs: "hopper"
  std::size_t machines_like = 0;  ///< measured ones with this kind of job and architecture
  double stated_tokens = 1;       ///< of a sample; 1 if the scenario states none
};

/// Factors on predicted times.
struct SlowdownFactors {
  double passes = 1.0;    ///< GPU time of the passes
  double launches = 1.0;  ///< kernel launches by the host

  auto operator<=>(const SlowdownFactors&) const = default;
};

/// A measured job: read once, then run with several factors, each time on the machines of the
/// previous run. Its memory use is not checked, since the job did run.
class MeasuredJob {
 public:
  /// The library and the loader must outlive it. Throws std::runtime_error for an invalid scenario.
  MeasuredJob(const scenario::Document& scenario, const scenario::Library& library,
              const input::FileLoader& load, const scenario::RunSettings& settings);

  /// Throws std::runtime_error if it cannot be run.
  [[nodiscard]] scenario::LayoutResult run();
  /// Factor of the drawn model errors on the time of a result of run(); 1 without a draw.
  [[nodiscard]] double drawn_slowdown(const scenario::LayoutResult& result) const;
  /// run() for a training job.
  [[nodiscard]] TrainingRun train(const SlowdownFactors& factors = {});

  /// Whether its layers are described as those of a transformer and fused where possible: with
  /// FlashAttention, or tuned.
  [[nodiscard]] bool is_fused_transformer() const;
  [[nodiscard]] const std::string& precision() const;
  /// The description of its GPUs: equal texts for equal GPUs.
  [[nodiscard]] std::string gpus() const;

 private:
  scenario::LayoutResult run(scenario::Shared<scenario::Layout> layout);
  [[nodiscard]] scenario::ErrorFactors drawn_errors() const;

  const scenario::Library& library_;
  const input::FileLoader& load_;
  scenario::RunSettings settings_;
  scenario::Scenario scenario_;
  scenario::Shared<scenario::Layout> layout_;
  std::optional<scenario::PreparedScenario> last_;
};

/// The result of a training point in the metric of its series.
[[nodiscard]] double in_metric(const JobSeries& series, const JobPoint& point,
                               const TrainingRun& run);

}  // namespace vgsim::scoring
