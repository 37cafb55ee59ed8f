#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "models/questions/check/finding.hpp"
#include "models/questions/check/layout_figures.hpp"
#include "models/questions/read/baseline.hpp"
#include "models/questions/read/tolerances.hpp"

namespace vgsim::scenario {

/// A changed constant of the model or key of the scenario; values are empty if it was not used.
struct InputChange {
  std::string name;
  std::string before;
  std::string now;

  auto operator<=>(const InputChange&) const = default;
};

/// "nic_rate_factor 1 -> 1.02", "nic_rate_factor 1, not used before".
[[nodiscard]] std::string message_of(const InputChange& change);

/// The same for a key: "/job/batch_per_gpu 32 -> 64", "/job/gradients fp16, new".
[[nodiscard]] std::string key_message_of(const InputChange& change);

/// Changes since a baseline.
struct Drift {
  std::size_t figures = 0;          ///< number of compared figures
  std::vector<Finding> findings;    ///< by layout, most important figures first; without locations
  std::vector<InputChange> inputs;  ///< by name
  bool scenario_changed = false;    ///< the scenario file differs
  std::vector<InputChange> keys;    ///< of the scenario, by pointer; empty if unknown
};

/// Compares a result with an earlier one. `layouts`: the layouts of `now`.
///
/// A figure has drifted if it exceeds its tolerance (without one: if it differs in nine digits), or
/// if a limit of its interval does. Further drift: added or removed layouts, removed figures,
/// refusals, rules that apply, the bottleneck, and, without a default tolerance, any other number
/// of the result. New figures are notes.
[[nodiscard]] Drift drift_of(const Baseline& before, const Baseline& now,
                             const std::vector<LayoutFigures>& layouts,
                             const Tolerances& tolerances);

}  // namespace vgsim::scenario
