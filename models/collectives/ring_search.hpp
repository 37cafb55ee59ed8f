#pragma once

#include <cstdint>
#include <vector>

#include "models/collectives/hop.hpp"
#include "sim/exact.hpp"

namespace vgsim::collectives {

/// What the search knows of one VM (NCCL's node): the hops between its ranks and, if the ring
/// leaves the VM, out of and into each NIC.
struct RingNode {
  std::size_t ranks = 0;
  std::vector<std::vector<Hop>> between;  ///< [from][to]; the diagonal is empty
  std::vector<std::vector<Hop>> send;     ///< [rank][nic]; empty if the ring stays in the VM
  std::vector<std::vector<Hop>> receive;  ///< [nic][rank]; empty if the ring stays in the VM
};

/// The part of one ring channel inside a VM: its ranks in order and the NIC it comes and goes by.
struct NodeChannel {
  std::vector<std::size_t> order;
  std::size_t nic = 0;
};

/// The channels of one VM and the rate that each was found at.
struct NodeChannels {
  std::vector<NodeChannel> channels;
  /// Bytes/s per channel, before channels share what is left over; 0 where none was searched for.
  std::int64_t rate = 0;
};

/// Finds rings (one VM) or paths from NIC to NIC (several) through all ranks, such that the
/// slowest hop is as fast as it can be.
///
/// For each rate that some hop can carry, whole or shared evenly by channels, from fast to slow: as
/// many channels as fit side by side on `capacity` (bytes/s by ResourceId) are taken one after the
/// other by depth-first search, nearest ranks first. The rate with the highest total wins; more
/// channels at a slower rate must gain 2 %. The search of one channel is exhaustive up to a fixed
/// number of steps, which covers 8 ranks. If all fails there is one channel in the order of ranks;
/// no channel means that a link on the way has no capacity.
[[nodiscard]] NodeChannels search_channels(const RingNode& node, const std::vector<Exact>& capacity,
                                           std::size_t max_channels);

}  // namespace vgsim::collectives
