#pragma once

#include <optional>
#include <vector>

#include "models/collectives/placed_network.hpp"
#include "models/collectives/rank_group.hpp"
#include "models/collectives/step_costs.hpp"

namespace vgsim::collectives {

/// Messages that Send and Recv inside a host pass line by line, with protocol LL. Source:
/// NVIDIA/nccl src/enqueue.cc, NCCL_P2P_LL_THRESHOLD.
constexpr Bytes kLargestLine{16384};

/// What a rank passes over NVLink in one piece otherwise; its receiver copies a piece out of its
/// buffer while the next one comes. Source: NVIDIA/nccl src/init.cc, NCCL_P2P_NVL_CHUNKSIZE.
constexpr Bytes kLargestPiece{1 << 19};
/// Channels that share the messages of a rank, by which pieces of smaller ones are smaller. Source:
/// NCCL's tables of AllToAll among 2, 4 and 8 GPUs (tests/nccl-tables), which last longer than
/// their links need by what size / 32, or kLargestPiece, takes to copy.
constexpr std::int64_t kExchangeChannels = 32;

/// Pairs of ranks that send alike while all send to all: one flow stands for them, at the rate of
/// each pair.
struct PairClass {
  RouteId route{};  ///< what all these pairs together take from each link of the fabric, and from
                    ///< each host of the classes of the senders and of the receivers
  SimTime latency{};
  SimTime small_latency{};        ///< of messages up to kLargestLine
  std::optional<Ratio> rate_cap;  ///< of a pair, in bytes/s
  bool by_nvlink = false;
};

/// All pairs of ranks, in classes: those between GPUs of the same places in hosts of the same
/// classes of `placed`, over fabric links that it says are alike; those inside a host apart. With
/// every host in a class of its own each pair is one. Classes are as of exchange_classes. Routes
/// are added to `placed`. In the order of the lowest senders, each with the receivers behind it.
/// Throws std::logic_error where hosts or links of one class do not carry the same.
[[nodiscard]] std::vector<PairClass> exchange_of(const RankGroup& ranks, const StepCosts& costs,
                                                 PlacedNetwork& placed);

}  // namespace vgsim::collectives
