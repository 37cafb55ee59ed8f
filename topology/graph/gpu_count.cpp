#include "topology/graph/gpu_count.hpp"

#include <regex>

namespace vgsim::topology {
std::optional<GpuCount> parse_gpu_count(std::string_view text) {
  constexpr std::size_t kMaxBytes = 200;
  static const std::regex pattern(kGpuCountPattern);
  std::match_results<std::string_view::const_iterator> match;
  if (text.size() > kMaxBytes || !std::regex_match(text.begin(), text.end(), match, pattern)) {
    return std::nullopt;
  }
  const bool count_first = match[2].matched;
  return GpuCount{std::stoul(match[count_first ? 2 : 7].str()), match[count_first ? 4 : 5].str()};
}

}  // namespace vgsim::topology
