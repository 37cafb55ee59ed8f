#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/scenario/build/prepared.hpp"
#include "tools/cli/commands/run_command.hpp"

namespace vgsim::cli {

// Options that were given and that nothing of the answer would depend on: a sentence each, with the
// option, the reason and what to do. None of them is passed over in silence.

/// Of `vgsim run`, for what its scenario was prepared to.
[[nodiscard]] std::vector<std::string> options_without_effect(
    const RunOptions& options, const scenario::PreparedScenario& prepared);

/// Whether any was given that may be one, so that the scenario has to be looked at.
[[nodiscard]] bool may_be_without_effect(const RunOptions& options);

/// Where a table is written: it has neither a format nor more than one screen.
[[nodiscard]] std::vector<std::string> table_options_without_effect(
    const std::optional<std::string>& out, Format format, bool full);

/// Draws, where the answer is one bare collective: its interval comes from measurements.
[[nodiscard]] std::vector<std::string> draws_without_effect(
    std::optional<std::uint64_t> draws, const scenario::PreparedScenario& prepared);

/// Writes them; kBadInput where there are any, kDone else.
[[nodiscard]] int report_options(const std::vector<std::string>& sentences, const char* command);

}  // namespace vgsim::cli
