#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "sim/units.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/source_file.hpp"

namespace vgsim::calibration {

/// One line of a table. What the test does not print is empty.
struct PerftestPoint {
  Bytes size{};
  std::int64_t iterations = 0;
  std::optional<double> peak{};          ///< bytes per second, as the average
  std::optional<double> average{};       ///< of both directions together, if the test is of both
  std::optional<double> message_rate{};  ///< messages per second
  std::optional<double> least_s{};
  std::optional<double> typical_s{};  ///< the median
  std::optional<double> mean_s{};
  std::optional<double> most_s{};
  std::optional<double> p99_s{};
};

/// One run of ib_write_bw, ib_read_lat or the like. What the log does not tell is empty.
struct PerftestRun {
  std::string test;        ///< "RDMA_Write BW", "Send Bidirectional BW", "RDMA_Read Latency"
  std::string device;      ///< "mlx5_0"
  std::string link;        ///< "IB" or "Ethernet"
  std::string transport;   ///< "IB"
  std::string connection;  ///< "RC"
  std::optional<Bytes> mtu;
  std::optional<std::size_t> queue_pairs;
  std::string memory;  ///< "CUDA" or "ROCm" where buffers lie in a GPU's memory
  std::string gpu;     ///< its name
  std::vector<PerftestPoint> points;
};

/// Whether a text holds a table of perftest.
[[nodiscard]] bool is_perftest_log(std::string_view text);

/// Reads the output of perftest (https://github.com/linux-rdma/perftest): ib_write_bw, ib_read_bw,
/// ib_send_bw, ib_atomic_bw, the same with _lat and raw_ethernet_*, of any release. Other lines may
/// stand around it, launchers may put "[1,0]<stdout>:" or "0: " before each line. Server and client
/// may write into one file: where both tell one table, it counts once.
///
/// "MB/sec" and "MiB/sec" are 2^20 bytes per second, "Gb/sec" (--report_gbits) 10^9 bits:
/// format_factor in perftest_parameters.c. `warnings` (W531) gets a word for lines that cannot be.
/// Errors: E532 no table with lines, E534 units that perftest does not print.
[[nodiscard]] tl::expected<std::vector<PerftestRun>, input::Diagnostics> read_perftest_log(
    const input::SourcePtr& file, input::Diagnostics& warnings);

}  // namespace vgsim::calibration
