#pragma once

#include <string>

#include "tools/cli/new/plan.hpp"

namespace vgsim::cli {

/// A scenario as JSON with comments on its choices, and a newline at the end. `schema`: path of
/// its schema, or empty; `made_by`: the command line.
[[nodiscard]] std::string new_scenario_text(const NewPlan& plan, const std::string& schema,
                                            const std::string& made_by);

}  // namespace vgsim::cli
