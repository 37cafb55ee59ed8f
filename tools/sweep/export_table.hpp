#pragma once

#include <string>
#include <vector>

#include "tools/sweep/store_lines.hpp"

namespace vgsim::sweep {

/// The type of a column that holds what was set at a place.
enum class ColumnType { kInteger, kReal, kText };

/// The columns of a table of results that depend on them.
struct ExportColumns {
  std::vector<std::string> pointers;
  std::vector<ColumnType> types;     ///< of the pointers
  std::vector<std::string> metrics;  ///< in the order of the results
};

/// Reads a store to see what there is in it.
[[nodiscard]] ExportColumns columns_of(const std::string& store, const StoreHeader& header);

/// Write to the file itself; whoever calls sees to it that it is a temporary one.
[[nodiscard]] std::string csv_header(const ExportColumns& columns);
[[nodiscard]] std::string csv_rows(const ExportColumns& columns, std::string_view line);
/// The bytes of a workbook. Throws StoreError beyond the rows of a sheet.
[[nodiscard]] std::string xlsx_of(const std::string& store, const StoreHeader& header,
                                  const ExportColumns& columns);
void write_sqlite(const std::string& store, const StoreHeader& header, const ExportColumns& columns,
                  const std::string& file);

}  // namespace vgsim::sweep
