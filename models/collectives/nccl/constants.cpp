#include "models/collectives/nccl/constants.hpp"

#include <fmt/core.h>

#include <charconv>
#include <stdexcept>

namespace vgsim::collectives::nccl {

const char* to_string(Protocol protocol) {
  switch (protocol) {
    case Protocol::kLl:
      return "LL";
    case Protocol::kLl128:
      return "LL128";
    case Protocol::kSimple:
      return "Simple";
  }
  throw std::logic_error("protocol");
}

std::string to_string(const Version& version) {
  if (version.patch == kLastPatch) return fmt::format("{}.{}", version.major, version.minor);
  return fmt::format("{}.{}.{}", version.major, version.minor, version.patch);
}

std::optional<Version> parse_version(std::string_view text) {
  if (text.starts_with('v')) text.remove_prefix(1);
  if (const auto dash = text.find('-'); dash != text.npos) {  // NVIDIA's tags end in a build number
    if (text.substr(dash) != "-1") return std::nullopt;
    text = text.substr(0, dash);
  }
  std::array<int, 3> parts = {0, 0, kLastPatch};
  const char* at = text.data();
  const char* const end = at + text.size();
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) {
      if (at == end && i == 2) break;
      if (at == end || *at++ != '.') return std::nullopt;
    }
    const auto [next, error] = std::from_chars(at, end, parts[i]);
    if (error != std::errc() || parts[i] < 0 || parts[i] >= 1000) return std::nullopt;
    at = next;
  }
  if (at != end) return std::nullopt;
  return Version{parts[0], parts[1], parts[2]};
}

double nvlink_bandwidth(const Constants& constants, int sm) {
  constexpr int kGa10x = 86;
  double bandwidth = constants.nvlink_default;
  for (const auto& [listed, value] : constants.nvlink_per_link) {
    if (listed == sm || (listed < sm && listed != kGa10x)) bandwidth = value;
  }
  return bandwidth;
}

}  // namespace vgsim::collectives::nccl
