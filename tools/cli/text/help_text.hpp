#pragma once

#include <string>
#include <vector>

#include "tools/cli/command_tree.hpp"
#include "tools/cli/text/help_topics.hpp"

namespace vgsim::cli {

/// The output of `vgsim help` and `vgsim run --help`: description, arguments and examples of a
/// command, in lines of 80 characters. `path`: "vgsim run". The program itself lists its topics
/// as well.
[[nodiscard]] std::string help_text(const std::string& path, const Command& command,
                                    const std::vector<HelpTopic>& topics);

}  // namespace vgsim::cli
