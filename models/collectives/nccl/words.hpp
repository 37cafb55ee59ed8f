#pragma once

#include <string>
#include <vector>

#include "models/collectives/nccl/search/search_result.hpp"

namespace vgsim::collectives::nccl {

/// Numbers in ascending order with ranges: "0-3, 5".
[[nodiscard]] std::string numbers_text(std::vector<int> numbers);

/// "ring", "balanced tree", "split tree", "chain", "NVLS", "CollNet direct".
[[nodiscard]] const char* pattern_text(Pattern pattern);

}  // namespace vgsim::collectives::nccl
