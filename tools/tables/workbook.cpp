// A workbook is a zip file of XML parts: types, relations, the workbook with its sheets, the
// styles, and a part for each sheet. Texts are inline strings, which are never formulas. Style 0 is
// general, 1 bold for headings, and each number format of the table has one more.

#include "tools/tables/workbook.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include "topology/input/text_cells.hpp"
#include "topology/input/zip_file.hpp"

namespace vgsim::tables {
namespace {

constexpr const char* kXmlHead = R"(<?xml version="1.0" encoding="UTF-8" standalone="yes"?>)";
constexpr const char* kSchemas = "http://schemas.openxmlformats.org/";
constexpr std::size_t kMostCellBytes = 32'767;  ///< Excel's, in characters
constexpr std::size_t kHeadingStyle = 1;
constexpr std::size_t kFirstFormat = 164;  ///< lower numbers are built in

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
      case '"':
        escaped += "&quot;";
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

/// The different number formats, in the order of the columns.
std::vector<std::string> number_formats(const Table& table) {
  std::vector<std::string> formats;
  for (const ColumnFormat& format : table.formats) {
    if (format.number.empty()) continue;
    if (std::ranges::find(formats, format.number) == formats.end())
      formats.push_back(format.number);
  }
  return formats;
}

/// The style of the numbers of each column.
std::vector<std::size_t> styles_of(const Table& table, const std::vector<std::string>& formats) {
  std::vector<std::size_t> styles(table.columns.size(), 0);
  for (std::size_t c = 0; c < std::min(styles.size(), table.formats.size()); ++c) {
    if (table.formats[c].number.empty()) continue;
    const auto format = std::ranges::find(formats, table.formats[c].number);
    styles[c] = kHeadingStyle + 1 + static_cast<std::size_t>(format - formats.begin());
  }
  return styles;
}

void append_row(const std::vector<Cell>& row, std::size_t number,
                const std::vector<std::size_t>& styles, std::string& sheet) {
  sheet += fmt::format("<row r=\"{}\">", number);
  for (std::size_t i = 0; i < row.size(); ++i) {
    const std::size_t style = number == 1 ? kHeadingStyle : i < styles.size() ? styles[i] : 0;
    const std::string at =
        fmt::format("r=\"{}{}\"{}", column_letters(i), number,
                    style == 0 ? std::string() : fmt::format(" s=\"{}\"", style));
    if (const auto* value = std::get_if<double>(&row[i]); value && std::isfinite(*value)) {
      sheet += fmt::format("<c {}><v>{}</v></c>", at, *value);
    } else if (const auto* flag = std::get_if<bool>(&row[i])) {
      sheet += fmt::format("<c {} t=\"b\"><v>{}</v></c>", at, *flag ? 1 : 0);
    } else if (const auto* text = std::get_if<std::string>(&row[i]); text && !text->empty()) {
      sheet += fmt::format("<c {} t=\"inlineStr\"><is><t xml:space=\"preserve\">{}</t></is></c>",
                           at, xml_text(*text));
    }
  }
  sheet += "</row>";
}

/// Room for headings and texts; numbers need no more than a dozen characters.
std::string widths_xml(const Table& table) {
  constexpr std::size_t kNumber = 12;
  constexpr std::size_t kMost = 60;
  constexpr std::size_t kLookedAt = 1000;  ///< rows
  if (table.columns.empty()) return {};
  std::string columns;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    std::size_t width = std::max(kNumber, input::display_width(table.columns[c]) + 2);
    for (std::size_t r = 0; r < std::min(kLookedAt, table.rows.size()); ++r) {
      if (c >= table.rows[r].size()) continue;
      const auto* text = std::get_if<std::string>(&table.rows[r][c]);
      if (text != nullptr) width = std::max(width, input::display_width(*text) + 2);
    }
    columns += fmt::format("<col min=\"{0}\" max=\"{0}\" width=\"{1}\" customWidth=\"1\"/>", c + 1,
                           std::min(width, kMost));
  }
  return fmt::format("<cols>{}</cols>", columns);
}

std::string sheet_xml(const Table& table, const std::vector<std::size_t>& styles) {
  std::string sheet = fmt::format(
      "{}<worksheet xmlns=\"{}spreadsheetml/2006/main\"><sheetViews><sheetView "
      "workbookViewId=\"0\"><pane ySplit=\"1\" topLeftCell=\"A2\" activePane=\"bottomLeft\" "
      "state=\"frozen\"/></sheetView></sheetViews>{}<sheetData>",
      kXmlHead, kSchemas, widths_xml(table));
  append_row({table.columns.begin(), table.columns.end()}, 1, {}, sheet);
  const std::size_t rows = std::min(table.rows.size(), kMostXlsxRows - 1);
  for (std::size_t r = 0; r < rows; ++r) append_row(table.rows[r], r + 2, styles, sheet);
  sheet += "</sheetData>";
  if (!table.columns.empty()) {
    sheet += fmt::format("<autoFilter ref=\"A1:{}{}\"/>", column_letters(table.columns.size() - 1),
                         rows + 1);
  }
  return sheet + "</worksheet>";
}

std::string styles_xml(const std::vector<std::string>& formats) {
  std::string numbers;
  std::string cells =
      "<xf numFmtId=\"0\" fontId=\"0\" fillId=\"0\" borderId=\"0\" xfId=\"0\"/>"
      "<xf numFmtId=\"0\" fontId=\"1\" fillId=\"0\" borderId=\"0\" xfId=\"0\" applyFont=\"1\"/>";
  for (std::size_t f = 0; f < formats.size(); ++f) {
    numbers += fmt::format("<numFmt numFmtId=\"{}\" formatCode=\"{}\"/>", kFirstFormat + f,
                           xml_text(formats[f]));
    cells += fmt::format(
        "<xf numFmtId=\"{}\" fontId=\"0\" fillId=\"0\" borderId=\"0\" xfId=\"0\" "
        "applyNumberFormat=\"1\"/>",
        kFirstFormat + f);
  }
  if (!numbers.empty()) {
    numbers = fmt::format("<numFmts count=\"{}\">{}</numFmts>", formats.size(), numbers);
  }
  return fmt::format(
      "{}<styleSheet xmlns=\"{}spreadsheetml/2006/main\">{}"
      "<fonts count=\"2\"><font><sz val=\"11\"/><name val=\"Calibri\"/></font>"
      "<font><b/><sz val=\"11\"/><name val=\"Calibri\"/></font></fonts>"
      "<fills count=\"2\"><fill><patternFill patternType=\"none\"/></fill>"
      "<fill><patternFill patternType=\"gray125\"/></fill></fills>"
      "<borders count=\"1\"><border><left/><right/><top/><bottom/><diagonal/></border></borders>"
      "<cellStyleXfs count=\"1\"><xf numFmtId=\"0\" fontId=\"0\" fillId=\"0\" borderId=\"0\"/>"
      "</cellStyleXfs><cellXfs count=\"{}\">{}</cellXfs></styleSheet>",
      kXmlHead, kSchemas, numbers, formats.size() + 2, cells);
}

struct Sheet {
  const char* name;
  std::string xml;
};

using Parts = std::vector<std::pair<std::string, std::string>>;  ///< contents by name

std::string relation(std::size_t id, const char* type, const std::string& target) {
  return fmt::format(
      "<Relationship Id=\"rId{}\" Type=\"{}officeDocument/2006/relationships/{}\" Target=\"{}\"/>",
      id, kSchemas, type, target);
}

std::string relations(const std::string& all) {
  return fmt::format("{}<Relationships xmlns=\"{}package/2006/relationships\">{}</Relationships>",
                     kXmlHead, kSchemas, all);
}

std::string type_of(const std::string& part, const char* type) {
  return fmt::format(
      "<Override PartName=\"/xl/{}\" "
      "ContentType=\"application/vnd.openxmlformats-officedocument.spreadsheetml.{}+xml\"/>",
      part, type);
}

std::string zipped_sheets(const std::vector<Sheet>& sheets, const std::string& styles) {
  std::string types = type_of("workbook.xml", "sheet.main") + type_of("styles.xml", "styles");
  std::string targets;
  std::string names;
  Parts parts;
  for (std::size_t s = 1; s <= sheets.size(); ++s) {
    const std::string part = fmt::format("worksheets/sheet{}.xml", s);
    types += type_of(part, "worksheet");
    targets += relation(s, "worksheet", part);
    names +=
        fmt::format("<sheet name=\"{}\" sheetId=\"{}\" r:id=\"rId{}\"/>", sheets[s - 1].name, s, s);
    parts.push_back({"xl/" + part, sheets[s - 1].xml});
  }
  targets += relation(sheets.size() + 1, "styles", "styles.xml");
  const Parts head{
      {"[Content_Types].xml",
       fmt::format("{}<Types xmlns=\"{}package/2006/content-types\"><Default Extension=\"rels\" "
                   "ContentType=\"application/vnd.openxmlformats-package.relationships+xml\"/>{}"
                   "</Types>",
                   kXmlHead, kSchemas, types)},
      {"_rels/.rels", relations(relation(1, "officeDocument", "xl/workbook.xml"))},
      {"xl/workbook.xml",
       fmt::format(
           "{0}<workbook xmlns=\"{1}spreadsheetml/2006/main\" "
           "xmlns:r=\"{1}officeDocument/2006/relationships\"><sheets>{2}</sheets></workbook>",
           kXmlHead, kSchemas, names)},
      {"xl/_rels/workbook.xml.rels", relations(targets)},
      {"xl/styles.xml", styles}};
  parts.insert(parts.begin(), head.begin(), head.end());
  return input::zipped(parts);
}

Table about_table(const Table& table) {
  Table about{{"about", ""}, {}};
  for (const auto& [what, text] : table.about) about.rows.push_back({what, text});
  return about;
}

}  // namespace

std::string workbook_bytes(const Table& table) {
  const auto formats = number_formats(table);
  std::vector<Sheet> sheets{{"results", sheet_xml(table, styles_of(table, formats))}};
  if (!table.about.empty()) sheets.push_back({"about", sheet_xml(about_table(table), {})});
  return zipped_sheets(sheets, styles_xml(formats));
}

}  // namespace vgsim::tables
