#pragma once

#include <cstddef>
#include <cstdint>

namespace vgsim::collectives::nccl {

/// NCCL's algorithms, in the order in which it breaks ties.
enum class Algorithm : std::uint8_t {
  kTree,
  kRing,
  kCollNetDirect,
  kCollNetChain,
  kNvls,
  kNvlsTree,
  kPat,
};
inline constexpr std::size_t kAlgorithms = 7;

/// "tree", "ring", "collnetdirect", "collnetchain", "nvls", "nvlstree", "pat".
[[nodiscard]] const char* to_string(Algorithm algorithm);

/// The properties of an algorithm: see algorithms/record.hpp.
struct AlgorithmRecord;

extern const AlgorithmRecord kTreeRecord;
extern const AlgorithmRecord kRingRecord;
extern const AlgorithmRecord kCollNetDirectRecord;
extern const AlgorithmRecord kCollNetChainRecord;
extern const AlgorithmRecord kNvlsRecord;
extern const AlgorithmRecord kNvlsTreeRecord;
extern const AlgorithmRecord kPatRecord;

}  // namespace vgsim::collectives::nccl
