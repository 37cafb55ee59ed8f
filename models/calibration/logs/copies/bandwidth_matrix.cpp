#include "models/calibration/logs/copies/bandwidth_matrix.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "models/calibration/logs/copies/device_list.hpp"
#include "models/calibration/logs/log_lines.hpp"
#include "topology/input/text_cells.hpp"

namespace vgsim::calibration::logs {
namespace {

std::string range(std::string_view word, std::size_t from, std::size_t to) {
  return to == from + 1 ? fmt::format("{} {}", word, from)
                        : fmt::format("{}s {} to {}", word, from, to - 1);
}

}  // namespace

std::size_t numbered_columns(std::span<const std::string_view> words) {
  for (std::size_t w = 0; w < words.size(); ++w) {
    if (parse<std::size_t>(words[w]) != w) return 0;
  }
  return words.size();
}

std::size_t whole_cells(const Row& row, std::size_t columns) {
  const bool is_cut = row.unfinished || (row.line > 0 && row.cells.size() < columns);
  if (!is_cut || row.cells.empty()) return row.cells.size();
  const std::string& last = row.cells.back();
  const std::size_t point = last.find('.');
  const bool is_whole = last == "N/A" || (point != std::string::npos && last.size() > point + 2);
  return row.cells.size() - (is_whole ? 0 : 1);
}

std::string_view unit_in(std::string_view heading) {
  const std::size_t open = heading.rfind('(');
  if (open == std::string_view::npos) return {};
  const std::size_t close = heading.find(')', open);
  return heading.substr(open + 1, close == std::string_view::npos ? 0 : close - open - 1);
}

std::optional<double> bytes_per_second(std::string_view unit) {
  if (unit == "GB/s") return 1e9;
  if (unit == "MB/s") return 1e6;
  if (unit == "GiB/s") return 1024.0 * 1024.0 * 1024.0;
  return std::nullopt;
}

Cell value_in(std::string_view text, double factor, std::string_view word) {
  const auto number = parse<double>(text);
  if (!number) return {{}, fmt::format("\"{}\" is not a number", input::printable(text))};
  const double value = *number * factor;
  if (std::isfinite(value) && value > 0.0) return {value, {}};
  return {{}, fmt::format("\"{}\" is not a {} above 0", text, word)};
}

Cell rate_in(std::string_view text, double factor, std::string_view word) {
  Cell cell = value_in(text, factor, word);
  if (!cell.value || (*cell.value >= kLeastRate && *cell.value <= kMostRate)) return cell;
  return {{}, fmt::format("\"{}\" is not between 1 MB/s and 100 TB/s", text)};
}

std::string cells_text(std::string_view title, const Row& row, std::size_t from, std::size_t to) {
  const std::string line = row.line > 0 ? fmt::format(" (line {})", row.line) : "";
  return fmt::format("{}, row {}, {}{}", title, row.label, range("column", from, to), line);
}

void take_cells(const std::string& title, const std::vector<Row>& rows, std::size_t row_count,
                std::size_t columns, const TakeCell& take, std::vector<LeftOut>& left_out) {
  std::size_t next = 0;
  const auto miss_rows_to = [&](std::size_t end) {
    if (next < end) {
      left_out.push_back({fmt::format("{}, {}", title, range("row", next, end)), "missing"});
    }
  };
  for (const Row& row : rows) {
    const auto leave_out = [&](std::size_t from, std::size_t to, std::string why) {
      left_out.push_back({cells_text(title, row, from, to), std::move(why)});
    };
    if (row.label >= row_count) {
      leave_out(0, columns, fmt::format("there are only {} GPUs", row_count));
      continue;
    }
    miss_rows_to(row.label);
    next = row.label + 1;
    if (row.cells.size() > columns) {
      leave_out(0, columns, fmt::format("{} values for {} columns", row.cells.size(), columns));
      continue;
    }
    const std::size_t whole = whole_cells(row, columns);
    for (std::size_t column = 0; column < whole; ++column) {
      std::string why = take(row, column, row.cells[column]);
      if (!why.empty()) leave_out(column, column + 1, std::move(why));
    }
    if (whole < columns) leave_out(whole, columns, "the row is truncated");
  }
  miss_rows_to(row_count);
}

std::vector<MeasuredGpu> unnamed_gpus(std::size_t columns) {
  return std::vector<MeasuredGpu>(std::min(columns, kMaxGpus));
}

void add_copies(Copies copies, double seconds, Measurement& measurement) {
  Timing timing;
  timing.median_s = timing.low_s = timing.high_s = seconds;
  measurement.results.push_back({std::move(copies), timing});
}

}  // namespace vgsim::calibration::logs
