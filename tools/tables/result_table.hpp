#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "models/scenario/answer/metrics.hpp"
#include "tools/tables/table_file.hpp"

namespace vgsim::tables {

/// A row for each layout of a result (vgsim.result/2): its name, whether it was refused, and
/// all figures under their names in results. The bounds of a 90 % interval have the suffixes
/// "_low" and "_high".
[[nodiscard]] Table result_table(const nlohmann::ordered_json& result);

/// The number formats of columns that are named as figures, with their units; general for others.
[[nodiscard]] std::vector<ColumnFormat> figure_formats(const std::vector<std::string>& columns);

/// A row of a table of figures: leading cells, and figures by name.
struct FigureRow {
  std::vector<Cell> start;
  std::vector<scenario::Metric> figures;
};

/// Rows of figures; `start` names the leading columns, the others are named as in
/// result_table().
[[nodiscard]] Table figure_table(std::vector<std::string> start,
                                 const std::vector<FigureRow>& rows);

}  // namespace vgsim::tables
