#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/scoring/kinds/job_case.hpp"
#include "models/scoring/kinds/measured_job.hpp"

namespace vgsim::scoring {

/// Runs of training points, cached: several series have the same scenarios.
class TrainingRuns {
 public:
  /// The library and the loader must outlive it.
  TrainingRuns(const scenario::Library& library, const input::FileLoader& load,
               const scenario::RunSettings& settings)
      : library_(library), load_(load), settings_(settings) {}

  /// Throws std::runtime_error if it cannot be run.
  const TrainingRun& run(const JobPoint& point, const SlowdownFactors& factors);

  /// Valid until the next call with another point. Throws std::runtime_error for an invalid
  /// scenario.
  MeasuredJob& job_of(const JobPoint& point);

 private:
  const scenario::Library& library_;
  const input::FileLoader& load_;
  const scenario::RunSettings& settings_;
  std::map<std::pair<std::string, SlowdownFactors>, TrainingRun> known_;
  std::optional<MeasuredJob> job_;
  std::string text_;  ///< of the current scenario
};

/// Factors with which the prediction of a point equals its measurement.
struct FittedFactors {
  SlowdownFactors factors;
  bool of_launches = false;  ///< the fitted factor; else that of the passes
};

/// Factors of anchors. The factor of passes applies to the series and GPUs of its anchors, else to
/// those GPUs, else everywhere. The factor of launches depends on the software and applies only to
/// the same series on the same GPUs.
class AnchorFactors {
 public:
  void add(const std::string& series, const std::string& gpus, const FittedFactors& fitted);
  [[nodiscard]] SlowdownFactors of(const std::string& series, const std::string& gpus) const;

 private:
  using Factors = std::map<std::string, std::vector<double>>;

  static std::vector<std::string> keys(const std::string& series, const std::string& gpus);
  static double middle(const Factors& factors, const std::vector<std::string>& known);

  Factors passes_;
  Factors launches_;
};

/// Fits the anchors of a case; skips those that cannot be run.
[[nodiscard]] AnchorFactors fit_anchors(const JobCase& measured, TrainingRuns& runs);

}  // namespace vgsim::scoring
