#pragma once

#include <string>

#include "tools/cli/command_tree.hpp"

namespace vgsim::cli {

/// The manual page vgsim(1) of this command line, in roff with the macros of man(7).
[[nodiscard]] std::string man_page(const Command& program, const std::string& version);

}  // namespace vgsim::cli
