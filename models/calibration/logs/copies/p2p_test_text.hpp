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

/// What p2pBandwidthLatencyTest prints.
namespace vgsim::calibration::logs::p2p_test {

inline constexpr const char* kTool = "p2pBandwidthLatencyTest";

/// What a matrix holds, from the line above it and the word that begins its columns' line.
struct Heading {
  enum class Kind { kUnknown, kConnectivity, kBandwidth, kLatency, kQueueing };
  Kind kind = Kind::kUnknown;
  std::string text;
  bool both_ways = false;
  bool peer_access = false;
  bool reads = false;   ///< the row's GPU reads from the column's
  bool is_old = false;  ///< a latency as releases before CUDA 10 print it
};

/// A matrix as it is printed.
struct Matrix {
  Heading heading;
  std::size_t columns = 0;
  std::vector<Row> rows;
};

/// Everything that the runs in a file tell.
struct Output {
  std::vector<MeasuredGpu> gpus;                         ///< as the first run lists them
  std::optional<std::size_t> other_devices;              ///< where a run lists others
  std::set<std::pair<std::size_t, std::size_t>> parted;  ///< GPUs without access to each other
  std::vector<Matrix> matrices;
  std::optional<std::int64_t> elements;  ///< of a copy, as the command line tells
  bool by_kernel = false;                ///< --sm_copy
  bool tells_writes = false;             ///< "(P2P Writes)", from CUDA 10 on
};

/// Lines of anything else may stand around those of the test.
[[nodiscard]] Output read_text(std::string_view text);

}  // namespace vgsim::calibration::logs::p2p_test
