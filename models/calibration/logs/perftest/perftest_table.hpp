#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "models/calibration/logs/log_lines.hpp"
#include "models/calibration/logs/perftest/perftest_log.hpp"

/// Headers and lines of perftest's tables.
namespace vgsim::calibration::logs::perftest {

enum class Column {
  kSize,
  kIterations,
  kPeak,
  kAverage,
  kMessageRate,
  kLeast,
  kTypical,
  kMean,
  kMost,
  kP99,
  kOther
};

struct Header {
  std::vector<Column> columns;
  double rate_factor = 0.0;  ///< of peak and average, to bytes per second; 0: unknown unit
  double time_factor = 0.0;  ///< of times, to seconds; 0: unknown unit
};

/// The header in " #bytes     #iterations    BW peak[MB/sec]    BW average[MB/sec] ...".
[[nodiscard]] std::optional<Header> header_in(std::string_view line);

/// Whether the words are the numbers of a line, and no other text.
[[nodiscard]] bool is_line(const Words& words);

/// The point, or nothing if one of the numbers is implausible.
[[nodiscard]] std::optional<PerftestPoint> point_in(const Words& words, const Header& header);

}  // namespace vgsim::calibration::logs::perftest
