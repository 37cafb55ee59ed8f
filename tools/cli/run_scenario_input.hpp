#pragma once

#include <cstdint>
#include <optional>
#include <tl/expected.hpp>

#include "models/scenario/build/prepared.hpp"
#include "models/scenario/build/run_settings.hpp"
#include "models/scenario/run/result.hpp"
#include "tools/cli/scenario_input.hpp"

namespace vgsim::scenario {
struct Library;
}

namespace vgsim::cli {

/// Runs a scenario with the requested number of draws, or the default one. The memory of the
/// machine is the default limit. `kept` gets the prepared scenario for later use.
[[nodiscard]] tl::expected<scenario::ScenarioResult, input::Diagnostics> run_input(
    const ScenarioInput& input, const scenario::Library& library,
    const std::optional<std::uint64_t>& draws, scenario::RunSettings settings = {},
    std::optional<scenario::PreparedScenario>* kept = nullptr);

}  // namespace vgsim::cli
