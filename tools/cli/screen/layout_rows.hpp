#pragma once

#include <string>
#include <vector>

#include "models/scenario/answer/standing.hpp"
#include "models/scenario/run/result.hpp"

namespace vgsim::cli {

/// A figure of all layouts.
struct LayoutRow {
  std::string label;               ///< "exposed communication"
  std::string head;                ///< the same above a column: "comm."
  int rank = 0;                    ///< the lower, the sooner it is shown
  std::vector<std::string> cells;  ///< of each layout in the order of the file
};

/// What training jobs are compared by, in the order in which it is shown. Empty without any.
[[nodiscard]] std::vector<LayoutRow> training_rows(
    const scenario::ScenarioResult& result, const std::vector<scenario::StandingGroup>& groups);

/// The same of collectives, for tables with a row for each layout.
[[nodiscard]] std::vector<LayoutRow> collective_rows(
    const scenario::ScenarioResult& result, const std::vector<scenario::StandingGroup>& groups);

/// A column for each size that some layout ran: time of small ones, bus bandwidth of large ones.
/// Here a "layout" row is a size, and cells are those of each layout.
[[nodiscard]] std::vector<LayoutRow> size_rows(const scenario::ScenarioResult& result);

}  // namespace vgsim::cli
