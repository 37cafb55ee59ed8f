#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/collectives/rank_group.hpp"
#include "sim/ratio.hpp"

namespace vgsim::collectives {

/// Algorithms for AllReduce: NCCL's choice, or one of the textbook patterns.
enum class Pattern : std::uint8_t {
  kNccl,
  kHierarchical,     ///< ReduceScatter in each VM, AllReduce between VMs, AllGather in each VM
  kDirect,           ///< every rank sends its part to every other, which return the sums
  kHalvingDoubling,  ///< recursive halving, then doubling; ranks are a power of two
  kParameterServer,  ///< all ranks send their buffers to rank 0, which sends the sum back
};

/// "nccl", "hierarchical", "direct", "halving_doubling", "parameter_server".
[[nodiscard]] const std::vector<std::string>& pattern_words();
/// Throws std::invalid_argument for any other word.
[[nodiscard]] Pattern pattern_of(std::string_view word);

/// A transfer from one rank to another: `share` of the buffer.
struct Transfer {
  std::size_t from = 0;
  std::size_t to = 0;
  Ratio share;
};

/// Concurrent transfers; the next phase begins when all have ended.
using Phase = std::vector<Transfer>;

/// The phases of an AllReduce with a pattern; none if NCCL chooses.
///
/// Bytes for each rank: direct, halving and doubling: 2 (n-1)/n of the buffer out and in;
/// hierarchical with p ranks in each of V VMs: 2 (p-1)/p inside and 2 (V-1)/V / p between VMs;
/// parameter server: n-1 buffers in and as many out. Source: R. Thakur, R. Rabenseifner, W. Gropp,
/// Optimization of collective communication operations in MPICH, IJHPCA 2005. Throws NotConnected
/// if the pattern does not support the number of ranks.
[[nodiscard]] std::vector<Phase> phases_of(Pattern pattern, const RankGroup& ranks);

}  // namespace vgsim::collectives
