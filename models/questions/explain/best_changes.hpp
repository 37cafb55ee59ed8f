#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/questions/explain/change.hpp"
#include "models/questions/studies/tornado.hpp"
#include "models/scenario/build/run_settings.hpp"
#include "topology/input/file_loader.hpp"

namespace vgsim::scenario {

/// Less is no help.
inline constexpr double kLeastGain = 0.005;

/// An assumption that moves the time by as much is worth a line, however wide the interval.
inline constexpr double kLeastPrice = 0.05;

enum class TriedOutcome {
  kRan,
  kRefused,     ///< by vSphere, or it does not fit into memory
  kImpossible,  ///< the scenario has no place for it: a slot, a model, a word that does not fit
};

/// A change that was tried.
struct TriedChange {
  Change change;
  TriedOutcome outcome = TriedOutcome::kRan;
  /// As time_of() has it, before and after.
  double before_s = 0;
  double after_s = 0;
  LayoutResult result;                ///< with it; where it ran or was refused
  std::vector<Warning> new_warnings;  ///< that the layout does not have without it
  std::vector<std::string> problems;  ///< where it is impossible
  /// An assumption that leaves the job's step as it is, which was not simulated again.
  bool is_same_step = false;
  std::optional<double> price;  ///< of what is bought, where all of it has a price

  /// Of the time, what it saves: 0.42 is 42 % less; negative where it takes longer.
  [[nodiscard]] double gain() const { return before_s > 0 ? 1.0 - after_s / before_s : 0.0; }
  [[nodiscard]] bool helps() const { return outcome == TriedOutcome::kRan && gain() >= kLeastGain; }
};

/// Every change that comes into question of a layout, the smaller ones of a kind first.
[[nodiscard]] std::vector<Change> changes_of(const Situation& at);

/// Tries changes, each alone and each by simulating it: those that save most first, then those that
/// are refused, then impossible ones. An assumption with which a training job's first step is the
/// same as without it has the same answer, and is not simulated.
[[nodiscard]] std::vector<TriedChange> try_changes(const Situation& at, std::vector<Change> changes,
                                                   const input::FileLoader& load,
                                                   const RunSettings& settings);

/// What is paid for what was assumed of a layout: assumptions that matter, simulated otherwise, the
/// dearest first, of several values of one the one that matters most.
[[nodiscard]] std::vector<TriedChange> price_assumptions(const Situation& at,
                                                         const input::FileLoader& load,
                                                         const RunSettings& settings);

/// Those that help and alter what is trained, or do not, best first; of a kind that saves the same
/// only the first. The first that alters nothing is the best change, wherever one is named.
[[nodiscard]] std::vector<const TriedChange*> helping_changes(const std::vector<TriedChange>& tried,
                                                              bool alters);

/// Changes that BestChange keeps.
inline constexpr std::size_t kMostHelping = 3;

/// What helps a layout most without altering what is trained.
struct BestChange {
  std::string layout;
  std::optional<std::size_t> tried;  ///< changes; nothing: finding it takes too much work
  std::vector<TriedChange> helping;  ///< that save most; none: none of those that were tried helps
  std::vector<TriedChange> assumptions;  ///< that matter, simulated otherwise; the dearest first
  std::vector<WorthMeasuring> measure;   ///< what makes the time better known
  std::size_t priced = 0;                ///< values of assumptions that were tried
  std::size_t simulated = 0;             ///< of them: the others leave the step as it is
  /// Assumptions that are too much work for a job of its size: "NCCL version (2 of 4 values)".
  std::vector<std::string> unpriced;
};

/// Whether so many runs of a job are little work. Decided by the size of the job, never by a clock:
/// events that it takes, and GPUs that it has to connect.
[[nodiscard]] bool is_little_work(std::size_t runs, std::uint64_t events, std::size_t ranks);

enum class BestChangeOf {
  kAll,
  kAssumptions,  ///< alone: BestChange::tried stays empty
};

/// Finds it where that is little work; of the assumptions as many as little work tries, in the
/// order of what they may move. `document` holds the layout, `known` is what came out of it, and
/// `answered` what the document is prepared to: without it, it is prepared once more, and of jobs
/// of which one run is much work it is not known which assumptions there are.
[[nodiscard]] BestChange find_best_change(const Document& document, const LayoutResult& known,
                                          const Library& library, const input::FileLoader& load,
                                          const RunSettings& settings,
                                          BestChangeOf wanted = BestChangeOf::kAll,
                                          const PreparedScenario* answered = nullptr);

}  // namespace vgsim::scenario
