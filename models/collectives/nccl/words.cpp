#include "models/collectives/nccl/words.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <stdexcept>

namespace vgsim::collectives::nccl {

std::string numbers_text(std::vector<int> numbers) {
  std::sort(numbers.begin(), numbers.end());
  std::string text;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    text += text.empty() ? "" : ", ";
    text +=
        last == i ? fmt::format("{}", numbers[i]) : fmt::format("{}-{}", numbers[i], numbers[last]);
    i = last + 1;
  }
  return text;
}

const char* pattern_text(Pattern pattern) {
  switch (pattern) {
    case Pattern::kBalancedTree:
      return "balanced tree";
    case Pattern::kSplitTree:
      return "split tree";
    case Pattern::kTree:
      return "chain";
    case Pattern::kRing:
      return "ring";
    case Pattern::kNvls:
      return "NVLS";
    case Pattern::kCollNetDirect:
      return "CollNet direct";
  }
  throw std::logic_error("pattern");
}

}  // namespace vgsim::collectives::nccl
