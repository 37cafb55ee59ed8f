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

/// One line of a table. Values that the test does not print are empty.
struct PerftestPoint {
  Bytes size{};
  std::int64_t iterations = 0;
  std::optional<double> peak{};          ///< bytes/s, as the average
  std::optional<double> average{};       ///< sum of both directions in a bidirectional test
  std::optional<double> message_rate{};  ///< messages per second
  std::optional<double> least_s{};
  std::optional<double> typical_s{};  ///< the median
  std::optional<double> mean_s{};
  std::optional<double> most_s{};
  std::optional<double> p99_s{};
};

/// One run of ib_write_bw, ib_read_lat or a similar test. Missing properties are empty.
struct PerftestRun {
  std::string test;        ///< "RDMA_Write BW", "Send Bidirectional BW", "RDMA_Read Latency"
  std::string device;      ///< "mlx5_0"
  std::string link;        ///< "IB" or "Ethernet"
  std::string transport;   ///< "IB"
  std::string connection;  ///< "RC"
  std::optional<Bytes> mtu;
  std::optional<std::size_t> queue_pairs;
  std::string memory;  ///< "CUDA" or "ROCm" if buffers are in GPU memory
  std::string gpu;     ///< name of that GPU
  std::vector<PerftestPoint> points;
};

/// Whether a text contains a perftest table.
[[nodiscard]] bool is_perftest_log(std::string_view text);

/// Reads the output of perftest (https://github.com/linux-rdma/perftest): ib_write_bw, ib_read_bw,
/// ib_send_bw, ib_atomic_bw, the same with _lat, and raw_ethernet_*, in any release. The file can
/// contain other lines and launcher prefixes such as "[1,0]<stdout>:" or "0: ". If server and
/// client write the same table into one file, it counts once.
///
/// "MB/sec" and "MiB/sec" are 2^20 bytes/s, "Gb/sec" (--report_gbits) is 10^9 bits/s: format_factor
/// in perftest_parameters.c. `warnings` (W531) lists implausible lines. Errors: E532 no table with
/// lines, E534 units that perftest does not print.
[[nodiscard]] tl::expected<std::vector<PerftestRun>, input::Diagnostics> read_perftest_log(
    const input::SourcePtr& file, input::Diagnostics& warnings);

}  // namespace vgsim::calibration
