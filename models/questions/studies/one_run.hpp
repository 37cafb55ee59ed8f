#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "models/scenario/build/prepared.hpp"
#include "models/scenario/build/run_settings.hpp"
#include "models/scenario/run/result.hpp"
#include "topology/input/file_loader.hpp"

namespace vgsim::scenario {

struct Library;

/// The scenario of a study, which runs it repeatedly with single changes.
struct Studied {
  const PreparedScenario& prepared;  ///< unchanged, with recorded inputs
  const Library& library;
  const input::FileLoader& load;
  const RunSettings& settings;

  /// The layout of that name. Throws std::out_of_range for unknown names.
  [[nodiscard]] const PreparedLayout& layout(const std::string& name) const;
};

/// Runs one layout for its times, without details (record, loads, inputs, further seeds). Nothing
/// if it is invalid, refused, or ends at a limit.
[[nodiscard]] std::optional<LayoutResult> run_alone(const Studied& studied,
                                                    const Shared<Layout>& layout,
                                                    const RunSettings& settings);

/// The simulated steps of prepared layouts, so that runs of changed ones do not simulate those that
/// their change leaves as they are (RunSettings::known_steps). Incomplete if a limit ends the run.
[[nodiscard]] std::shared_ptr<const KnownSteps> learn_steps(const PreparedScenario& prepared,
                                                            RunSettings settings);

/// Whether `runs` further runs of a layout take seconds at most, by its numbers of events and ranks
/// (deterministic).
[[nodiscard]] bool is_affordable(const LayoutResult& layout, std::size_t runs);

/// Time of an iteration, or of the collective of the largest size; nothing if neither ran.
[[nodiscard]] std::optional<double> measured_seconds(const LayoutResult& layout);

/// Index of the layout with the smallest time_of(); the first of equal ones. Nothing if none ran.
[[nodiscard]] std::optional<std::size_t> fastest_layout(const ScenarioResult& result);

}  // namespace vgsim::scenario
