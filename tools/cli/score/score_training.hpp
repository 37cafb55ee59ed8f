#pragma once

#include <vector>

#include "models/questions/read/training_case.hpp"
#include "tools/cli/commands/commands.hpp"

namespace vgsim::scenario {
struct Library;
}

namespace vgsim::cli {

/// Scores training cases and writes what was asked for. Returns the exit code.
int score_training_cases(const Options& options, std::vector<scenario::TrainingCase> cases,
                         const scenario::Library& library);

}  // namespace vgsim::cli
