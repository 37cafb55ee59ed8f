#pragma once

#include <string>
#include <vector>

#include "models/scenario/answer/ranked_layouts.hpp"
#include "models/scenario/run/result.hpp"

namespace vgsim::text {

/// A figure of all layouts.
struct LayoutRow {
  std::string label;               ///< "exposed communication"
  std::string head;                ///< short label above a column: "comm."
  int rank = 0;                    ///< lower ranks are shown first
  std::vector<std::string> cells;  ///< of each layout, in file order
  bool begins_block = false;       ///< preceded by a blank line in long tables
};

/// Where rows are shown.
enum class RowsFor {
  kScreen,    ///< a terminal: the most important rows, with short labels
  kReport,    ///< all but the parts of an iteration; without minor ones if there are many layouts
  kAll,       ///< as kReport, with minor ones
  kIteration  ///< only the parts of an iteration
};

/// The rows of all relevant figures (figures.hpp) in their order, and below the first one the
/// distance of each layout from the fastest of its group. "-" if a layout does not have the
/// figure.
[[nodiscard]] std::vector<LayoutRow> figure_rows(const scenario::ScenarioResult& result,
                                                 const std::vector<scenario::RankedGroup>& groups,
                                                 RowsFor place);

/// The distance of each layout from the fastest of its group: "fastest", "+12 %", "same"; with
/// draws its 90 % interval as a second row.
[[nodiscard]] std::vector<LayoutRow> gap_rows(const scenario::ScenarioResult& result,
                                              const std::vector<scenario::RankedGroup>& groups);

/// The bottleneck of each layout: "nic 78 %".
[[nodiscard]] LayoutRow limit_row(const scenario::ScenarioResult& result);

}  // namespace vgsim::text
