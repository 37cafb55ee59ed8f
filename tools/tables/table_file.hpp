#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace vgsim::tables {

/// Empty, a number, a boolean or text.
using Cell = std::variant<std::monostate, double, bool, std::string>;

/// How a workbook shows the numbers of a column.
struct ColumnFormat {
  std::string
      number;  ///< a number format of Office Open XML, with the unit: "0.0%"; empty: general
};

/// Rows may have fewer cells than there are columns.
struct Table {
  std::vector<std::string> columns;
  std::vector<std::vector<Cell>> rows;
  std::vector<ColumnFormat> formats{};  ///< of the first columns; the others are general
  /// Where the table is from: "vgsim", "1.0.0". On a second sheet of a workbook.
  std::vector<std::pair<std::string, std::string>> about{};
};

enum class TableKind { kCsv, kXlsx };

/// By the extension: .csv, .xlsx.
[[nodiscard]] std::optional<TableKind> table_kind(const std::string& file);

/// The most rows of a sheet of an .xlsx file, headings included.
inline constexpr std::size_t kMostXlsxRows = 1'048'576;

/// A text as a field of CSV (RFC 4180). Spreadsheets take a text that begins with = + - @ or a tab
/// for a formula, so it begins with an apostrophe instead, unless it is a number.
[[nodiscard]] std::string csv_text(const std::string& text);

/// The bytes of such a file: CSV, or a workbook (Office Open XML, ECMA-376) with frozen headings, a
/// filter, widths, number formats, and a sheet "about" if the table has that. A workbook is cut
/// after kMostXlsxRows.
[[nodiscard]] std::string table_bytes(const Table& table, TableKind kind);

}  // namespace vgsim::tables
