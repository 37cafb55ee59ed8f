#pragma once

#include <tl/expected.hpp>

#include "models/scenario/build/run_settings.hpp"
#include "models/scenario/run/result.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/file_loader.hpp"

namespace vgsim::scenario {

struct Library;

/// Reads, checks and runs every layout of a scenario file: the one call that ties all together.
/// `load` hands over files that the scenario names. Errors of all layouts come together, and
/// nothing is simulated then.
/// Throws what sim/engine.hpp throws when a run cannot end, and OverflowError past 106 days.
[[nodiscard]] tl::expected<ScenarioResult, input::Diagnostics> run_scenario(
    const input::SourcePtr& file, const Library& library, const input::FileLoader& load,
    const RunSettings& settings = {});

/// The same for a document that has been read, such as a scenario that stands in another file.
[[nodiscard]] tl::expected<ScenarioResult, input::Diagnostics> run_scenario(
    const input::Value& document, const Library& library, const input::FileLoader& load,
    const RunSettings& settings = {});

/// The same checks without simulating. The result holds names, sizes, warnings and assumptions.
[[nodiscard]] tl::expected<ScenarioResult, input::Diagnostics> validate_scenario(
    const input::SourcePtr& file, const Library& library, const input::FileLoader& load);
[[nodiscard]] tl::expected<ScenarioResult, input::Diagnostics> validate_scenario(
    const input::Value& document, const Library& library, const input::FileLoader& load);

}  // namespace vgsim::scenario
