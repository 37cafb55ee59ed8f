#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "models/questions/check/drift.hpp"
#include "models/questions/check/finding.hpp"
#include "topology/input/diagnostics.hpp"

namespace vgsim::cli {

/// State of a scenario's baseline.
enum class BaselineState {
  kUnused,  ///< not requested
  kMissing,
  kCompared,
  kNew,      ///< written for the first time
  kUpdated,  ///< overwritten
  kSame,     ///< to be written, but unchanged
  kRemoved,  ///< its scenario is gone
};

/// A layout of a checked scenario, and its location in the file.
struct CheckedLayout {
  std::string name;
  input::Location location;
};

/// A scenario that was checked, or a baseline without one.
struct CheckedScenario {
  std::string path;  ///< as the user gave it
  std::string name;  ///< from the scenario; empty if it could not be read
  std::vector<CheckedLayout> layouts;
  std::size_t expectations = 0;  ///< number of checked expectations
  std::size_t figures = 0;       ///< number of figures compared with the baseline
  BaselineState baseline = BaselineState::kUnused;
  std::vector<scenario::Finding> findings;
  std::vector<scenario::InputChange> inputs;  ///< constants that changed since the baseline
  bool scenario_changed = false;              ///< since the baseline
  std::vector<scenario::InputChange> keys;    ///< changed keys of the scenario, if known
  input::Diagnostics errors;                  ///< why it could not be checked
  std::string limit;                          ///< the limit that stopped it; empty: none
};

enum class Outcome { kHolds, kFailed, kError };

struct CheckReport {
  std::vector<CheckedScenario> scenarios;  ///< in the given order
  bool updating = false;                   ///< drift is written to the baseline and does not fail
};

[[nodiscard]] bool fails(const scenario::Finding& finding, const CheckReport& report);
[[nodiscard]] Outcome outcome_of(const CheckedScenario& scenario, const CheckReport& report);
[[nodiscard]] std::size_t count(const CheckReport& report, Outcome outcome);

/// An ExitCode: 2 if a scenario could not be read, 4 if a limit stopped one, 1 if one failed.
[[nodiscard]] int exit_code_of(const CheckReport& report);

/// Findings of a layout (or, without a name, of the scenario) except notes. The most relevant
/// come first: of a collective, the sizes whose time changed most; derived figures, such as
/// samples/s, come last.
[[nodiscard]] std::vector<scenario::Finding> findings_of(const CheckedScenario& scenario,
                                                         const std::string& layout);

/// Those of them that fail.
[[nodiscard]] std::vector<scenario::Finding> failures_of(const CheckedScenario& scenario,
                                                         const std::string& layout,
                                                         const CheckReport& report);

/// Names for findings_of(): empty for the scenario itself, its layouts, then layouts that only
/// the baseline has. Only those with findings.
[[nodiscard]] std::vector<std::string> subjects_of(const CheckedScenario& scenario);

/// A constant of the model that has changed since the baselines were made.
struct ChangedInput {
  scenario::InputChange change;
  std::size_t moved_scenarios = 0;  ///< scenarios that use it and have drifted
};

/// Of all scenarios, those with most scenarios first.
[[nodiscard]] std::vector<ChangedInput> changed_inputs(const CheckReport& report);

/// "nic_rate_factor 1 -> 1.02 (41 scenarios moved)", "... (moves nothing)".
[[nodiscard]] std::string message_of(const ChangedInput& changed);

/// "/job/batch_per_gpu 32 -> 64, /job/epochs 3 -> 4 and 2 more"; empty if no changed key is
/// known.
[[nodiscard]] std::string keys_text(const CheckedScenario& scenario);

/// "68 scenarios: 66 hold, 1 failed, 1 error"
[[nodiscard]] std::string summary_of(const CheckReport& report);

/// "configs/scenarios/ring.json:12:5"; empty if unknown.
[[nodiscard]] std::string place_of(const input::Location& location);

/// "ring.json:8:36: E201: unknown key \"bandwidht\"", for each error.
[[nodiscard]] std::vector<std::string> errors_of(const CheckedScenario& scenario);

}  // namespace vgsim::cli
