#pragma once

#include <cstdint>
#include <string_view>

namespace vgsim::collectives {

/// Collective operations. Sizes are those of nccl-tests: the buffer of each rank at the end of
/// AllGather and at the start of ReduceScatter; the bytes that a rank sends in AllToAll, and from
/// one rank to the next in SendRecv.
enum class Collective : std::uint8_t {
  kAllReduce,
  kReduceScatter,
  kAllGather,
  kBroadcast,
  kReduce,
  kAllToAll,
  kSendRecv,
};

/// "all_reduce", "reduce_scatter", "all_gather", "broadcast", "reduce", "all_to_all", "send_recv".
[[nodiscard]] const char* to_string(Collective collective);
/// Throws std::invalid_argument for any other word.
[[nodiscard]] Collective collective_of(std::string_view word);

/// Bus bandwidth divided by algorithm bandwidth as nccl-tests defines it (doc/PERFORMANCE.md): 2
/// (n-1)/n for AllReduce, (n-1)/n for AllGather, ReduceScatter and AllToAll, 1 otherwise.
[[nodiscard]] double bus_factor(Collective collective, std::size_t ranks);

}  // namespace vgsim::collectives
