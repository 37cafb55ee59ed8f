#include "models/calibration/logs/copies/p2p_test_log.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/calibration/logs/copies/p2p_test_text.hpp"
#include "models/calibration/logs/log_lines.hpp"
#include "models/calibration/logs/log_problems.hpp"

namespace vgsim::calibration {
namespace {

namespace p2p_test = logs::p2p_test;

using input::Diagnostics;
using logs::Cell;

constexpr double kLongestLatency = 10.0;  ///< seconds
/// Integers of 4 bytes in a copy: the default of numElems in p2pBandwidthLatencyTest.cu, and in its
/// releases before CUDA 10.
constexpr std::int64_t kElements = 40000000;
constexpr std::int64_t kOldElements = 10000000;
/// Of the copies whose latency is measured: numElems is 4 in outputLatencyMatrix() of that file.
constexpr Bytes kLatencySize{16};
constexpr Bytes kOldLatencySize{1};

/// Of a rate in bytes per second, or of a latency in seconds.
std::optional<double> factor_of(const p2p_test::Heading& heading) {
  const std::string_view unit = logs::unit_in(heading.text);
  if (heading.kind != p2p_test::Heading::Kind::kLatency) return logs::bytes_per_second(unit);
  return unit == "us" ? std::optional(1e-6) : std::nullopt;
}

Cell cell_of(std::string_view text, const p2p_test::Heading& heading, double factor) {
  if (heading.kind != p2p_test::Heading::Kind::kLatency)
    return logs::rate_in(text, factor, "value");
  Cell cell = logs::value_in(text, factor, "value");
  if (!cell.value || *cell.value <= kLongestLatency) return cell;
  return {{}, fmt::format("\"{}\" is longer than 10 s", text)};
}

/// From the matrices to the measurement.
class P2pTestConverter {
 public:
  P2pTestConverter(const p2p_test::Output& output, Measurement& measurement)
      : output_(output), measurement_(measurement) {}

  void convert() {
    for (const p2p_test::Matrix& matrix : output_.matrices) convert(matrix);
  }

 private:
  void leave_out(std::string what, std::string why) {
    measurement_.left_out.push_back({std::move(what), std::move(why)});
  }

  void convert(const p2p_test::Matrix& matrix) {
    const p2p_test::Heading& heading = matrix.heading;
    if (heading.kind == p2p_test::Heading::Kind::kConnectivity) return;
    if (heading.kind == p2p_test::Heading::Kind::kQueueing) return leave_out_queueing();
    const std::size_t gpus = measurement_.machine.gpus.size();
    if (heading.kind == p2p_test::Heading::Kind::kUnknown) {
      return leave_out(heading.text.empty() ? "a matrix without a heading" : heading.text,
                       "expected a matrix of bandwidths or latencies");
    }
    const auto factor = factor_of(heading);
    if (!factor) {
      return leave_out(heading.text,
                       fmt::format("unknown unit \"{}\": expected GB/s, MB/s or GiB/s of a "
                                   "bandwidth, us of a latency",
                                   logs::unit_in(heading.text)));
    }
    if (matrix.columns != gpus) {
      return leave_out(heading.text, fmt::format("{} columns for {} GPUs", matrix.columns, gpus));
    }
    convert_rows(matrix, *factor);
  }

  void leave_out_queueing() {
    if (std::exchange(tells_queueing_, true)) return;
    leave_out("latency matrices, CPU", "the time that the host takes to queue a copy");
  }

  void convert_rows(const p2p_test::Matrix& matrix, double factor) {
    std::size_t next = 0;
    for (const logs::Row& row : matrix.rows) {
      if (row.label >= matrix.columns) {
        leave_out(logs::cells_text(matrix.heading.text, row, 0, matrix.columns),
                  fmt::format("there are {} GPUs", matrix.columns));
        continue;
      }
      miss_rows(matrix, next, row.label);
      next = row.label + 1;
      convert_row(matrix, row, factor);
    }
    miss_rows(matrix, next, matrix.columns);
  }

  void miss_rows(const p2p_test::Matrix& matrix, std::size_t from, std::size_t to) {
    if (from < to) leave_out(logs::rows_text(matrix.heading.text, from, to), "missing");
  }

