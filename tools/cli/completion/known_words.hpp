#pragma once

#include <string>

#include "tools/cli/completion/completion.hpp"

namespace vgsim::cli::completion {

/// What the files of a configuration folder name: parts, kinds, rules, codes, calibrations. Where
/// the folder cannot be read, what does not depend on it.
[[nodiscard]] WordTable known_words(const std::string& config_dir);

}  // namespace vgsim::cli::completion
