#include "models/vsphere/import/table/csv.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "models/vsphere/import/reading.hpp"

namespace vgsim::vsphere::import {
namespace {

constexpr std::size_t kMostCells = 4096;

bool is_line_end(char c) { return c == '\n' || c == '\r'; }

/// "sep=;" alone on a line.
bool is_separator_line(std::string_view line) {
  line = trimmed(line);
  return line.size() == 5 && same_word(line.substr(0, 4), "sep=");
}

}  // namespace

char csv_separator(std::string_view text) {
  constexpr std::array kSeparators = {',', ';', '\t'};
  const auto line = Lines(text).next();
  if (!line) return ',';
  if (is_separator_line(line->text)) return trimmed(line->text).back();
  std::array<std::size_t, kSeparators.size()> counts{};
  bool quoted = false;
  for (const char c : line->text) {
    if (c == '"') quoted = !quoted;
    for (std::size_t i = 0; i < kSeparators.size(); ++i) {
      if (!quoted && c == kSeparators[i]) ++counts[i];
    }
  }
  const auto most = std::ranges::max_element(counts);
  return kSeparators[static_cast<std::size_t>(most - counts.begin())];
}

CsvReader::CsvReader(FileNotes& notes, char separator)
    : notes_(notes), text_(notes.text()), separator_(separator) {
  const auto line = Lines(text_).next();
  if (line && is_separator_line(line->text)) at_ = line->text.size();
}

/// RFC 4180 with the freedoms that spreadsheets take: a first line "sep=;", quotes inside cells,
/// line ends of any system. Each cell keeps its place in the file for messages; a file that ends
/// within quotes was cut off.
bool CsvReader::next(CsvRow& row) {
  row.clear();
  while (!at_end() && is_line_end(text_[at_])) ++at_;
  if (at_end()) return false;
  while (true) {
    if (row.size() >= kMostCells) {
      notes_.error(codes::kTooMuch, Place{at_, 1}, "a row of more than 4096 cells");
      return false;
    }
    if (!read_cell(row)) return false;
    if (at_end() || is_line_end(text_[at_])) return true;
    ++at_;
  }
}

bool CsvReader::read_cell(CsvRow& row) {
  CsvCell cell;
  cell.place.offset = at_;
  const bool good = at_end() || text_[at_] != '"' || read_quoted(cell);
  const std::size_t start = at_;
  while (!at_end() && text_[at_] != separator_ && !is_line_end(text_[at_])) ++at_;
  cell.text += text_.substr(start, at_ - start);
  cell.place.length = at_ - cell.place.offset;
  row.push_back(std::move(cell));
  return good;
}

bool CsvReader::read_quoted(CsvCell& cell) {
  const std::size_t open = at_++;
  while (!at_end()) {
    const std::size_t quote = std::min(text_.find('"', at_), text_.size());
    cell.text += text_.substr(at_, quote - at_);
    at_ = quote + 1;
    if (quote == text_.size()) break;
    if (at_end() || text_[at_] != '"') return true;
    cell.text += '"';
    ++at_;
  }
  at_ = text_.size();
  notes_.error(codes::kNothingInIt, Place{open, 1}, "the file ends within quotes",
               "a closing quote");
  return false;
}

}  // namespace vgsim::vsphere::import
