#include "models/vsphere/import/esxcli/esxcli_records.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "models/vsphere/import/pci_ids.hpp"
#include "models/vsphere/import/reading.hpp"
#include "models/vsphere/import/table/csv.hpp"
#include "models/vsphere/import/vim/vim_value.hpp"

namespace vgsim::vsphere::import {
namespace {

constexpr std::size_t kMostRecords = 200'000;
constexpr std::size_t kLongestKey = 60;
constexpr std::size_t kMostColumns = 64;

/// A column of a table, from the dashes below its heading.
struct EsxcliColumn {
  std::string key;
  std::size_t start = 0;
};

bool is_esxcli_key_char(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == ' ' ||
         c == '(' || c == ')' || c == '-' || c == '/' || c == '#';
}

/// "Key: value", where nvidia-smi would have blanks in front of the colon.
std::optional<EsxField> read_field(const TextSpan& line) {
  const std::size_t colon = line.text.find(':');
  if (colon == line.text.npos || colon == 0 || line.text[colon - 1] == ' ') return std::nullopt;
  const std::string_view key = trimmed(line.text.substr(0, colon));
  if (key.empty() || key.size() > kLongestKey) return std::nullopt;
  if (!std::ranges::all_of(key, is_esxcli_key_char)) return std::nullopt;
  const std::string_view behind = line.text.substr(colon + 1);
  if (!behind.empty() && behind.front() != ' ' && behind.front() != '\t') return std::nullopt;
  const std::string_view value = trimmed(behind);
  const std::size_t offset =
      value.empty() ? line.offset + colon
                    : line.offset + static_cast<std::size_t>(value.data() - line.text.data());
  return EsxField{bare_key(key), printable(value), {offset, value.size()}};
}

bool is_rule(std::string_view line) {
  line = trimmed(line);
  return line.size() >= 2 && line.starts_with("--") && line.find_first_not_of("- ") == line.npos;
}

std::vector<EsxcliColumn> read_columns(std::string_view headings, std::string_view rule) {
  std::vector<EsxcliColumn> columns;
  std::size_t at = rule.find('-');
  while (at != rule.npos) {
    const std::size_t end = std::min(rule.find(' ', at), rule.size());
    const std::size_t next = rule.find('-', end);
    const std::string_view heading =
        headings.substr(std::min(at, headings.size()), next == rule.npos ? next : next - at);
    columns.push_back({bare_key(heading), at});
    if (columns.size() > kMostColumns) return {};
    at = next;
  }
  return columns;
}

/// Cells separated by several blanks or, if some are empty, at the columns of the headings.
std::vector<std::string_view> read_cells(std::string_view line,
                                         const std::vector<EsxcliColumn>& columns) {
  std::vector<std::string_view> cells;
  for (std::string_view rest = trimmed(line); !rest.empty();) {
    const std::size_t end = std::min(rest.find("  "), rest.size());
    cells.push_back(trimmed(rest.substr(0, end)));
    rest = trimmed(rest.substr(end));
  }
  if (cells.size() == columns.size()) return cells;
  cells.clear();
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const std::size_t start = std::min(columns[i].start, line.size());
    const std::size_t end = i + 1 < columns.size() ? columns[i + 1].start : line.size();
    cells.push_back(trimmed(line.substr(start, end > start ? end - start : 0)));
  }
  return cells;
}

/// Three layouts are distinguished line by line: a table has a rule of dashes, whose gaps give the
/// columns; a block has "Key: value" lines, and a key that comes a second time begins the next
/// block; a line that begins with an address is one of lspci. An empty line ends any of them.
class TextRecords {
 public:
  explicit TextRecords(FileNotes& notes) : notes_(notes) {}

  std::vector<EsxRecord> read() {
    Lines lines(notes_.text());
    while (const auto line = lines.next()) {
      if (records_.size() > kMostRecords) {
        notes_.error(codes::kTooMuch, Place{line->offset, 1}, "more than 200000 records");
        break;
      }
      read_line(*line);
      before_ = *line;
    }
    end_record();
    return std::move(records_);
  }

 private:
  void read_line(const TextSpan& line) {
    const std::string_view text = trimmed(line.text);
    if (text.empty()) {
      columns_.clear();
      end_record();
    } else if (is_rule(line.text)) {
      end_record();
      columns_ = read_columns(before_.text, line.text);
    } else if (!columns_.empty()) {
      read_row(line);
    } else if (auto field = read_field(line)) {
      add(std::move(*field), line);
    } else {
      read_head(line, text);
    }
  }

