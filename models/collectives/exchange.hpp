#pragma once

#include <optional>
#include <vector>

#include "models/collectives/placed_network.hpp"
#include "models/collectives/rank_group.hpp"
#include "models/collectives/step_costs.hpp"

namespace vgsim::collectives {

/// Largest message that Send and Recv inside a host transfer with protocol LL. Source: NVIDIA/nccl
/// src/enqueue.cc, NCCL_P2P_LL_THRESHOLD.
constexpr Bytes kLargestLine{16384};

/// Largest chunk over NVLink with protocol Simple. The receiver copies a chunk out of its buffer
/// while the next one arrives. Source: NVIDIA/nccl src/init.cc, NCCL_P2P_NVL_CHUNKSIZE.
constexpr Bytes kLargestPiece{1 << 19};
/// Channels that share the messages of a rank; the chunks of small messages are size / channels.
/// Source: AllToAll tables of NCCL with 2, 4 and 8 GPUs (tests/nccl-tables): times exceed those of
/// the links by the time to copy size / 32, at most kLargestPiece.
constexpr std::int64_t kExchangeChannels = 32;

/// Pairs of ranks with identical traffic while all ranks send to all. A single flow represents
/// them, at the rate of each pair.
struct PairClass {
  /// bytes of all these pairs on each fabric link, and on each host of the sender and receiver
  /// classes
  RouteId route{};
  SimTime latency{};
  SimTime small_latency{};        ///< of messages up to kLargestLine
  std::optional<Ratio> rate_cap;  ///< of a pair, in bytes/s
  bool by_nvlink = false;
};

/// All pairs of ranks in classes. Pairs between hosts are in one class if their GPUs have the same
/// positions, their hosts the same classes of `placed`, and their fabric links are equivalent in
/// `placed`. Pairs inside a host are separate. If every host is a class, each pair is one. Routes
/// are added to `placed`. Classes are ordered by their lowest sender, then by receiver. Throws
/// std::logic_error if hosts or links of one class carry different traffic.
[[nodiscard]] std::vector<PairClass> exchange_of(const RankGroup& ranks, const StepCosts& costs,
                                                 PlacedNetwork& placed);

}  // namespace vgsim::collectives
