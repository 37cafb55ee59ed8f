#pragma once

#include <string>

#include "tools/cli/command_tree.hpp"

namespace vgsim::cli {

/// All commands with their arguments in Markdown, at most 80 columns wide if words allow; then
/// the exit status and the environment.
[[nodiscard]] std::string commands_page(const Command& program);

}  // namespace vgsim::cli
