#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "models/calibration/logs/log_lines.hpp"
#include "sim/units.hpp"

/// Headers and rows of the tables that nccl-tests prints.
namespace vgsim::calibration::logs::nccl_tests {

/// What the columns behind size, count and type hold. A measure is a column behind root, which not
/// every release prints.
struct Columns {
  bool root = false;
  bool cpu_times = false;
  std::vector<std::size_t> times;  ///< measures that are times; algbw and busbw follow each
  std::vector<std::size_t> wrong;  ///< measures that count wrong elements
  std::size_t wanted = 0;          ///< measures that a whole row has at least
};

/// The columns, if the words are those of a header. Of the header's other line, which tells units,
/// nothing is read.
[[nodiscard]] std::optional<Columns> columns_in(const Words& words);

/// A row as far as it has been read: a message of NCCL may stand in its middle.
struct PartialRow {
  Bytes size{};
  std::vector<std::string_view> measures;
};

/// Whether the word can stand for a measure: a number or "N/A".
[[nodiscard]] bool is_measure(std::string_view word);

/// The row that begins in this line, if one does.
[[nodiscard]] std::optional<PartialRow> row_in(const Words& words, bool has_root);

}  // namespace vgsim::calibration::logs::nccl_tests
