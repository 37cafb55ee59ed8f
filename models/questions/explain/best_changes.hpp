#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/questions/explain/change.hpp"
#include "models/questions/studies/tornado.hpp"
#include "models/scenario/answer/computed_parts.hpp"
#include "models/scenario/answer/ranked_layouts.hpp"
#include "models/scenario/build/run_settings.hpp"
#include "topology/input/file_loader.hpp"

namespace vgsim::scenario {

/// Smaller gains are ignored.
inline constexpr double kLeastGain = 0.005;

/// Assumptions with this effect on the time are always listed, even with wide intervals.
inline constexpr double kLeastPrice = 0.05;

enum class TriedOutcome {
  kRan,
  kRefused,     ///< by vSphere, or for lack of memory
  kImpossible,  ///< not applicable to the scenario: no slot, wrong model or invalid value
};

/// A tried change.
struct TriedChange {
  Change change;
  TriedOutcome outcome = TriedOutcome::kRan;
  /// time_of() before and after.
  double before_s = 0;
  double after_s = 0;
  LayoutResult result;                ///< with the change, if it ran or was refused
  std::vector<Warning> new_warnings;  ///< not present without the change
  std::vector<std::string> problems;  ///< errors of an impossible change
  /// The job's step is unchanged, so it was not simulated again.
  bool is_same_step = false;
  std::optional<double> price;  ///< price of the parts, if all have one
  /// From the layout with the change to that without it, over common draws (add_gaps()).
  std::optional<Gap> gap;

  /// Saved share of the time: 0.42 is 42 % less; negative if it takes longer.
  [[nodiscard]] double gain() const { return before_s > 0 ? 1.0 - after_s / before_s : 0.0; }
  [[nodiscard]] bool helps() const { return outcome == TriedOutcome::kRan && gain() >= kLeastGain; }
};

/// The largest gain of a change of traffic (Change::is_of_traffic): the share of the iteration
/// beside its passes. Nothing if it has no such bound.
[[nodiscard]] std::optional<double> most_gain_of_traffic(const LayoutResult& layout);

/// Every applicable change of a layout, smaller ones of a kind first.
[[nodiscard]] std::vector<Change> changes_of(const ChangeContext& at);

/// Simulates each change separately. Order of the results: largest gain first, then refused, then
/// impossible ones. An assumption that leaves the first step of a training job unchanged has the
/// same result, and is not simulated. With `parts` each change is a part.
[[nodiscard]] std::vector<TriedChange> try_changes(const ChangeContext& at,
                                                   std::vector<Change> changes,
                                                   const input::FileLoader& load,
                                                   const RunSettings& settings,
                                                   ComputedParts* parts = nullptr);

/// Relevant assumptions of a layout, simulated with alternative values, largest effect first; of
/// several values of one assumption that with the largest effect.
[[nodiscard]] std::vector<TriedChange> price_assumptions(const ChangeContext& at,
                                                         const input::FileLoader& load,
                                                         const RunSettings& settings);

/// Changes with a gain, best first: those that change the training, or the others. Only the first
/// of several changes of one kind with equal gains is kept. All outputs show the first one that
/// does not change the training as the best change.
[[nodiscard]] std::vector<const TriedChange*> helping_changes(const std::vector<TriedChange>& tried,
                                                              bool changes_training);

/// Number of changes kept in BestChange.
inline constexpr std::size_t kMostHelping = 3;

/// The changes with the largest gain that do not change the training.
struct BestChange {
  std::string layout;
  std::optional<std::size_t> tried;  ///< number of tried changes; nothing: too expensive
  std::vector<TriedChange> helping;  ///< largest gains; empty: no change helps
  std::vector<TriedChange>
      assumptions;  ///< relevant ones, simulated with other values; largest effect first
  std::optional<Tornado> tornado;  ///< with the measurements that narrow the interval
  std::size_t priced = 0;          ///< number of tried values of assumptions
  std::size_t simulated = 0;  ///< number of simulated ones; the others leave the step unchanged
  /// Assumptions too expensive to evaluate for this job: "NCCL version (2 of 4 values)".
  std::vector<std::string> unpriced;
};

/// Whether `runs` runs of a job are cheap, by its numbers of events and ranks (not by a clock).
[[nodiscard]] bool is_little_work(std::size_t runs, std::uint64_t events, std::size_t ranks);

enum class BestChangeOf {
  kAll,
  kAssumptions,  ///< only assumptions: BestChange::tried stays empty
};

/// Finds the best change if that is cheap, and evaluates as many assumptions as is cheap, in the
/// order of their possible effect. `document` contains the layout, `known` is its result, and
/// `answered` the prepared document; without it the document is prepared again, and for jobs with
/// expensive runs assumptions stay unknown.
[[nodiscard]] BestChange find_best_change(const Document& document, const LayoutResult& known,
                                          const Library& library, const input::FileLoader& load,
                                          const RunSettings& settings,
                                          BestChangeOf wanted = BestChangeOf::kAll,
                                          const PreparedScenario* answered = nullptr);

/// Adds the assumptions of a best change, with their effects, to the layout's result.
void add_assumptions(const BestChange& best, LayoutResult& layout);

}  // namespace vgsim::scenario
