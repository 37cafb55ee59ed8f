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
  std::size_t line = 0;     ///< from 1; 0 where rows are no lines, as in JSON
  bool unfinished = false;  ///< the text ends within the line
};

/// How many columns the words "0 1 2" number; 0 if they are no such numbers.
[[nodiscard]] std::size_t numbered_columns(std::span<const std::string_view> words);

/// How many cells of a row can be trusted. Both tools print two digits after the point (nvbandwidth
/// by setprecision(2) in output.cpp, p2pBandwidthLatencyTest.cu by "%6.02f"): with fewer, the last
/// number of a row that is cut short may itself be cut.
[[nodiscard]] std::size_t whole_cells(const Row& row, std::size_t columns);

/// What stands in the last brackets of a heading: "GB/s".
[[nodiscard]] std::string_view unit_in(std::string_view heading);

/// How many bytes per second the unit is.
[[nodiscard]] std::optional<double> bytes_per_second(std::string_view unit);

/// A value in SI units, or why there is none. Both are empty where nothing was measured.
struct Cell {
  std::optional<double> value;
  std::string why;
};

/// A number above 0 times `factor`. `word`: what the reason calls it.
[[nodiscard]] Cell value_in(std::string_view text, double factor, std::string_view word);

inline constexpr double kLeastRate = 1e6;  ///< bytes per second; what is less cannot be meant
inline constexpr double kMostRate = 100e12;

/// As value_in(), between these bounds.
[[nodiscard]] Cell rate_in(std::string_view text, double factor, std::string_view word);

/// "title, row 3, columns 0 to 7 (line 21)", up to and without the column `to`.
[[nodiscard]] std::string cells_text(std::string_view title, const Row& row, std::size_t from,
                                     std::size_t to);

/// Takes a cell. Says why it cannot; empty if it did, or there is nothing to say.
using TakeCell =
    std::function<std::string(const Row& row, std::size_t column, std::string_view text)>;

/// Hands out all cells of a matrix of that many rows and columns. What is not whole is left out:
/// rows that are missing, too long, cut short or too many.
void take_cells(const std::string& title, const std::vector<Row>& rows, std::size_t row_count,
                std::size_t columns, const TakeCell& take, std::vector<LeftOut>& left_out);

/// As many GPUs without a name as there are columns.
[[nodiscard]] std::vector<MeasuredGpu> unnamed_gpus(std::size_t columns);

/// Adds copies of which the log tells one number alone.
void add_copies(Copies copies, double seconds, Measurement& measurement);

}  // namespace vgsim::calibration::logs
