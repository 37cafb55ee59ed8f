#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "models/calibration/statistics.hpp"
#include "models/questions/read/training_case.hpp"
#include "models/questions/score/training_point.hpp"
#include "models/scenario/read/library.hpp"
#include "models/training/virtualization.hpp"

namespace vgsim::scenario {
namespace {

// The search for how many times longer passes take than predicted: each step solves for what gives
// the measured time if nothing but computing changes, and it ends when that stands.
constexpr int kMostRuns = 8;
constexpr double kSettled = 1e-3;  ///< relative
constexpr double kMostFactor = 20;
constexpr int kFewHeldUp = 20;  ///< the host holds up at most one part in so many

/// Times longer that transformers take in 16 bits: an anchor beyond is held up by its start, its
/// host or its input, and no measure of its GPUs.
constexpr double kMostOfElsewhere = 1.4;

/// Runs of points, each once: several series tell of the same.
class Runs {
 public:
  Runs(const Library& library, const input::FileLoader& load, const RunSettings& settings)
      : library_(library), load_(load), settings_(settings) {}

  const TrainingRun& run(const TrainingPoint& point, double factor) {
    const auto [run, is_new] = known_.try_emplace({point.scenario.canonical(), factor});
    if (is_new) {
      try {
        run->second = job_of(point).run(factor);
      } catch (...) {
        known_.erase(run);
        throw;
      }
    }
    return run->second;
  }

  /// Stands until it is asked for another point.
  MeasuredJob& job_of(const TrainingPoint& point) {
    std::string text = point.scenario.canonical();
    if (!job_ || text != text_) {
      job_.emplace(point.scenario, library_, load_, settings_);
      text_ = std::move(text);
    }
    return *job_;
  }

 private:
  const Library& library_;
  const input::FileLoader& load_;
  const RunSettings& settings_;
  std::map<std::pair<std::string, double>, TrainingRun> known_;
  std::optional<MeasuredJob> job_;
  std::string text_;  ///< of its scenario
};

/// Whether the host decides how long a rank computes: then it does not tell how fast its GPU is.
bool waits_for_launches(const TrainingResult& training) {
  return std::any_of(training.losses.begin(), training.losses.end(), [&](const auto& loss) {
    return loss.mechanism == training::kLaunches && loss.time * kFewHeldUp > training.compute;
  });
}

/// The factor with which a point comes out as measured; nothing where it tells of no GPU.
std::optional<double> fitted_factor(Runs& runs, const TrainingSeries& series,
                                    const TrainingPoint& point) {
  double factor = 1.0;
  for (int i = 0; i < kMostRuns; ++i) {
    const TrainingRun& ran = runs.run(point, factor);
    if (waits_for_launches(ran.training)) return std::nullopt;
    const double ratio = *point.value / in_metric(series, point, ran);
    const double seconds = to_seconds(ran.training.iteration);
    const double wanted = series.is_time() ? seconds * ratio : seconds / ratio;
    const double computing = to_seconds(ran.training.compute);
    const double left = computing - (seconds - wanted);
    if (computing <= 0) return std::nullopt;
    const double next = std::clamp(factor * left / computing, 1 / kMostFactor, kMostFactor);
    const bool settled = std::abs(next / factor - 1) < kSettled;
    factor = next;
    if (settled) break;
  }
  return factor;
}

/// An anchor that takes longer is held up by something else than what is fitted.
double most_factor(const MeasuredJob& job) {
  return job.is_transformer() && job.precision() == "fp16" ? kMostOfElsewhere : kMostFactor;
}

/// Factors of anchors, by whom they may be used: of a series and machine, of a machine, of all.
class Factors {
 public:
  void add(const std::string& series, const std::string& gpus, double factor) {
    for (const std::string& key : keys(series, gpus)) by_key_[key].push_back(factor);
  }

  [[nodiscard]] double of(const std::string& series, const std::string& gpus) const {
    for (const std::string& key : keys(series, gpus)) {
      const auto found = by_key_.find(key);
      if (found != by_key_.end()) return calibration::median(found->second);
    }
    return 1.0;
  }

 private:
  static std::vector<std::string> keys(const std::string& series, const std::string& gpus) {
    return {series + "\n" + gpus, "\n" + gpus, ""};
  }

  std::map<std::string, std::vector<double>> by_key_;
};

void describe(const TrainingRun& ran, TrainingScore& score) {
  score.ranks = ran.ranks;
  score.global_batch = ran.training.global_batch;
  score.iteration_s = to_seconds(ran.training.iteration);
  score.compute_s = to_seconds(ran.training.compute);
  score.exposed_communication_s = to_seconds(ran.training.exposed_communication);
}

/// Sets how a series' points compare with its first anchor.
void compare_with_anchor(const TrainingSeries& series, std::vector<TrainingScore>& scores,
                         const std::vector<const TrainingRun*>& runs) {
  std::optional<std::size_t> anchor;
  for (std::size_t i = 0; i < runs.size() && !anchor; ++i) {
    if (series.points[i].anchor && runs[i] && series.points[i].value) anchor = i;
  }
  if (!anchor) return;
  const auto per_gpu = [&](std::size_t i) {
    return static_cast<double>(runs[i]->training.global_batch) /
           static_cast<double>(runs[i]->ranks);
  };
  const auto rate = [&](std::size_t i) {
    const double value = *series.points[i].value;
    if (series.is_time()) return per_gpu(i) / value;
    const bool all = !series.of_one_gpu && series.metric != "tflops_per_gpu";
    return all ? value / static_cast<double>(runs[i]->ranks) : value;
  };
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (!runs[i] || !series.points[i].value) continue;
    scores[i].keeps_batch = per_gpu(i) == per_gpu(*anchor);
    scores[i].efficiency = rate(i) / rate(*anchor);
  }
}

}  // namespace

std::vector<std::vector<TrainingScore>> score_training(const TrainingCase& measured,
                                                       const Library& library,
                                                       const input::FileLoader& load,
                                                       const RunSettings& settings,
                                                       bool calibrated) {
  Runs runs(library, load, settings);
  Factors factors;
  for (const TrainingSeries& series : measured.series) {
    for (const TrainingPoint& point : series.points) {
      if (!calibrated || !point.anchor || !point.value || !point.left_out.empty()) continue;
      try {
        const MeasuredJob& job = runs.job_of(point);
        const auto factor = fitted_factor(runs, series, point);
        if (factor && *factor <= most_factor(job)) factors.add(series.id, job.gpus(), *factor);
      } catch (const std::exception&) {
        continue;  // reported when the point itself is run
      }
    }
  }
  std::vector<std::vector<TrainingScore>> result;
  for (const TrainingSeries& series : measured.series) {
    std::vector<TrainingScore>& scores = result.emplace_back();
    std::vector<const TrainingRun*> ran;
    for (const TrainingPoint& point : series.points) {
      TrainingScore& score = scores.emplace_back();
      ran.push_back(nullptr);
      score.failure = point.left_out;
      if (!point.left_out.empty()) continue;
      try {
        ran.back() = &runs.run(point, factors.of(series.id, runs.job_of(point).gpus()));
        score.predicted = in_metric(series, point, *ran.back());
        describe(*ran.back(), score);
      } catch (const std::exception& error) {
        score.failure = error.what();
      }
    }
    compare_with_anchor(series, scores, ran);
  }
  return result;
}

}  // namespace vgsim::scenario
