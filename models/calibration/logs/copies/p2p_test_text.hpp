#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "models/calibration/logs/copies/bandwidth_matrix.hpp"
#include "models/calibration/logs/copies/device_list.hpp"

/// The text output of p2pBandwidthLatencyTest.
namespace vgsim::calibration::logs::p2p_test {

inline constexpr const char* kTool = "p2pBandwidthLatencyTest";

/// The content of a matrix, from the line above it and the first word of its heading.
struct Heading {
  enum class Kind { kUnknown, kConnectivity, kBandwidth, kLatency, kQueueing };
  Kind kind = Kind::kUnknown;
  std::string text;
  bool both_ways = false;
  bool peer_access = false;
  bool reads = false;   ///< the row's GPU reads from the column's
  bool is_old = false;  ///< a latency in the form of releases before CUDA 10
};

/// A matrix as printed.
struct Matrix {
  Heading heading;
  std::size_t columns = 0;
  std::vector<Row> rows;
};

/// The contents of all runs in a file.
struct Output {
  std::vector<MeasuredGpu> gpus;                         ///< of the first run
  std::optional<std::size_t> other_devices;              ///< position of a run with other devices
  std::set<std::pair<std::size_t, std::size_t>> parted;  ///< GPUs without access to each other
  std::vector<Matrix> matrices;
  std::optional<std::int64_t> elements;  ///< of a copy, from the command line
  bool by_kernel = false;                ///< --sm_copy
  bool tells_writes = false;             ///< "(P2P Writes)", from CUDA 10 on
};

/// The file can contain other lines.
[[nodiscard]] Output read_text(std::string_view text);

}  // namespace vgsim::calibration::logs::p2p_test
