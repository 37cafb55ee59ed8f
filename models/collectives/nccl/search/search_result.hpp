#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace vgsim::collectives::nccl {

/// NCCL's path types, best first (src/graph/topo.h, PATH_*).
enum class PathType : std::uint8_t {
  kLoc,
  kNvl,
  kNvb,
  kC2c,
  kPix,
  kPxb,
  kP2c,
  kPxn,
  kPhb,
  kSys,
  kNet,
  kDis,
};
/// "LOC", "NVL", "NVB", "C2C", "PIX", "PXB", "P2C", "PXN", "PHB", "SYS", "NET", "DIS".
[[nodiscard]] const char* to_string(PathType type);

/// The patterns of the search; the numbers are NCCL's.
enum class Pattern : std::uint8_t {
  kBalancedTree = 1,
  kSplitTree = 2,
  kTree = 3,
  kRing = 4,
  kNvls = 5,
  kCollNetDirect = 6,
};

/// One channel of a graph inside one NCCL node.
struct SearchChannel {
  std::vector<std::size_t> gpus;  ///< of the node, in the order of the channel
  std::size_t first_net = 0;      ///< NET of incoming data; only if the graph leaves the node
  std::size_t last_net = 0;       ///< NET of outgoing data
};

/// The result of the search for one pattern in one NCCL node.
struct SearchResult {
  Pattern pattern = Pattern::kRing;
  int cross_nic = 0;
  double speed_intra = 0;  ///< GB/s per channel; 0 channels if nothing was found
  double speed_inter = 0;
  PathType type_intra = PathType::kLoc;
  PathType type_inter = PathType::kLoc;
  bool same_channels = true;
  double latency_inter = 0;  ///< of the NET, us
  int hops = 0;
  std::vector<SearchChannel> channels;
};

}  // namespace vgsim::collectives::nccl