  void convert_row(const p2p_test::Matrix& matrix, const logs::Row& row, double factor) {
    if (row.cells.size() > matrix.columns) {
      return leave_out(logs::cells_text(matrix.heading.text, row, 0, matrix.columns),
                       fmt::format("{} values for {} columns", row.cells.size(), matrix.columns));
    }
    const std::size_t whole = logs::whole_cells(row, matrix.columns);
    for (std::size_t column = 0; column < whole; ++column) {
      const bool is_latency = matrix.heading.kind == p2p_test::Heading::Kind::kLatency;
      if (is_latency && column == row.label) continue;
      Cell cell = cell_of(row.cells[column], matrix.heading, factor);
      if (!cell.value) {
        leave_out(logs::cells_text(matrix.heading.text, row, column, column + 1),
                  std::move(cell.why));
      } else if (is_latency) {
        add_latency(matrix.heading, row.label, column, *cell.value);
      } else {
        add_bandwidth(matrix.heading, row.label, column, *cell.value);
      }
    }
    if (whole < matrix.columns) {
      leave_out(logs::cells_text(matrix.heading.text, row, whole, matrix.columns),
                "the row is cut short");
    }
  }

  /// From the row's GPU to the column's; the other way where the row's GPU reads, as it did in all
  /// releases before CUDA 10.
  [[nodiscard]] Copies copies(const p2p_test::Heading& heading, std::size_t row,
                              std::size_t column) const {
    const Place own{Place::Kind::kGpu, row, {}};
    const Place peer{Place::Kind::kGpu, column, {}};
    const bool reads = heading.reads || !output_.tells_writes;
    Copies copies;
    copies.routes = {reads ? Route{peer, own} : Route{own, peer}};
    if (heading.both_ways) copies.routes.push_back({copies.routes[0].to, copies.routes[0].from});
    const bool is_local = row == column;
    copies.peer_access =
        is_local || (heading.peer_access && !output_.parted.contains(std::minmax(row, column)));
    copies.by_kernel = output_.by_kernel && copies.peer_access && !is_local;
    return copies;
  }

  void add_latency(const p2p_test::Heading& heading, std::size_t row, std::size_t column,
                   double time_s) {
    Copies copy = copies(heading, row, column);
    copy.size = heading.is_old ? kOldLatencySize : kLatencySize;
    add(std::move(copy), time_s);
  }

  void add_bandwidth(const p2p_test::Heading& heading, std::size_t row, std::size_t column,
                     double rate) {
    Copies copy = copies(heading, row, column);
    copy.size = Bytes{output_.elements.value_or(output_.tells_writes ? kElements : kOldElements) *
                      std::int64_t{sizeof(std::int32_t)}};
    const double reads_and_writes = row == column ? 2.0 : 1.0;
    const double counted = static_cast<double>(copy.routes.size()) * reads_and_writes;
    const double time_s = static_cast<double>(copy.size.count()) * counted / rate;
    add(std::move(copy), time_s);
  }

  void add(Copies copies, double time_s) {
    Timing timing;
    timing.median_s = timing.low_s = timing.high_s = time_s;
    measurement_.results.push_back({std::move(copies), timing});
  }

  const p2p_test::Output& output_;
  Measurement& measurement_;
  bool tells_queueing_ = false;
};

/// As many GPUs without a name as the widest matrix has columns.
std::vector<MeasuredGpu> counted_devices(const std::vector<p2p_test::Matrix>& matrices) {
  std::size_t gpus = 0;
  for (const p2p_test::Matrix& matrix : matrices) gpus = std::max(gpus, matrix.columns);
  return std::vector<MeasuredGpu>(std::min(gpus, logs::kMaxGpus));
}

}  // namespace

bool is_p2p_test_log(std::string_view text) {
  return logs::contains(text, "P2P (Peer-to-Peer) GPU Bandwidth Latency Test") ||
         logs::contains(text, "P2P=Disabled Bandwidth Matrix") ||
         logs::contains(text, "P2P=Enabled Bandwidth") ||
         logs::contains(text, "P2P=Disabled Latency Matrix") ||
         logs::contains(text, "P2P=Enabled Latency");
}

tl::expected<Measurement, Diagnostics> read_p2p_test_log(const input::SourcePtr& file,
                                                         Diagnostics& warnings) {
  const p2p_test::Output output = logs::p2p_test::read_text(file->text);
  Diagnostics errors;
  if (output.other_devices) {
    logs::tell_other_devices(errors, file, *output.other_devices, p2p_test::kTool);
    return tl::unexpected(errors);
  }
  Measurement measurement;
  measurement.tool = p2p_test::kTool;
  measurement.machine.gpus = output.gpus;
  if (output.gpus.empty()) {
    measurement.machine.gpus = counted_devices(output.matrices);
    logs::tell_no_devices(warnings, file, p2p_test::kTool, measurement.machine.gpus.size(),
                          "matrices");
  }
  P2pTestConverter(output, measurement).convert();
  if (!measurement.results.empty()) return measurement;
  logs::tell_nothing_read(errors, file, p2p_test::kTool, measurement.left_out,
                          "matrices below \"Unidirectional P2P=Disabled Bandwidth p2p_test::Matrix "
                          "(GB/s)\" or the like");
  return tl::unexpected(errors);
}

}  // namespace vgsim::calibration
