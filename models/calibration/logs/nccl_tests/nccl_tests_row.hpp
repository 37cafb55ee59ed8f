#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "models/calibration/logs/log_lines.hpp"
#include "sim/units.hpp"

/// Headers and rows of the tables that nccl-tests prints.
namespace vgsim::calibration::logs::nccl_tests {

/// The columns after size, count and type. A measure is a column after root, which some releases do
/// not print.
struct Columns {
  bool root = false;
  bool cpu_times = false;
  std::vector<std::size_t> times;  ///< measures that are times, each followed by algbw and busbw
  std::vector<std::size_t> wrong;  ///< measures that count wrong elements
  std::size_t wanted = 0;          ///< minimum number of measures of a complete row
};

/// The columns if the words are a header. The second line of the header, with the units, is
/// ignored.
[[nodiscard]] std::optional<Columns> columns_in(const Words& words);

/// A partially read row: an NCCL message can interrupt it.
struct PartialRow {
  Bytes size{};
  std::vector<std::string_view> measures;
};

/// Whether the word is a measure: a number or "N/A".
[[nodiscard]] bool is_measure(std::string_view word);

/// The row that begins in this line, if any.
[[nodiscard]] std::optional<PartialRow> row_in(const Words& words, bool has_root);

}  // namespace vgsim::calibration::logs::nccl_tests
