#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "models/calibration/statistics.hpp"
#include "models/questions/read/training_bars.hpp"
#include "models/questions/read/training_case.hpp"
#include "models/questions/score/training_point.hpp"
#include "models/scenario/read/library.hpp"
#include "models/training/virtualization.hpp"

namespace vgsim::scenario {
namespace {

// The search for a pace: each step solves for what gives the measured time if nothing but what is
// sought changes, and it ends when that stands.
constexpr int kMostRuns = 10;
constexpr double kSettled = 1e-3;  ///< relative
constexpr double kMostFactor = 20;
constexpr int kFewHeldUp = 20;  ///< the host holds up at most one part in so many

/// Times longer that passes of fused transformers take in 16 bits: an anchor beyond is held up by
/// its start or its input, and no measure of its GPUs.
constexpr double kMostOfElsewhere = 1.4;

/// Runs of points, each once: several series tell of the same.
class Runs {
 public:
  Runs(const Library& library, const input::FileLoader& load, const RunSettings& settings)
      : library_(library), load_(load), settings_(settings) {}

  const TrainingRun& run(const TrainingPoint& point, const Pace& pace) {
    const auto [run, is_new] = known_.try_emplace({point.scenario.canonical(), pace});
    if (is_new) {
      try {
        run->second = job_of(point).run(pace);
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
  std::map<std::pair<std::string, Pace>, TrainingRun> known_;
  std::optional<MeasuredJob> job_;
  std::string text_;  ///< of its scenario
};

/// Whether the host decides how long a rank computes: then that tells how fast the host is.
bool waits_for_launches(const TrainingResult& training) {
  return std::any_of(training.losses.begin(), training.losses.end(), [&](const auto& loss) {
    return loss.mechanism == training::kLaunches && loss.time * kFewHeldUp > training.compute;
  });
}

/// What a point tells of.
struct FittedPace {
  Pace pace;
  bool of_launches = false;  ///< else of passes
};

/// The pace with which a point comes out as measured; nothing where it tells of no GPU and no host.
std::optional<FittedPace> fitted_pace(Runs& runs, const TrainingSeries& series,
                                      const TrainingPoint& point) {
  FittedPace fitted;
  for (int i = 0; i < kMostRuns; ++i) {
    const TrainingRun& ran = runs.run(point, fitted.pace);
    const double ratio = *point.value / in_metric(series, point, ran);
    const double seconds = to_seconds(ran.training.iteration);
    const double wanted = series.is_time() ? seconds * ratio : seconds / ratio;
    const double computing = to_seconds(ran.training.compute);
    const double left = computing - (seconds - wanted);
    if (computing <= 0) return std::nullopt;
    fitted.of_launches = waits_for_launches(ran.training);
    double& factor = fitted.of_launches ? fitted.pace.launches : fitted.pace.passes;
    const double next = std::clamp(factor * left / computing, 1 / kMostFactor, kMostFactor);
    const bool settled = std::abs(next / factor - 1) < kSettled;
    factor = next;
    if (settled) break;
  }
  return fitted;
}

/// An anchor that takes longer is held up by something else than what is fitted.
double most_factor(const MeasuredJob& job) {
  return job.is_fused_transformer() && job.precision() == "fp16" ? kMostOfElsewhere : kMostFactor;
}

/// Paces of anchors, by whom they may be used: that of passes by a series and machine, by a
/// machine, by all; that of launches, which are the software's, by a series and machine alone.
class Paces {
 public:
  void add(const std::string& series, const std::string& gpus, const FittedPace& fitted) {
    const auto known = keys(series, gpus);
    if (fitted.of_launches) {
      launches_[known.front()].push_back(fitted.pace.launches);
      return;
    }
    for (const std::string& key : known) passes_[key].push_back(fitted.pace.passes);
  }

  [[nodiscard]] Pace of(const std::string& series, const std::string& gpus) const {
    const auto known = keys(series, gpus);
    return {middle(passes_, known), middle(launches_, {known.front()})};
  }

 private:
  using Factors = std::map<std::string, std::vector<double>>;

  static std::vector<std::string> keys(const std::string& series, const std::string& gpus) {
    return {series + "\n" + gpus, "\n" + gpus, ""};
  }

  static double middle(const Factors& factors, const std::vector<std::string>& known) {
    for (const std::string& key : known) {
      const auto found = factors.find(key);
      if (found != factors.end()) return calibration::median(found->second);
    }
    return 1.0;
  }

  Factors passes_;
  Factors launches_;
};

void describe(const TrainingRun& ran, TrainingScore& score) {
  score.kind = ran.kind;
  score.ranks = ran.ranks;
  score.hosts = ran.hosts;
  score.global_batch = ran.training.global_batch;
  score.iteration_s = to_seconds(ran.training.iteration);
  score.compute_s = to_seconds(ran.training.compute);
  score.exposed_communication_s = to_seconds(ran.training.exposed_communication);
}

/// A run of a point, with what tells whether it may be compared with another.
struct Comparable {
  const TrainingRun* run = nullptr;  ///< or nullptr where it failed
  std::string subject;               ///< GPUs, precision and network

  [[nodiscard]] double batch() const {
    return static_cast<double>(run->training.global_batch) / static_cast<double>(run->ranks);
  }
};

/// The anchor with the nearest batch of a GPU, the first of those; nothing without one.
std::optional<std::size_t> anchor_of(const TrainingSeries& series,
                                     const std::vector<Comparable>& runs, std::size_t point) {
  std::optional<std::size_t> nearest;
  const auto distance = [&](std::size_t a) {
    return std::abs(std::log(runs[a].batch() / runs[point].batch()));
  };
  for (std::size_t a = 0; a < runs.size(); ++a) {
    const bool known = series.points[a].anchor && series.points[a].value && runs[a].run;
    if (!known || runs[a].subject != runs[point].subject) continue;
    if (!nearest || distance(a) < distance(*nearest)) nearest = a;
  }
  return nearest;
}

/// Sets how a series' points compare with their anchors.
void compare_with_anchors(const TrainingSeries& series, const std::vector<Comparable>& runs,
                          std::vector<TrainingScore>& scores) {
  const bool of_all = !series.of_one_gpu && series.metric != "tflops_per_gpu";
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (!runs[i].run) continue;
    const auto anchor = anchor_of(series, runs, i);
    if (!anchor) continue;
    const double samples = runs[i].batch() / runs[*anchor].batch();
    const double ranks =
        static_cast<double>(runs[i].run->ranks) / static_cast<double>(runs[*anchor].run->ranks);
    const double growth = series.is_time() ? samples : of_all ? ranks : 1.0;
    const double as_anchor = *series.points[*anchor].value * growth;
    scores[i].as_anchor = as_anchor;
    scores[i].keeps_batch = samples == 1.0;
    if (const auto& value = series.points[i].value) {
      scores[i].efficiency = series.is_time() ? as_anchor / *value : *value / as_anchor;
    }
  }
}

/// The paces of a case's anchors.
Paces paces_of(const TrainingCase& measured, Runs& runs) {
  Paces paces;
  for (const TrainingSeries& series : measured.series) {
    for (const TrainingPoint& point : series.points) {
      if (!point.anchor || !point.value || !point.left_out.empty()) continue;
      try {
        const MeasuredJob& job = runs.job_of(point);
        const auto fitted = fitted_pace(runs, series, point);
        if (fitted && fitted->pace.passes <= most_factor(job)) {
          paces.add(series.id, job.gpus(), *fitted);
        }
      } catch (const std::exception&) {
        continue;  // reported when the point itself is run
      }
    }
  }
  return paces;
}

/// The scored point in the middle of a series that was run; nothing where there is none.
std::optional<std::size_t> middle_point(const TrainingSeries& series,
                                        const std::vector<TrainingScore>& scores) {
  std::vector<std::size_t> known;
  for (std::size_t p = 0; p < series.points.size(); ++p) {
    if (is_scored(series.points[p]) && scores[p].predicted) known.push_back(p);
  }
  return known.empty() ? std::nullopt : std::optional(known[known.size() / 2]);
}

/// Each draw has anchors of its own: what they fix does not spread.
void add_ranges(const TrainingCase& measured, const Library& library, const input::FileLoader& load,
                const RunSettings& settings, const TrainingScoring& scoring,
                std::vector<std::vector<TrainingScore>>& scores) {
  std::vector<std::vector<double>> drawn(measured.series.size());
  for (std::uint64_t draw = 0; draw < scoring.draws; ++draw) {
    RunSettings own = settings;
    own.draw = ParameterDraw{draw, scoring.draws, 1};
    Runs runs(library, load, own);
    const Paces paces = scoring.calibrated ? paces_of(measured, runs) : Paces();
    for (std::size_t s = 0; s < measured.series.size(); ++s) {
      const TrainingSeries& series = measured.series[s];
      const auto middle = middle_point(series, scores[s]);
      if (!middle) continue;
      const TrainingPoint& point = series.points[*middle];
      try {
        const Pace pace = paces.of(series.id, runs.job_of(point).gpus());
        const TrainingRun& ran = runs.run(point, pace);
        const double as_run = in_metric(series, point, ran);
        const double factor = stretched_by(ran.training, ran.misfits.value);
        drawn[s].push_back(series.is_time() ? as_run * factor : as_run / factor);
      } catch (const std::exception&) {
        continue;  // a draw with which it cannot run counts for nothing
      }
    }
  }
  for (std::size_t s = 0; s < drawn.size(); ++s) {
    if (drawn[s].empty()) continue;
    scores[s][*middle_point(measured.series[s], scores[s])].drawn =
        DrawnRange{calibration::percentile(drawn[s], 5), calibration::percentile(drawn[s], 95)};
  }
}

}  // namespace

std::vector<std::vector<TrainingScore>> score_training(const TrainingCase& measured,
                                                       const Library& library,
                                                       const input::FileLoader& load,
                                                       const RunSettings& settings,
                                                       const TrainingScoring& scoring) {
  Runs runs(library, load, settings);
  const Paces paces = scoring.calibrated ? paces_of(measured, runs) : Paces();
  std::vector<std::vector<TrainingScore>> result;
  for (const TrainingSeries& series : measured.series) {
    std::vector<TrainingScore>& scores = result.emplace_back();
    std::vector<Comparable> ran;
    for (const TrainingPoint& point : series.points) {
      TrainingScore& score = scores.emplace_back();
      Comparable& one = ran.emplace_back();
      score.failure = point.left_out;
      if (!point.left_out.empty()) continue;
      try {
        const std::string gpus = runs.job_of(point).gpus();
        one.run = &runs.run(point, paces.of(series.id, gpus));
        one.subject = gpus + "\n" + one.run->training.network;
        score.predicted = in_metric(series, point, *one.run);
        describe(*one.run, score);
      } catch (const std::exception& error) {
        score.failure = error.what();
      }
    }
    compare_with_anchors(series, ran, scores);
  }
  add_ranges(measured, library, load, settings, scoring, result);
  return result;
}

}  // namespace vgsim::scenario
