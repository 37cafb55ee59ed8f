#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace vgsim::tables {

/// Nothing, a number, true or false, or text.
using Cell = std::variant<std::monostate, double, bool, std::string>;

/// Rows may be shorter than there are columns.
struct Table {
  std::vector<std::string> columns;
  std::vector<std::vector<Cell>> rows;
};

enum class TableKind { kCsv, kXlsx };

/// By the end of the name: .csv, .xlsx.
[[nodiscard]] std::optional<TableKind> table_kind(const std::string& file);

/// Rows that a sheet of an .xlsx file holds at most, headings included.
inline constexpr std::size_t kMostXlsxRows = 1'048'576;

/// The bytes of such a file: CSV (RFC 4180), or a workbook with one sheet whose headings stay where
/// they are (Office Open XML, ECMA-376). A workbook takes kMostXlsxRows; what is beyond is left
/// out.
[[nodiscard]] std::string table_bytes(const Table& table, TableKind kind);

}  // namespace vgsim::tables
