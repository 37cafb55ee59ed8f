#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/units.hpp"
#include "tools/cli/cli_fwd.hpp"
#include "tools/cli/guarded_limits.hpp"
#include "tools/cli/output.hpp"

namespace vgsim::cli {

/// Options shared by several commands.
void add_format_option(CLI::App& command, Format& format);

/// Refuses destinations that cannot be written, by trying.
[[nodiscard]] CLI::Validator writable(Destination destination);
/// An option for a file or folder to write, which is checked before the command does anything.
CLI::Option* add_output_option(CLI::App& command, const std::string& names,
                               std::optional<std::string>& path, const std::string& about,
                               Destination destination = Destination::kFile);
/// The option has the former name of another: it is hidden, and warns where it is used.
void mark_former_name(CLI::Option* option, const std::string& current);
/// -o and --output; the older --out is accepted, but hidden.
void add_out_option(CLI::App& command, std::optional<std::string>& out,
                    const std::string& about = "write to this file instead of stdout",
                    Destination destination = Destination::kFile);

/// Times such as "30 s"; sizes such as "4 GiB".
[[nodiscard]] CLI::Validator time_validator();
[[nodiscard]] CLI::Validator bytes_validator();
/// --time-limit: wall-clock time.
void add_time_limit_option(CLI::App& command, std::optional<SimTime>& limit,
                           const std::string& about);
/// --time-limit and --memory-limit of a command that has no others.
void add_limit_options(CLI::App& command, GuardedLimits& limits);

/// Selects layouts of a scenario, the base of comparison first.
void add_layout_option(CLI::App& command, std::vector<std::string>& layouts);
/// --set, and --set-new for objects that do not exist yet (see scenario::read_override).
CLI::Option* add_set_option(CLI::App& command, std::vector<std::string>& set);
void add_draws_option(CLI::App& command, std::optional<std::uint64_t>& draws);
void add_quiet_option(CLI::App& command, bool& quiet);
/// --full, of commands with an answer on one screen.
void add_full_option(CLI::App& command, bool& full);

}  // namespace vgsim::cli
