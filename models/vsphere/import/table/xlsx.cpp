#include "models/vsphere/import/table/xlsx.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <map>
#include <utility>

#include "models/vsphere/import/reading.hpp"
#include "models/vsphere/import/xml_names.hpp"
#include "topology/importers/xml_reader.hpp"
#include "topology/input/zip_file.hpp"

namespace vgsim::vsphere::import {
namespace {

constexpr topology::XmlLimits kPartLimits{std::size_t{64} << 20, 32};
constexpr std::size_t kMostUnpacked = std::size_t{256} << 20;
constexpr std::ptrdiff_t kMostElements = 3'000'000;
constexpr std::size_t kMostTableBytes = std::size_t{64} << 20;
constexpr std::size_t kMostSheets = 256;
constexpr std::int64_t kMostSheetRows = 1'048'576;
constexpr std::size_t kMostSheetColumns = 4096;

/// "xl/worksheets/sheet1.xml" of a target as relationships of xl/workbook.xml have it.
std::string part_name(std::string_view target) {
  if (target.starts_with('/')) return std::string(target.substr(1));
  return "xl/" + std::string(target);
}

/// Column of a reference such as "AB12", from 0; npos if it is none.
std::size_t column_of(std::string_view reference) {
  std::size_t column = 0;
  for (const char c : reference.substr(0, 3)) {
    if (c < 'A' || c > 'Z') break;
    column = column * 26 + static_cast<std::size_t>(c - 'A') + 1;
  }
  return column - 1;
}

/// Text of a cell's <is> or a shared <si>: plain, or in runs; how it is pronounced is left out.
std::string rich_text(pugi::xml_node node) {
  std::string text;
  for (const pugi::xml_node child : node.children()) {
    const std::string_view name = local_name(child.name());
    if (name == "t") text += child.child_value();
    if (name == "r") text += text_of(child, "t");
  }
  return text;
}

/// Spreadsheets save some whole numbers as "2.56E5" or "12.0".
std::string number_text(std::string_view text) {
  constexpr double kWhole = 9e15;
  if (text.find_first_of(".eE") == text.npos) return std::string(text);
  double value = kWhole;
  std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = std::abs(value) < kWhole && value == std::floor(value);
  return whole ? fmt::format("{}", static_cast<std::int64_t>(value)) : std::string(text);
}

void append_cell(std::string& line, std::string_view text) {
  if (text.find_first_of(",\"\r\n;\t") == text.npos) {
    line += text;
    return;
  }
  line += '"';
  for (const char c : text) {
    if (c == '"') line += '"';
    line += c == '\r' || c == '\n' ? ' ' : c;
  }
  line += '"';
}

/// xl/workbook.xml names the sheets and refers to their parts by relationships; texts
/// are in a table shared by all sheets, or in the cells. Sheets omit empty rows and cells, which
/// are restored from the numbers of the others.
class XlsxReader {
 public:
  explicit XlsxReader(const input::SourcePtr& source)
      : notes_(source), archive_(source->text), path_(source->path) {}

  tl::expected<std::vector<Sheet>, input::Diagnostics> read(
      const std::function<bool(std::string_view)>& wanted) {
    if (archive_.good()) {
      read_workbook(wanted);
    } else {
      notes_.error(codes::kNotThisFormat, Place{0, 2}, "the file is not a complete ZIP archive",
                   "an .xlsx file as a spreadsheet program saves it");
    }
    if (notes_.failed()) return tl::unexpected(notes_.errors());
    return std::move(sheets_);
  }

 private:
  using Parts = std::vector<std::pair<std::string, std::string>>;  ///< name and part of each sheet

  /// Calls `visit` with the root of a part; nothing happens if there is an error.
  template <class Visit>
  void with_part(const std::string& part, Visit&& visit) {
    auto text = archive_.read(part, std::min(left_, kPartLimits.bytes));
    if (!text) {
      return notes_.error(codes::kNothingInIt, Place{0, 2},
                          fmt::format("{} in it is {}", part, text.error()),
                          "a complete .xlsx file without a password");
    }
    left_ -= std::min(left_, text->size());
    if (left_ == 0 || text->size() > kPartLimits.bytes) {
      return notes_.error(codes::kTooMuch, Place{0, 2}, fmt::format("{} in it is too large", part),
                          fmt::format("at most {} MiB unpacked, and {} MiB of all parts",
                                      kPartLimits.bytes >> 20, kMostUnpacked >> 20));
    }
    if (std::count(text->begin(), text->end(), '<') > kMostElements) {
      return notes_.error(codes::kTooMuch, Place{0, 2}, fmt::format("{} in it is too large", part),
                          fmt::format("at most {} elements", kMostElements));
    }
    FileNotes notes(input::make_source(path_ + "!" + part, std::move(*text)));
    topology::XmlReader xml(notes);
    if (const pugi::xml_node root = xml.load(kPartLimits)) visit(root);
    notes_.append(notes.errors());
  }

