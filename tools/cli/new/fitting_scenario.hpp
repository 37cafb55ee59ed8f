#pragma once

#include <string>
#include <tl/expected.hpp>

#include "tools/cli/new/plan.hpp"

namespace vgsim::cli {

/// The scenario of a plan, or of the first smaller one that runs (see smaller_plan), as
/// new_scenario_text() writes it. Error: why the last of them does not run, a line for each
/// reason.
[[nodiscard]] tl::expected<std::string, std::string> fitting_scenario(
    const NewPlan& plan, const ScenarioRequest& request, const scenario::Library& library,
    const std::string& schema);

}  // namespace vgsim::cli
