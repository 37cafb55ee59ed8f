#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tools/cli/cli_fwd.hpp"
#include "tools/cli/commands.hpp"

namespace vgsim::cli {

/// Options that mean the same wherever a command has them.
void add_format_option(CLI::App& command, Format& format);
void add_out_option(CLI::App& command, std::optional<std::string>& out);
void add_set_option(CLI::App& command, std::vector<std::string>& set);
void add_draws_option(CLI::App& command, std::optional<std::uint64_t>& draws);
void add_quiet_option(CLI::App& command, bool& quiet);
/// Of what is shown on one screen otherwise.
void add_full_option(CLI::App& command, bool& full);

}  // namespace vgsim::cli
