#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "models/collectives/nccl/constants.hpp"
#include "models/collectives/nccl/search/agreed_graph.hpp"

namespace vgsim::collectives::nccl {

/// The collectives of NCCL's cost model, in its order.
enum class Function : std::uint8_t { kBroadcast, kReduce, kAllGather, kReduceScatter, kAllReduce };
inline constexpr std::size_t kFunctions = 5;
/// "Broadcast", "Reduce", "AllGather", "ReduceScatter", "AllReduce".
[[nodiscard]] const char* to_string(Function function);

/// CPUs of all nodes of a communicator.
enum class CpuVendors : std::uint8_t { kAmd, kMixed, kOther };

/// The inputs of NCCL's choice of an algorithm.
struct Communicator {
  int ranks = 1;
  int nodes = 1;  ///< NCCL nodes: a host can be several
  int min_sm = 80, max_sm = 80;
  CpuVendors cpus = CpuVendors::kOther;
  bool x86 = true;
  int channels = 1;  ///< final
  AgreedGraph ring, tree, collnet_direct, collnet_chain, nvls;
  bool nvls_everywhere = false;  ///< every node can use NVLink SHARP
  bool nvls_sums = true;         ///< NVSwitches can reduce this data type
  bool collnet = false;          ///< a network plug-in with in-network reduction
  bool nvswitch = false;
  int nvls_channels = 0;  ///< final
  int nvls_heads = 0;     ///< GPUs of a node that reduce one part each

  /// Ranks per node; nodes of different sizes count as equal ones.
  [[nodiscard]] int ranks_per_node() const { return nodes > 0 ? ranks / nodes : ranks; }
  /// Levels of a tree over the nodes: log2, rounded down.
  [[nodiscard]] int tree_depth() const;
};

/// The row of NCCL's tables for GPUs of `min_sm` to `max_sm` in a release.
[[nodiscard]] Generation generation_of(int min_sm, int max_sm, const Version& release);

}  // namespace vgsim::collectives::nccl
