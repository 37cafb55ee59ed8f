#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "models/scenario/answer/metrics.hpp"
#include "tools/tables/table_file.hpp"

namespace vgsim::tables {

/// A row for each layout of a result (vgsim.result/1): its name, whether it was refused, and all
/// figures by the names that they have in results, "_low" and "_high" behind one that is an
/// interval (nine in ten lie between them).
[[nodiscard]] Table result_table(const nlohmann::ordered_json& result);

/// A row of a table of figures: what stands before them, and the figures.
struct FigureRow {
  std::vector<Cell> start;
  std::vector<scenario::Metric> figures;
};

/// Rows of figures below the columns that they start with, with columns as result_table() has them.
[[nodiscard]] Table figure_table(std::vector<std::string> start,
                                 const std::vector<FigureRow>& rows);

}  // namespace vgsim::tables
