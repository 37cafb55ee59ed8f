#include "topology/gpu_count.hpp"

#include <regex>

namespace vgsim::topology {
namespace {

constexpr const char* kGpuCountNoun = "a count and a GPU such as \"4 x a100-pcie-80gb\"";
/// The count first, or behind; with "x", "*" or the sign of multiplication.
constexpr const char* kGpuCountPattern =
    "^(([1-9][0-9]?) ?([xX*]|\xC3\x97) ?([A-Za-z0-9][A-Za-z0-9 ._-]*)"
    "|([A-Za-z0-9][A-Za-z0-9 ._-]*) ([xX*]|\xC3\x97) ?([1-9][0-9]?))$";

}  // namespace

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

input::Shape gpu_count_shape() {
  return input::pattern_string(kGpuCountNoun, kGpuCountPattern,
                               [](std::string_view text) -> std::optional<std::string> {
                                 if (parse_gpu_count(text)) return std::nullopt;
                                 return kGpuCountNoun;
                               });
}

}  // namespace vgsim::topology
