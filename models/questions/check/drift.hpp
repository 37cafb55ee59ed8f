#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "models/questions/check/finding.hpp"
#include "models/questions/check/layout_figures.hpp"
#include "models/questions/read/baseline.hpp"
#include "models/questions/read/tolerances.hpp"

namespace vgsim::scenario {

/// A constant of the model, or a key of the scenario, that is not what it was; empty where it was
/// not used.
struct InputChange {
  std::string name;
  std::string before;
  std::string now;

  auto operator<=>(const InputChange&) const = default;
};

/// "nic_rate_factor 1 -> 1.02", "nic_rate_factor 1, which was not used before".
[[nodiscard]] std::string message_of(const InputChange& change);

/// The same of a key: "/job/batch_per_gpu 32 -> 64", "/job/gradients fp16, which is new".
[[nodiscard]] std::string key_message_of(const InputChange& change);

/// What has changed since a baseline.
struct Drift {
  std::size_t figures = 0;          ///< how many were compared
  std::vector<Finding> findings;    ///< by layout, most important figures first; without locations
  std::vector<InputChange> inputs;  ///< by name
  bool scenario_changed = false;    ///< the file itself is another
  std::vector<InputChange> keys;    ///< of the scenario, by pointer; none where nobody knows
};

/// Compares a result with an earlier one. `layouts` are those that `now` was made of.
///
/// A figure drifts where it leaves its tolerance (without one: where it differs in nine digits),
/// and so does an end of its interval where the figure itself stays. Whatever else changes drifts
/// too: layouts that come or go, figures that go, refusals, rules that bite, the kind of link that
/// holds a layout back. Where no tolerance is given for all figures, so does a result of which
/// other numbers have changed. Figures that are new are notes.
[[nodiscard]] Drift drift_of(const Baseline& before, const Baseline& now,
                             const std::vector<LayoutFigures>& layouts,
                             const Tolerances& tolerances);

}  // namespace vgsim::scenario
