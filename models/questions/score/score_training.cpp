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

namespace vgsim::scenario {
namespace {

// The search for a share of the peak. Where it begins does not matter: each step solves for the
// share that gives the measured time if nothing but computing changes, and it ends when that
// stands.
constexpr double kFirstGuess = 0.4;
constexpr int kMostRuns = 8;
constexpr double kSettled = 1e-3;  ///< relative

/// Of what GPUs reach elsewhere in 16-bit matrix products: an anchor below is no measure of them.
/// The anchors of the open cases (tests/training-cases) come out at 0.23 to 0.52 of the peak, held
/// up by their start, their host or their input, or at 0.73 to 0.86; with the 0.75 of elsewhere
/// whatever lies between 0.70 and 0.97 parts them in the same way.
constexpr double kLeastOfElsewhere = 0.7;

/// Runs of points, each once: several series tell of the same.
class Runs {
 public:
  Runs(const Library& library, const input::FileLoader& load, const RunSettings& settings)
      : library_(library), load_(load), settings_(settings) {}

  const TrainingRun& run(const TrainingPoint& point, std::optional<double> share) {
    const auto [run, is_new] = known_.try_emplace({point.scenario.canonical(), share});
    if (is_new) {
      try {
        run->second = job_of(point).run(share);
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
  std::map<std::pair<std::string, std::optional<double>>, TrainingRun> known_;
  std::optional<MeasuredJob> job_;
  std::string text_;  ///< of its scenario
};

/// The share of its peak with which a point comes out as measured.
double fitted_share(Runs& runs, const TrainingSeries& series, const TrainingPoint& point) {
  double share = kFirstGuess;
  for (int i = 0; i < kMostRuns; ++i) {
    const TrainingRun& ran = runs.run(point, share);
    const double ratio = *point.value / in_metric(series, point, ran);
    const double seconds = to_seconds(ran.training.iteration);
    const double wanted = series.is_time() ? seconds * ratio : seconds / ratio;
    const double computing = to_seconds(ran.training.compute);
    const double left = computing - (seconds - wanted);
    if (left <= 0) return 1.0;
    const double next = std::min(1.0, share * computing / left);
    const bool settled = std::abs(next / share - 1) < kSettled;
    share = next;
    if (settled) break;
  }
  return share;
}

/// An anchor that reaches less is held up by something else than what is fitted.
double least_share(const MeasuredJob& job, const Library& library) {
  const bool products = job.has_share_of_products() && job.precision() == "fp16";
  return products ? library.parameters.number("ampere_matrix_share") * kLeastOfElsewhere : 0.0;
}

/// Shares of anchors, by whom they may be used: of a series and machine, of a machine, of all.
class Shares {
 public:
  void add(const std::string& series, const std::string& gpus, double share) {
    for (const std::string& key : keys(series, gpus)) by_key_[key].push_back(share);
  }

  [[nodiscard]] std::optional<double> of(const std::string& series, const std::string& gpus) const {
    for (const std::string& key : keys(series, gpus)) {
      const auto found = by_key_.find(key);
      if (found != by_key_.end()) return calibration::median(found->second);
    }
    return std::nullopt;
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
  Shares shares;
  for (const TrainingSeries& series : measured.series) {
    for (const TrainingPoint& point : series.points) {
      if (!calibrated || !point.anchor || !point.value || !point.left_out.empty()) continue;
      try {
        const MeasuredJob& job = runs.job_of(point);
        const double share = fitted_share(runs, series, point);
        if (share >= least_share(job, library)) shares.add(series.id, job.gpus(), share);
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
        ran.back() = &runs.run(point, shares.of(series.id, runs.job_of(point).gpus()));
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
