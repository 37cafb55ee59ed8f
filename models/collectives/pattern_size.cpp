#include "models/collectives/pattern_size.hpp"

#include <algorithm>
#include <bit>

namespace vgsim::collectives {

std::uint64_t transfers_of(Pattern pattern, const RankGroup& ranks) {
  const std::uint64_t n = ranks.ranks();
  if (n < 2) return 0;
  const std::uint64_t vms = std::max<std::size_t>(ranks.vms().size(), 1);
  switch (pattern) {
    case Pattern::kHierarchical:
      return 2 * n * (std::max(n / vms, std::uint64_t{1}) - 1 + vms - 1);
    case Pattern::kDirect:
      return 2 * n * (n - 1);
    case Pattern::kHalvingDoubling:
      return std::has_single_bit(n) ? 2 * n * static_cast<std::uint64_t>(std::bit_width(n) - 1) : 0;
    case Pattern::kParameterServer:
      return 2 * (n - 1);
    case Pattern::kNccl:
      return 0;
  }
  return 0;
}

}  // namespace vgsim::collectives
