#pragma once

#include <cstdint>

#include "models/collectives/pattern.hpp"

namespace vgsim::collectives {

/// How many transfers the phases of a pattern have, without listing them: with n ranks direct has
/// 2 n (n-1). 0 where NCCL chooses, or the pattern does not fit the ranks.
[[nodiscard]] std::uint64_t transfers_of(Pattern pattern, const RankGroup& ranks);

}  // namespace vgsim::collectives