  void read_row(const TextSpan& line) {
    EsxRecord row;
    row.place = {line.offset, line.text.size()};
    const auto cells = read_cells(line.text, columns_);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::size_t offset =
          cells[i].empty() ? 0 : static_cast<std::size_t>(cells[i].data() - line.text.data());
      row.fields.push_back(
          {columns_[i].key, printable(cells[i]), {line.offset + offset, cells[i].size()}});
    }
    records_.push_back(std::move(row));
  }

  /// A key that the block has already begins another one.
  void add(EsxField field, const TextSpan& line) {
    const bool known = std::ranges::any_of(
        record_.fields, [&](const EsxField& other) { return other.key == field.key; });
    if (known || record_.fields.size() >= 200) end_record();
    if (record_.fields.empty() && record_.head.empty()) record_.place = {line.offset, 1};
    record_.fields.push_back(std::move(field));
  }

  void read_head(const TextSpan& line, std::string_view text) {
    end_record();
    record_.place = {line.offset, line.text.size()};
    const std::size_t blank = std::min(text.find(' '), text.size());
    const bool has_address = !hex_bus_id(text.substr(0, blank)).empty();
    if (has_address && blank < text.size()) {
      record_.head = printable(text.substr(0, blank));
      record_.line = printable(text.substr(blank));
    } else if (text.size() <= kLongestKey) {
      record_.head = printable(text);
    }
  }

  void end_record() {
    if (!record_.fields.empty() || !record_.line.empty()) records_.push_back(std::move(record_));
    record_ = EsxRecord();
  }

  FileNotes& notes_;
  std::vector<EsxRecord> records_;
  EsxRecord record_;
  TextSpan before_;
  std::vector<EsxcliColumn> columns_;  ///< of the table that the lines are in
};

std::vector<EsxRecord> csv_records(FileNotes& notes) {
  std::vector<EsxRecord> records;
  CsvReader csv(notes, ',');
  CsvRow headings;
  CsvRow row;
  if (!csv.next(headings)) return records;
  while (csv.next(row) && records.size() < kMostRecords) {
    EsxRecord record;
    record.place = row.front().place;
    for (std::size_t i = 0; i < std::min(row.size(), headings.size()); ++i) {
      record.fields.push_back({bare_key(headings[i].text), printable(row[i].text), row[i].place});
    }
    records.push_back(std::move(record));
  }
  return records;
}

/// Objects whose members are texts. govc has a list of one text for each.
void collect_objects(const VimValue& value, int depth, std::vector<EsxRecord>& records) {
  EsxRecord record;
  record.place = value.place;
  for (const VimValue& child : value.children) {
    const bool one = child.is_list && child.children.size() == 1;
    const VimValue& leaf = one ? child.children.front() : child;
    if (!value.is_list && leaf.children.empty() && !leaf.is_list) {
      record.fields.push_back({bare_key(child.name), printable(leaf.text), leaf.place});
    } else if (depth < 6 && records.size() < kMostRecords) {
      collect_objects(child, depth + 1, records);
    }
  }
  if (!record.fields.empty()) records.push_back(std::move(record));
}

bool is_csv(std::string_view text) {
  const auto line = Lines(text).next();
  if (!line) return false;
  const auto commas = std::ranges::count(line->text, ',');
  return commas >= 2 && line->text.find(' ') == std::string_view::npos &&
         line->text.find(':') == std::string_view::npos;
}

}  // namespace

const EsxField* EsxRecord::find(std::string_view key) const {
  const auto found =
      std::ranges::find_if(fields, [&](const EsxField& field) { return field.key == key; });
  return found == fields.end() || found->value.empty() ? nullptr : &*found;
}

std::vector<EsxRecord> esxcli_records(FileNotes& notes) {
  const std::string_view start = trimmed(notes.text().substr(0, 4096));
  // A prompt begins with a bracket too.
  const bool is_json = start.starts_with('{') ||
                       (start.starts_with('[') && trimmed(start.substr(1)).starts_with('{'));
  if (is_json) {
    std::vector<EsxRecord> records;
    for (const VimValue& document : read_vim_json(notes)) collect_objects(document, 0, records);
    return records;
  }
  return is_csv(notes.text()) ? csv_records(notes) : TextRecords(notes).read();
}

}  // namespace vgsim::vsphere::import
