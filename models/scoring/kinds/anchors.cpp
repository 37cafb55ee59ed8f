#include "models/scoring/kinds/anchors.hpp"

#include <algorithm>
#include <cmath>
#include <exception>

#include "models/calibration/statistics.hpp"
#include "models/training/virtualization.hpp"

namespace vgsim::scoring {
namespace {

// Search for a factor: each step computes the factor that gives the measured time if nothing else
// changes; it ends when the factor is constant.
constexpr int kMostRuns = 10;
constexpr double kSettled = 1e-3;  ///< relative
constexpr double kMostFactor = 20;
constexpr int kFewHeldUp = 20;  ///< launches delay at most 1/20

/// Upper limit of the factor of 16-bit passes of fused transformers. A larger one measures start-up
/// or input, not the GPUs.
constexpr double kMostOfElsewhere = 1.4;

/// Whether launches by the host determine the compute time: then the measurement is one of the
/// host.
bool waits_for_launches(const scenario::TrainingResult& training) {
  return std::any_of(training.losses.begin(), training.losses.end(), [&](const auto& loss) {
    return loss.mechanism == training::kLaunches && loss.time * kFewHeldUp > training.compute;
  });
}

/// Nothing if the point measures neither GPU nor host.
std::optional<FittedFactors> fitted_factors(TrainingRuns& runs, const JobSeries& series,
                                            const JobPoint& point) {
  FittedFactors fitted;
  for (int i = 0; i < kMostRuns; ++i) {
    const TrainingRun& ran = runs.run(point, fitted.factors);
    const double ratio = *point.value / in_metric(series, point, ran);
    const double seconds = to_seconds(ran.training.iteration);
    const double wanted = series.is_time() ? seconds * ratio : seconds / ratio;
    const double computing = to_seconds(ran.training.compute);
    const double left = computing - (seconds - wanted);
    if (computing <= 0) return std::nullopt;
    fitted.of_launches = waits_for_launches(ran.training);
    double& factor = fitted.of_launches ? fitted.factors.launches : fitted.factors.passes;
    const double next = std::clamp(factor * left / computing, 1 / kMostFactor, kMostFactor);
    const bool settled = std::abs(next / factor - 1) < kSettled;
    factor = next;
    if (settled) break;
  }
  return fitted;
}

/// An anchor above this factor is limited by something that is not fitted.
double most_factor(const MeasuredJob& job) {
  return job.is_fused_transformer() && job.precision() == "fp16" ? kMostOfElsewhere : kMostFactor;
}

}  // namespace

const TrainingRun& TrainingRuns::run(const JobPoint& point, const SlowdownFactors& factors) {
  const auto [run, is_new] = known_.try_emplace({point.scenario.canonical(), factors});
  if (is_new) {
    try {
      run->second = job_of(point).train(factors);
    } catch (...) {
      known_.erase(run);
      throw;
    }
  }
  return run->second;
}

MeasuredJob& TrainingRuns::job_of(const JobPoint& point) {
  std::string text = point.scenario.canonical();
  if (!job_ || text != text_) {
    job_.emplace(point.scenario, library_, load_, settings_);
    text_ = std::move(text);
  }
  return *job_;
}

void AnchorFactors::add(const std::string& series, const std::string& gpus,
                        const FittedFactors& fitted) {
  const auto known = keys(series, gpus);
  if (fitted.of_launches) {
    launches_[known.front()].push_back(fitted.factors.launches);
    return;
  }
  for (const std::string& key : known) passes_[key].push_back(fitted.factors.passes);
}

SlowdownFactors AnchorFactors::of(const std::string& series, const std::string& gpus) const {
  const auto known = keys(series, gpus);
  return {middle(passes_, known), middle(launches_, {known.front()})};
}

std::vector<std::string> AnchorFactors::keys(const std::string& series, const std::string& gpus) {
  return {series + "\n" + gpus, "\n" + gpus, ""};
}

double AnchorFactors::middle(const Factors& factors, const std::vector<std::string>& known) {
  for (const std::string& key : known) {
    const auto found = factors.find(key);
    if (found != factors.end()) return calibration::median(found->second);
  }
  return 1.0;
}

AnchorFactors fit_anchors(const JobCase& measured, TrainingRuns& runs) {
  AnchorFactors all;
  for (const JobSeries& series : measured.series) {
    for (const JobPoint& point : series.points) {
      if (point.role() != Role::kGiven) continue;
      try {
        const MeasuredJob& job = runs.job_of(point);
        const auto fitted = fitted_factors(runs, series, point);
        if (fitted && fitted->factors.passes <= most_factor(job)) {
          all.add(series.id, job.gpus(), *fitted);
        }
      } catch (const std::exception&) {
        continue;  // reported when the point itself is run
      }
    }
  }
  return all;
}

}  // namespace vgsim::scoring
