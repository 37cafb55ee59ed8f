#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/scenario/build/prepared.hpp"
#include "tools/cli/commands/run_command.hpp"

namespace vgsim::cli {

// Given options without any effect on the answer: a sentence each, with the option, the reason
// and what to do. They are never ignored silently.

/// Of `vgsim run`, for its prepared scenario.
[[nodiscard]] std::vector<std::string> options_without_effect(
    const RunOptions& options, const scenario::PreparedScenario& prepared);

/// Whether any given option may be without effect, so that the scenario has to be checked.
[[nodiscard]] bool may_be_without_effect(const RunOptions& options);

/// Of a file that is named as a page, or as a table, which has neither a format nor more than one screen.
[[nodiscard]] std::vector<std::string> table_options_without_effect(
    const std::optional<std::string>& out, Format format, bool full);

/// Draws for a bare collective, whose interval comes from measurements.
[[nodiscard]] std::vector<std::string> draws_without_effect(
    std::optional<std::uint64_t> draws, const scenario::PreparedScenario& prepared);

/// Writes them; returns kBadInput if there are any, else kDone.
[[nodiscard]] int report_options(const std::vector<std::string>& sentences, const char* command);

}  // namespace vgsim::cli
