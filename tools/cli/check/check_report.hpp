#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "models/questions/check/drift.hpp"
#include "models/questions/check/finding.hpp"
#include "topology/input/diagnostics.hpp"

namespace vgsim::cli {

/// What became of a scenario's baseline.
enum class BaselineState {
  kUnused,  ///< none was asked for
  kMissing,
  kCompared,
  kNew,      ///< written for the first time
  kUpdated,  ///< written over
  kSame,     ///< would have been written, and is the same
  kRemoved,  ///< its scenario is gone
};

/// A layout of a checked scenario, and where it is written.
struct CheckedLayout {
  std::string name;
  input::Location location;
};

/// A scenario that was checked, or a baseline that has none any more.
struct CheckedScenario {
  std::string path;  ///< as the user gave it
  std::string name;  ///< that the scenario says; empty where it could not be read
  std::vector<CheckedLayout> layouts;
  std::size_t expectations = 0;  ///< how many were looked at
  std::size_t figures = 0;       ///< how many were compared with the baseline
  BaselineState baseline = BaselineState::kUnused;
  std::vector<scenario::Finding> findings;
  std::vector<scenario::InputChange> inputs;  ///< constants that changed since the baseline
  bool scenario_changed = false;              ///< since the baseline
  std::vector<scenario::InputChange> keys;    ///< of the scenario that changed, where known
  input::Diagnostics errors;                  ///< why it could not be checked
  std::string limit;                          ///< which limit stopped it; empty if none did
};

enum class Outcome { kHolds, kFailed, kError };

struct CheckReport {
  std::vector<CheckedScenario> scenarios;  ///< in the order in which they were given
  bool updating = false;                   ///< what drifts goes into the baseline and fails nothing
};

[[nodiscard]] bool fails(const scenario::Finding& finding, const CheckReport& report);
[[nodiscard]] Outcome outcome_of(const CheckedScenario& scenario, const CheckReport& report);
[[nodiscard]] std::size_t count(const CheckReport& report, Outcome outcome);

/// An ExitCode: 2 where a scenario could not be read, 4 where a limit stopped one, 1 where one
/// failed.
[[nodiscard]] int exit_code_of(const CheckReport& report);

/// What was found of a layout (or, without a name, of the scenario), but for notes. The most
/// telling come first: of a collective, the sizes whose time changed most. What only says the same
/// in other words, such as samples a second, comes last.
[[nodiscard]] std::vector<scenario::Finding> findings_of(const CheckedScenario& scenario,
                                                         const std::string& layout);

/// Those of them that fail.
[[nodiscard]] std::vector<scenario::Finding> failures_of(const CheckedScenario& scenario,
                                                         const std::string& layout,
                                                         const CheckReport& report);

/// Names to look findings up by: empty for the scenario itself, then its layouts, then those that
/// only the baseline has. Only those that have any.
[[nodiscard]] std::vector<std::string> subjects_of(const CheckedScenario& scenario);

/// A constant of the model that is not what it was when the baselines were made.
struct ChangedInput {
  scenario::InputChange change;
  std::size_t moved_scenarios = 0;  ///< how many rest on it and have drifted
};

/// Those of all scenarios, with most scenarios first.
[[nodiscard]] std::vector<ChangedInput> changed_inputs(const CheckReport& report);

/// "nic_rate_factor 1 -> 1.02 (41 scenarios moved)", "... (moves nothing)".
[[nodiscard]] std::string message_of(const ChangedInput& changed);

/// "/job/batch_per_gpu 32 -> 64, /job/epochs 3 -> 4 and 2 more"; empty where no key is known to
/// have changed.
[[nodiscard]] std::string keys_text(const CheckedScenario& scenario);

/// "68 scenarios: 66 hold, 1 failed, 1 error"
[[nodiscard]] std::string summary_of(const CheckReport& report);

/// "configs/scenarios/ring.json:12:5"; empty where nothing is known.
[[nodiscard]] std::string place_of(const input::Location& location);

/// "ring.json:8:36: E201: unknown key \"bandwidht\"", for each error.
[[nodiscard]] std::vector<std::string> errors_of(const CheckedScenario& scenario);

}  // namespace vgsim::cli
