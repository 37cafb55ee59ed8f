#pragma once

#include <string>

#include "tools/cli/completion/completion.hpp"

namespace vgsim::cli::completion {

/// The names in a configuration folder: parts, kinds, rules, codes, calibrations. If the folder
/// cannot be read, only the words that do not depend on it.
[[nodiscard]] WordTable known_words(const std::string& config_dir);

}  // namespace vgsim::cli::completion
