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

/// Runs a scenario and as many draws as asked for, or as usual. Where the settings say nothing of
/// memory, the machine's is the limit. What it is prepared to is kept in `kept` for questions that
/// follow.
[[nodiscard]] tl::expected<scenario::ScenarioResult, input::Diagnostics> run_input(
    const ScenarioInput& input, const scenario::Library& library,
    const std::optional<std::uint64_t>& draws, scenario::RunSettings settings = {},
    std::optional<scenario::PreparedScenario>* kept = nullptr);

}  // namespace vgsim::cli
