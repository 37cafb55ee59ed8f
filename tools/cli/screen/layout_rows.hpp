#pragma once

#include <string>
#include <vector>

#include "models/scenario/answer/ranked_layouts.hpp"
#include "models/scenario/run/result.hpp"
#include "tools/text/figure_rows.hpp"

namespace vgsim::cli {

/// Figures of collectives, for tables with a row per layout.
[[nodiscard]] std::vector<text::LayoutRow> collective_rows(
    const scenario::ScenarioResult& result, const std::vector<scenario::RankedGroup>& groups);

/// A column for each size: time of small ones, bus bandwidth of large ones. Here a "layout" row
/// is a size, and its cells are the layouts.
[[nodiscard]] std::vector<text::LayoutRow> size_rows(const scenario::ScenarioResult& result);

}  // namespace vgsim::cli
