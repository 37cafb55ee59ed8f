#pragma once

#include <string>
#include <vector>

#include "tools/sweep/store_lines.hpp"

namespace vgsim::sweep {

/// The type of a column of set values.
enum class ColumnType { kInteger, kReal, kText };

/// The columns that depend on the results.
struct ExportColumns {
  std::vector<std::string> pointers;
  std::vector<ColumnType> types;     ///< of the set values
  std::vector<std::string> metrics;  ///< in the order of results
};

/// Reads the whole store to determine the columns.
[[nodiscard]] ExportColumns columns_of(const std::string& store, const StoreHeader& header);

/// These write to `file` itself; the caller passes a temporary file.
[[nodiscard]] std::string csv_header(const ExportColumns& columns);
[[nodiscard]] std::string csv_rows(const ExportColumns& columns, std::string_view line);
/// The bytes of a workbook. Throws StoreError if it needs more rows than a sheet has.
[[nodiscard]] std::string xlsx_of(const std::string& store, const StoreHeader& header,
                                  const ExportColumns& columns);
void write_sqlite(const std::string& store, const StoreHeader& header, const ExportColumns& columns,
                  const std::string& file);

}  // namespace vgsim::sweep
