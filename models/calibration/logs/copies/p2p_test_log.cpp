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
/// Integers of 4 bytes in a copy: the default of numElems in p2pBandwidthLatencyTest.cu, and its
/// default before CUDA 10.
constexpr std::int64_t kElements = 40000000;
constexpr std::int64_t kOldElements = 10000000;
/// Size of the copies for latencies: numElems is 4 in outputLatencyMatrix() of that file.
constexpr Bytes kLatencySize{16};
constexpr Bytes kOldLatencySize{1};

/// Factor to bytes/s of a rate, or to seconds of a latency.
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

/// Converts the matrices to a measurement.
///
/// Release and heading determine whether the row's GPU reads or writes, and so the direction of the
/// route. Sizes are not printed: they are constants of the program, which changed with CUDA 10.
/// GPUs without access in the connectivity matrix copy through the host even if peer access is
/// enabled.
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
    logs::take_cells(
        heading.text, matrix.rows, gpus, gpus,
        [&](const logs::Row& row, std::size_t column, std::string_view text) {
          return take(heading, row.label, column, text, *factor);
        },
        measurement_.left_out);
  }

  std::string take(const p2p_test::Heading& heading, std::size_t row, std::size_t column,
                   std::string_view text, double factor) {
    const bool is_latency = heading.kind == p2p_test::Heading::Kind::kLatency;
    if (is_latency && column == row) return {};
    Cell cell = cell_of(text, heading, factor);
    if (!cell.value) return std::move(cell.why);
    if (is_latency) {
      add_latency(heading, row, column, *cell.value);
    } else {
      add_bandwidth(heading, row, column, *cell.value);
    }
    return {};
  }

  void leave_out_queueing() {
    if (std::exchange(tells_queueing_, true)) return;
    leave_out("latency matrices, CPU", "the time that the host takes to queue a copy");
  }

  /// From the row's GPU to the column's; in the other direction if the row's GPU reads, as in all
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
    logs::add_copies(std::move(copy), time_s, measurement_);
  }

  void add_bandwidth(const p2p_test::Heading& heading, std::size_t row, std::size_t column,
                     double rate) {
    Copies copy = copies(heading, row, column);
    copy.size = Bytes{output_.elements.value_or(output_.tells_writes ? kElements : kOldElements) *
                      std::int64_t{sizeof(std::int32_t)}};
    const double reads_and_writes = row == column ? 2.0 : 1.0;
    const double counted = static_cast<double>(copy.routes.size()) * reads_and_writes;
    const double time_s = static_cast<double>(copy.size.count()) * counted / rate;
    logs::add_copies(std::move(copy), time_s, measurement_);
  }

  const p2p_test::Output& output_;
  Measurement& measurement_;
  bool tells_queueing_ = false;
};

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
    std::size_t widest = 0;
    for (const p2p_test::Matrix& matrix : output.matrices) {
      widest = std::max(widest, matrix.columns);
    }
    measurement.machine.gpus = logs::unnamed_gpus(widest);
    logs::tell_no_devices(warnings, file, p2p_test::kTool, measurement.machine.gpus.size(),
                          "matrices");
  }
  P2pTestConverter(output, measurement).convert();
  if (!measurement.results.empty()) return measurement;
  logs::tell_nothing_read(errors, file, p2p_test::kTool, measurement.left_out,
                          "matrices below \"Unidirectional P2P=Disabled Bandwidth Matrix "
                          "(GB/s)\" or the like");
  return tl::unexpected(errors);
}

}  // namespace vgsim::calibration
