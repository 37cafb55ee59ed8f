#pragma once

#include <cstdint>

#include "models/collectives/pattern.hpp"

namespace vgsim::collectives {

/// The number of transfers in the phases of a pattern, without listing them: 2 n (n-1) for direct
/// with n ranks. 0 if NCCL chooses or the pattern does not support the number of ranks.
[[nodiscard]] std::uint64_t transfers_of(Pattern pattern, const RankGroup& ranks);

}  // namespace vgsim::collectives
