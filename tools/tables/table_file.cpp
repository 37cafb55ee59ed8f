#include "tools/tables/table_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string_view>

#include "topology/input/zip_file.hpp"

namespace vgsim::tables {
namespace {

constexpr const char* kXmlHead = R"(<?xml version="1.0" encoding="UTF-8" standalone="yes"?>)";
constexpr std::size_t kMostCellBytes = 32'767;  ///< Excel's, in characters

std::string csv_field(const Cell& cell) {
  if (const auto* number = std::get_if<double>(&cell)) return fmt::format("{}", *number);
  if (const auto* flag = std::get_if<bool>(&cell)) return *flag ? "true" : "false";
  const auto* text = std::get_if<std::string>(&cell);
  if (text == nullptr) return {};
  if (text->find_first_of(",\"\r\n") == std::string::npos) return *text;
  std::string quoted = "\"";
  for (const char c : *text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + '"';
}

void append_csv(const std::vector<Cell>& row, std::string& text) {
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (i > 0) text += ',';
    text += csv_field(row[i]);
  }
  text += "\r\n";
}

/// Replaces characters that XML does not allow by blanks.
std::string xml_text(std::string_view text) {
  std::string escaped;
  for (const char c : text.substr(0, kMostCellBytes)) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      default:
        escaped += static_cast<unsigned char>(c) < ' ' && c != '\n' && c != '\t' ? ' ' : c;
    }
  }
  return escaped;
}

/// 27 is "AB".
std::string column_letters(std::size_t column) {
  std::string letters;
  for (++column; column > 0; column = (column - 1) / 26) {
    letters.insert(letters.begin(), static_cast<char>('A' + (column - 1) % 26));
  }
  return letters;
}

void append_row(const std::vector<Cell>& row, std::size_t number, std::string& sheet) {
  sheet += fmt::format("<row r=\"{}\">", number);
  for (std::size_t i = 0; i < row.size(); ++i) {
    const std::string at = fmt::format("{}{}", column_letters(i), number);
    if (const auto* value = std::get_if<double>(&row[i]); value && std::isfinite(*value)) {
      sheet += fmt::format("<c r=\"{}\"><v>{}</v></c>", at, *value);
    } else if (const auto* flag = std::get_if<bool>(&row[i])) {
      sheet += fmt::format("<c r=\"{}\" t=\"b\"><v>{}</v></c>", at, *flag ? 1 : 0);
    } else if (const auto* text = std::get_if<std::string>(&row[i]); text && !text->empty()) {
      sheet +=
          fmt::format("<c r=\"{}\" t=\"inlineStr\"><is><t xml:space=\"preserve\">{}</t></is></c>",
                      at, xml_text(*text));
    }
  }
  sheet += "</row>";
}

std::vector<Cell> headings_of(const Table& table) {
  return {table.columns.begin(), table.columns.end()};
}

std::string sheet_xml(const Table& table) {
  std::string sheet = fmt::format(
      "{}<worksheet xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\">"
      "<sheetViews><sheetView workbookViewId=\"0\"><pane ySplit=\"1\" topLeftCell=\"A2\" "
      "activePane=\"bottomLeft\" state=\"frozen\"/></sheetView></sheetViews><sheetData>",
      kXmlHead);
  append_row(headings_of(table), 1, sheet);
  const std::size_t rows = std::min(table.rows.size(), kMostXlsxRows - 1);
  for (std::size_t r = 0; r < rows; ++r) append_row(table.rows[r], r + 2, sheet);
  return sheet + "</sheetData></worksheet>";
}

/// A minimal workbook; texts are inline strings.
std::string xlsx_bytes(const Table& table) {
  const std::string head = kXmlHead;
  const std::string types = "application/vnd.openxmlformats-officedocument.spreadsheetml.";
  const std::string schemas = "http://schemas.openxmlformats.org/";
  const std::string relations = schemas + "officeDocument/2006/relationships";
  const auto relation = [&](const char* type, const char* target) {
    return fmt::format(
        "{}<Relationships xmlns=\"{}package/2006/relationships\"><Relationship "
        "Id=\"rId1\" Type=\"{}/{}\" Target=\"{}\"/></Relationships>",
        head, schemas, relations, type, target);
  };
  return input::zipped(
      {{"[Content_Types].xml",
        fmt::format("{}<Types xmlns=\"{}package/2006/content-types\"><Default Extension=\"rels\" "
                    "ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>"
                    "<Override PartName=\"/xl/workbook.xml\" ContentType=\"{}sheet.main+xml\"/>"
                    "<Override PartName=\"/xl/worksheets/sheet1.xml\" "
                    "ContentType=\"{}worksheet+xml\"/></Types>",
                    head, schemas, types, types)},
       {"_rels/.rels", relation("officeDocument", "xl/workbook.xml")},
       {"xl/workbook.xml",
        fmt::format("{}<workbook xmlns=\"{}spreadsheetml/2006/main\" xmlns:r=\"{}\"><sheets>"
                    "<sheet name=\"results\" sheetId=\"1\" r:id=\"rId1\"/></sheets></workbook>",
                    head, schemas, relations)},
       {"xl/_rels/workbook.xml.rels", relation("worksheet", "worksheets/sheet1.xml")},
       {"xl/worksheets/sheet1.xml", sheet_xml(table)}});
}

}  // namespace

std::optional<TableKind> table_kind(const std::string& file) {
  const std::string end = std::filesystem::path(file).extension().string();
  if (end == ".csv") return TableKind::kCsv;
  if (end == ".xlsx") return TableKind::kXlsx;
  return std::nullopt;
}

std::string table_bytes(const Table& table, TableKind kind) {
  if (kind == TableKind::kXlsx) return xlsx_bytes(table);
  std::string text;
  append_csv(headings_of(table), text);
  for (const std::vector<Cell>& row : table.rows) append_csv(row, text);
  return text;
}

}  // namespace vgsim::tables
