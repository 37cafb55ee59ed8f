#pragma once

#include <string>
#include <vector>

#include "models/questions/read/training_case.hpp"
#include "tools/cli/commands/commands.hpp"
#include "topology/input/diagnostics.hpp"

namespace vgsim::scenario {
struct Library;
}

namespace vgsim::cli {

/// The training cases among files and those of folders (*.json, by their "format"), sorted by path.
[[nodiscard]] std::vector<scenario::TrainingCase> read_training_cases(
    const std::vector<std::string>& paths, input::Diagnostics& diagnostics);

/// Scores them, and writes what was asked for. Returns the exit code.
int score_training_cases(const Options& options, std::vector<scenario::TrainingCase> cases,
                         const scenario::Library& library);

}  // namespace vgsim::cli
