#include "models/collectives/nccl/tuning/chunk_size.hpp"

#include <algorithm>

namespace vgsim::collectives::nccl {
namespace {

constexpr std::int64_t kKiB = 1024;
/// A line of LL128 is 120 bytes of data and 8 of flags; a warp moves 16 of them at a time.
constexpr std::int64_t kLl128Lines = 1920;

std::int64_t tree_ll128_chunk(std::int64_t chunk, std::int64_t share, const Communicator& comm) {
  const double per_node = comm.ranks_per_node();
  const double steps = 1 + comm.tree_depth() + 0.1 * per_node;
  const auto pieces = [&] { return static_cast<double>(share / chunk); };
  while (pieces() < 64 * steps / per_node && chunk > 128 * kKiB) chunk /= 2;
  while (pieces() < 16 * steps / per_node && chunk > 32 * kKiB) chunk /= 2;
  return chunk / kLl128Lines * kLl128Lines;
}

/// Takes the chunk down to `smaller` if it is above, and the share is below `times` chunks of
/// every head.
struct Shrink {
  std::int64_t share;
  std::int64_t heads;
  std::int64_t chunk;

  void to(std::int64_t smaller, std::int64_t times) {
    if (chunk > smaller && share < times * heads * chunk) chunk = smaller;
  }
  void halve_to(std::int64_t smallest, std::int64_t times) {
    while (chunk > smallest && share < times * heads * chunk) chunk /= 2;
  }
};

std::int64_t nvls_chunk(std::int64_t most, std::int64_t share, const Communicator& comm) {
  const bool slow_network = comm.nodes > 1 && comm.nvls.channels * comm.nvls.speed_inter < 150;
  Shrink shrink{share, std::max(comm.nvls_heads, 1),
                slow_network ? std::min(most, 32 * kKiB) : most};
  shrink.to(64 * kKiB, 64);
  shrink.to(32 * kKiB, 8);
  shrink.to(16 * kKiB, 2);
  return shrink.chunk;
}

std::int64_t nvls_tree_chunk(std::int64_t most, std::int64_t share, const Communicator& comm) {
  Shrink shrink{share, std::max(comm.nvls_heads, 1),
                std::min(most, (comm.nodes >= 4 ? 64 : 128) * kKiB)};
  shrink.to(64 * kKiB, 4);
  shrink.to(32 * kKiB, 1);
  return shrink.chunk;
}

std::int64_t collnet_direct_chunk(std::int64_t chunk, std::int64_t share,
                                  const Communicator& comm) {
  constexpr std::int64_t kDepth = 2;
  Shrink shrink{share, std::max(comm.collnet_direct.channels, 1), chunk};
  shrink.halve_to(128 * kKiB, 64 * kDepth);
  shrink.halve_to(32 * kKiB, 8 * kDepth);
  return shrink.chunk;
}

std::int64_t collnet_chain_chunk(std::int64_t chunk, std::int64_t share, const Communicator& comm) {
  const std::int64_t depth = comm.ranks_per_node();
  Shrink shrink{share, 1, chunk / 2};
  shrink.halve_to(128 * kKiB, 64 * depth);
  shrink.halve_to(64 * kKiB, 8 * depth);
  shrink.halve_to(32 * kKiB, depth);
  return shrink.chunk;
}

std::int64_t pat_chunk(std::int64_t chunk, std::int64_t share, Function function) {
  const std::int64_t steps = function == Function::kAllGather ? 32 : 16;
  while (chunk * steps > share && chunk > 64 * kKiB) chunk /= 2;
  return chunk;
}

}  // namespace

Bytes slot_data(Protocol protocol, const WorkConstants& work) {
  const std::int64_t slot = work.buffer[static_cast<std::size_t>(protocol)].count() / work.slots;
  if (protocol == Protocol::kLl) return Bytes{slot / 2};  // half are flags
  return Bytes{protocol == Protocol::kLl128 ? slot / 128 * 120 : slot};
}

Bytes chunk_size(Function function, Algorithm algorithm, Protocol protocol, Bytes share,
                 const Communicator& communicator, const Constants& constants) {
  const std::int64_t slot = slot_data(protocol, constants.work).count();
  const bool simple = protocol == Protocol::kSimple;
  switch (algorithm) {
    case Algorithm::kRing: {
      const bool deep = simple && function != Function::kBroadcast && function != Function::kReduce;
      return Bytes{deep ? slot * constants.work.ring_simple_slots_per_chunk : slot};
    }
    case Algorithm::kTree:
      return Bytes{protocol == Protocol::kLl128
                       ? tree_ll128_chunk(slot, share.count(), communicator)
                       : slot};
    case Algorithm::kNvls:
      return Bytes{nvls_chunk(constants.work.nvls_chunk.count(), share.count(), communicator)};
    case Algorithm::kNvlsTree:
      return Bytes{nvls_tree_chunk(constants.work.nvls_chunk.count(), share.count(), communicator)};
    case Algorithm::kCollNetDirect:
      return Bytes{collnet_direct_chunk(slot, share.count(), communicator)};
    case Algorithm::kCollNetChain:
      return Bytes{collnet_chain_chunk(slot, share.count(), communicator)};
    case Algorithm::kPat:
      return Bytes{pat_chunk(slot, share.count(), function)};
  }
  return Bytes{slot};
}

}  // namespace vgsim::collectives::nccl
