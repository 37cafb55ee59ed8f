#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace vgsim::tables {

/// Empty, a number, a boolean or text.
using Cell = std::variant<std::monostate, double, bool, std::string>;

/// Rows may have fewer cells than there are columns.
struct Table {
  std::vector<std::string> columns;
  std::vector<std::vector<Cell>> rows;
};

enum class TableKind { kCsv, kXlsx };

/// By the extension: .csv, .xlsx.
[[nodiscard]] std::optional<TableKind> table_kind(const std::string& file);

/// The most rows of a sheet of an .xlsx file, headings included.
inline constexpr std::size_t kMostXlsxRows = 1'048'576;

/// The bytes of such a file: CSV (RFC 4180), or a workbook with one sheet and frozen headings
/// (Office Open XML, ECMA-376). A workbook is cut after kMostXlsxRows.
[[nodiscard]] std::string table_bytes(const Table& table, TableKind kind);

}  // namespace vgsim::tables
