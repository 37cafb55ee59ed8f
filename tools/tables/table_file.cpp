#include "tools/tables/table_file.hpp"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <string_view>

#include "tools/tables/workbook.hpp"

namespace vgsim::tables {
namespace {

std::string csv_field(const Cell& cell) {
  if (const auto* number = std::get_if<double>(&cell)) return fmt::format("{}", *number);
  if (const auto* flag = std::get_if<bool>(&cell)) return *flag ? "true" : "false";
  const auto* text = std::get_if<std::string>(&cell);
  return text == nullptr ? std::string() : csv_text(*text);
}

void append_csv(const std::vector<Cell>& row, std::string& text) {
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (i > 0) text += ',';
    text += csv_field(row[i]);
  }
  text += "\r\n";
}

std::vector<Cell> headings_of(const Table& table) {
  return {table.columns.begin(), table.columns.end()};
}

bool is_number(const std::string& text) {
  double value = 0;
  const char* const begin = text.data() + (text.starts_with('+') ? 1 : 0);
  const char* const end = text.data() + text.size();
  return std::from_chars(begin, end, value).ptr == end && begin != end;
}

}  // namespace

std::optional<TableKind> table_kind(const std::string& file) {
  const std::string end = std::filesystem::path(file).extension().string();
  if (end == ".csv") return TableKind::kCsv;
  if (end == ".xlsx") return TableKind::kXlsx;
  return std::nullopt;
}

std::string csv_text(const std::string& text) {
  const bool is_formula =
      !text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos &&
      !is_number(text);
  const std::string safe = is_formula ? "'" + text : text;
  if (safe.find_first_of(",\"\r\n") == std::string::npos) return safe;
  std::string quoted = "\"";
  for (const char c : safe) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

std::string table_bytes(const Table& table, TableKind kind) {
  if (kind == TableKind::kXlsx) return workbook_bytes(table);
  std::string text;
  append_csv(headings_of(table), text);
  for (const std::vector<Cell>& row : table.rows) append_csv(row, text);
  return text;
}

}  // namespace vgsim::tables