  void read_workbook(const std::function<bool(std::string_view)>& wanted) {
    if (!archive_.has("xl/workbook.xml")) {
      return notes_.error(codes::kNotThisFormat, Place{0, 2},
                          "a ZIP archive, but not of a workbook",
                          "an .xlsx file; unpack other archives");
    }
    Parts parts = sheet_parts();
    const auto is_wanted = [&](const auto& part) { return wanted(part.first); };
    if (std::ranges::any_of(parts, is_wanted)) std::erase_if(parts, std::not_fn(is_wanted));
    if (archive_.has("xl/sharedStrings.xml")) {
      with_part("xl/sharedStrings.xml", [&](pugi::xml_node root) {
        for (const pugi::xml_node item : root.children()) shared_.push_back(rich_text(item));
      });
    }
    for (const auto& [name, part] : parts) {
      if (notes_.failed()) return;
      with_part(part, [&, &sheet = name](pugi::xml_node root) { read_sheet(sheet, root); });
    }
  }

  Parts sheet_parts() {
    std::map<std::string, std::string, std::less<>> targets;
    with_part("xl/_rels/workbook.xml.rels", [&](pugi::xml_node root) {
      for (const pugi::xml_node relation : root.children()) {
        targets.emplace(attribute_named(relation, "Id").value(),
                        attribute_named(relation, "Target").value());
      }
    });
    Parts parts;
    with_part("xl/workbook.xml", [&](pugi::xml_node root) {
      for (const pugi::xml_node sheet : child_named(root, "sheets").children()) {
        const auto target = targets.find(sheet_id(sheet));
        const bool is_cells =
            target != targets.end() && target->second.find("worksheets/") != std::string::npos;
        if (!is_cells || parts.size() >= kMostSheets) continue;
        parts.emplace_back(printable(attribute_named(sheet, "name").value()),
                           part_name(target->second));
      }
    });
    return parts;
  }

  /// "r:id", beside "sheetId".
  static std::string_view sheet_id(pugi::xml_node sheet) {
    return attribute_named(sheet, "id").value();
  }

  void read_sheet(const std::string& name, pugi::xml_node root) {
    std::string table;
    std::int64_t written = 0;
    for (const pugi::xml_node row : child_named(root, "sheetData").children()) {
      const std::int64_t number = whole_number(row.attribute("r").value()).value_or(written + 1);
      const bool fits = number <= kMostSheetRows && append_row(row, number - written, table);
      if (!fits) {
        return notes_.error(codes::kTooMuch, Place{0, 2},
                            fmt::format("the sheet {} is too large", name),
                            fmt::format("at most {} rows, {} columns and {} MiB of text",
                                        kMostSheetRows, kMostSheetColumns, kMostTableBytes >> 20));
      }
      written = std::max(number, written + 1);
    }
    sheets_.push_back({name, input::make_source(path_ + "!" + name, std::move(table))});
  }

  /// Adds a row that is `below` lines below the last one; false beyond the limits.
  [[nodiscard]] bool append_row(pugi::xml_node row, std::int64_t below, std::string& table) const {
    if (below > 1) table.append(static_cast<std::size_t>(below - 1), '\n');
    std::size_t at = 0;  // column that the line has reached
    std::size_t next = 0;
    for (const pugi::xml_node cell : row.children()) {
      const std::string_view reference = cell.attribute("r").value();
      const std::size_t column = reference.empty() ? next : column_of(reference);
      if (column >= kMostSheetColumns || table.size() > kMostTableBytes) return false;
      if (column < next) continue;
      for (; at < column; ++at) table += ',';
      append_cell(table, cell_text(cell));
      next = column + 1;
    }
    table += '\n';
    return true;
  }

  std::string cell_text(pugi::xml_node cell) const {
    const std::string_view type = cell.attribute("t").value();
    if (type == "inlineStr") return rich_text(child_named(cell, "is"));
    const std::string_view value = text_of(cell, "v");
    if (type == "s") {
      const auto index = whole_number(value).value_or(-1);
      const bool known = index >= 0 && static_cast<std::size_t>(index) < shared_.size();
      return known ? shared_[static_cast<std::size_t>(index)] : std::string();
    }
    if (type == "b") return value == "1" ? "True" : "False";
    return type.empty() || type == "n" ? number_text(value) : std::string(value);
  }

  FileNotes notes_;
  input::ZipReader archive_;
  std::size_t left_ = kMostUnpacked;  ///< bytes that may still be unpacked
  std::string path_;
  std::vector<std::string> shared_;
  std::vector<Sheet> sheets_;
};

}  // namespace

bool is_xlsx(std::string_view text) { return text.starts_with("PK\x03\x04"); }

tl::expected<std::vector<Sheet>, input::Diagnostics> read_xlsx(
    const input::SourcePtr& source, const std::function<bool(std::string_view)>& wanted) {
  return XlsxReader(source).read(wanted);
}

}  // namespace vgsim::vsphere::import
