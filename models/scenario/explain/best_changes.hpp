#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/scenario/explain/change.hpp"
#include "models/scenario/run_settings.hpp"
#include "topology/host_builder.hpp"

namespace vgsim::scenario {

enum class TriedOutcome {
  kRan,
  kRefused,     ///< by vSphere, or it does not fit into memory
  kImpossible,  ///< the scenario has no place for it: a slot, a model, a word that does not fit
};

/// A change that was simulated.
struct TriedChange {
  Change change;
  TriedOutcome outcome = TriedOutcome::kRan;
  /// As time_of() has it, before and after.
  double before_s = 0;
  double after_s = 0;
  LayoutResult result;                ///< with it; where it ran or was refused
  std::vector<Warning> new_warnings;  ///< that the layout does not have without it
  std::vector<std::string> problems;  ///< where it is impossible
  std::optional<double> price;        ///< of what is bought, where all of it has a price

  /// Of the time, what it saves: 0.42 is 42 % less; negative where it takes longer.
  [[nodiscard]] double gain() const { return before_s > 0 ? 1.0 - after_s / before_s : 0.0; }
};

/// Tries every change that comes into question of a layout, each alone and each by simulating it,
/// those that save most first, then those that are refused, then impossible ones.
/// `document` is the layout as a scenario of its own (LayoutInput::value), `result` what came out
/// of it with RunSettings::record.
[[nodiscard]] std::vector<TriedChange> try_changes(const input::Value& document,
                                                   const LayoutResult& result,
                                                   const Library& library,
                                                   const topology::FileLoader& load,
                                                   const RunSettings& settings);

}  // namespace vgsim::scenario
