#pragma once

#include <string>
#include <vector>

#include "models/scenario/answer/standing.hpp"
#include "models/scenario/run/result.hpp"
#include "tools/text/figure_rows.hpp"

namespace vgsim::cli {

/// What collectives are compared by, for tables with a row for each layout.
[[nodiscard]] std::vector<text::LayoutRow> collective_rows(
    const scenario::ScenarioResult& result, const std::vector<scenario::StandingGroup>& groups);

/// A column for each size that some layout ran: time of small ones, bus bandwidth of large ones.
/// Here a "layout" row is a size, and cells are those of each layout.
[[nodiscard]] std::vector<text::LayoutRow> size_rows(const scenario::ScenarioResult& result);

}  // namespace vgsim::cli
