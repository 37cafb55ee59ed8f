#pragma once

#include <tl/expected.hpp>

#include "models/scenario/build/prepared.hpp"
#include "models/scenario/build/run_settings.hpp"
#include "models/scenario/read/document.hpp"
#include "models/scenario/run/result.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/file_loader.hpp"

namespace vgsim::scenario {

struct Library;

/// Reads a scenario document, and builds and places every layout. `load` returns the text of files
/// that the scenario refers to. Errors of all layouts are reported together. `like`: see prepare().
[[nodiscard]] tl::expected<PreparedScenario, input::Diagnostics> prepare_scenario(
    const Document& document, const Library& library, const input::FileLoader& load,
    const RunSettings& settings = {}, const PreparedScenario* like = nullptr);

/// Runs every layout that vSphere does not refuse, with the settings of its preparation. Throws the
/// exceptions of sim/engine.hpp if a run cannot end, and OverflowError beyond 106 days.
[[nodiscard]] ScenarioResult run(const PreparedScenario& prepared, const RunSettings& settings);

/// Both steps, one after the other.
[[nodiscard]] tl::expected<ScenarioResult, input::Diagnostics> run_scenario(
    const Document& document, const Library& library, const input::FileLoader& load,
    const RunSettings& settings = {}, const PreparedScenario* like = nullptr);
[[nodiscard]] tl::expected<ScenarioResult, input::Diagnostics> run_scenario(
    const input::SourcePtr& file, const Library& library, const input::FileLoader& load,
    const RunSettings& settings = {});

/// The same checks without simulation. The result contains names, sizes, warnings and assumptions.
[[nodiscard]] tl::expected<ScenarioResult, input::Diagnostics> validate_scenario(
    const input::SourcePtr& file, const Library& library, const input::FileLoader& load);
[[nodiscard]] tl::expected<ScenarioResult, input::Diagnostics> validate_scenario(
    const Document& document, const Library& library, const input::FileLoader& load);

}  // namespace vgsim::scenario
