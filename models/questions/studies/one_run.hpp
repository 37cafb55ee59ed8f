#pragma once

#include <cstdint>
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

/// Runs one layout without details (record, inputs, further seeds, next bottleneck). Nothing if it
/// is invalid, refused, or ends at a limit.
[[nodiscard]] std::optional<LayoutResult> run_alone(const Studied& studied,
                                                    const Shared<Layout>& layout,
                                                    const RunSettings& settings);

/// Whether `runs` further runs of a layout take seconds at most, by its numbers of events and ranks
/// (deterministic).
[[nodiscard]] bool is_affordable(const LayoutResult& layout, std::size_t runs);

/// Time of an iteration, or of the collective of the largest size; nothing if neither ran.
[[nodiscard]] std::optional<double> measured_seconds(const LayoutResult& layout);

/// Index of the layout with the smallest time_of(); the first of equal ones. Nothing if none ran.
[[nodiscard]] std::optional<std::size_t> fastest_layout(const ScenarioResult& result);

}  // namespace vgsim::scenario
