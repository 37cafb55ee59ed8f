#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/calibration/measurement.hpp"

/// Matrices of rates with a row and a column for each GPU, as tools print them.
namespace vgsim::calibration::logs {

struct Row {
  std::size_t label = 0;  ///< number of the row
  std::vector<std::string> cells;
  std::size_t line = 0;     ///< from 1; 0 if rows are not lines, as in JSON
  bool unfinished = false;  ///< the text ends within the line
};

/// The number of columns in a heading "0 1 2"; 0 if the words are not consecutive numbers.
[[nodiscard]] std::size_t numbered_columns(std::span<const std::string_view> words);

/// The number of complete cells of a row. Both tools print two decimals (nvbandwidth by
/// setprecision(2) in output.cpp, p2pBandwidthLatencyTest.cu by "%6.02f"): with fewer, the last
/// number of a truncated row can be truncated itself.
[[nodiscard]] std::size_t whole_cells(const Row& row, std::size_t columns);

/// The text in the last brackets of a heading: "GB/s".
[[nodiscard]] std::string_view unit_in(std::string_view heading);

/// The unit in bytes/s.
[[nodiscard]] std::optional<double> bytes_per_second(std::string_view unit);

/// A value in SI units, or the reason for its absence. Both are empty if nothing was measured.
struct Cell {
  std::optional<double> value;
  std::string why;
};

/// A positive number times `factor`. `word`: its name in the reason.
[[nodiscard]] Cell value_in(std::string_view text, double factor, std::string_view word);

inline constexpr double kLeastRate = 1e6;  ///< bytes/s; smaller rates are implausible
inline constexpr double kMostRate = 100e12;

/// The same as value_in(), within these bounds.
[[nodiscard]] Cell rate_in(std::string_view text, double factor, std::string_view word);

/// "title, row 3, columns 0 to 7 (line 21)", up to column `to`, exclusive.
[[nodiscard]] std::string cells_text(std::string_view title, const Row& row, std::size_t from,
                                     std::size_t to);

/// Receives a cell. Returns the reason if the cell is rejected; else an empty text.
using TakeCell =
    std::function<std::string(const Row& row, std::size_t column, std::string_view text)>;

/// Passes all cells of a matrix with these numbers of rows and columns to a function. Missing,
/// overlong, truncated and surplus rows are skipped.
void take_cells(const std::string& title, const std::vector<Row>& rows, std::size_t row_count,
                std::size_t columns, const TakeCell& take, std::vector<LeftOut>& left_out);

/// Unnamed GPUs, one for each column.
[[nodiscard]] std::vector<MeasuredGpu> unnamed_gpus(std::size_t columns);

/// Adds copies for which the log contains a single number.
void add_copies(Copies copies, double seconds, Measurement& measurement);

}  // namespace vgsim::calibration::logs
