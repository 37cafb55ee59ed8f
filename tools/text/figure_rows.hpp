#pragma once

#include <string>
#include <vector>

#include "models/scenario/answer/standing.hpp"
#include "models/scenario/run/result.hpp"

namespace vgsim::text {

/// A figure of all layouts.
struct LayoutRow {
  std::string label;               ///< "exposed communication"
  std::string head;                ///< the same above a column: "comm."
  int rank = 0;                    ///< the lower, the sooner it is shown
  std::vector<std::string> cells;  ///< of each layout in the order of the file
  bool begins_block = false;       ///< below a blank line in long tables
};

/// Where rows are shown.
enum class RowsFor {
  kScreen,    ///< of a terminal: what is most important, in few characters
  kReport,    ///< all but the parts of an iteration; of many layouts without minor ones
  kAll,       ///< the same with minor ones
  kIteration  ///< those alone
};

/// The rows of all figures (figures.hpp) that matter, in their order; below the first one how far
/// each layout is from the fastest of its group. "-" where a layout has no such figure.
[[nodiscard]] std::vector<LayoutRow> figure_rows(const scenario::ScenarioResult& result,
                                                 const std::vector<scenario::StandingGroup>& groups,
                                                 RowsFor place);

/// How far each layout is from the fastest of its group: "fastest", "+12 %", "same".
[[nodiscard]] LayoutRow gap_row(const scenario::ScenarioResult& result,
                                const std::vector<scenario::StandingGroup>& groups);

/// What limits each layout: "nic 78 %".
[[nodiscard]] LayoutRow limit_row(const scenario::ScenarioResult& result);

}  // namespace vgsim::text
