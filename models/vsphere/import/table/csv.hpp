#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "models/vsphere/import/reading.hpp"

namespace vgsim::vsphere::import {

struct CsvCell {
  std::string text;
  Place place;
};
using CsvRow = std::vector<CsvCell>;

/// The separator of a CSV text by its first line: comma, semicolon or tab, whichever is there most
/// often outside quotes. Excel's first line "sep=;" states it.
[[nodiscard]] char csv_separator(std::string_view text);

/// Reads CSV (RFC 4180) row by row: cells in quotes may hold separators, line ends and doubled
/// quotes. Rows need not have the same length; empty lines are skipped.
class CsvReader {
 public:
  /// Reads the text of the file that `notes` is of.
  CsvReader(FileNotes& notes, char separator);

  /// The next row. False at the end, and at an error: a quote that is never closed (E532), or a row
  /// of more than 4096 cells (E533).
  [[nodiscard]] bool next(CsvRow& row);

 private:
  bool read_cell(CsvRow& row);
  bool read_quoted(CsvCell& cell);
  [[nodiscard]] bool at_end() const { return at_ >= text_.size(); }

  FileNotes& notes_;
  std::string_view text_;
  char separator_;
  std::size_t at_ = 0;
};

}  // namespace vgsim::vsphere::import
