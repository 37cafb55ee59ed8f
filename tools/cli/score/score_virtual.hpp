#pragma once

#include <vector>

#include "models/questions/read/virtual_case.hpp"
#include "models/scenario/read/library.hpp"
#include "tools/cli/commands/commands.hpp"

namespace vgsim::cli {

/// Scores measured virtualization and writes what was asked for: by kind beside the null model, the
/// cases, one of them point by point. Returns the exit code.
[[nodiscard]] int score_virtual_cases(const Options& options,
                                      std::vector<scenario::VirtualCase> cases,
                                      const scenario::Library& library);

}  // namespace vgsim::cli
