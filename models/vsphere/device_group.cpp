#include "models/vsphere/device_group.hpp"

#include <regex>

namespace vgsim::vsphere {
namespace {

constexpr const char* kGroupPattern = "Nvidia:([1-9][0-9]?)@([a-z0-9_-]+)(%NVLink)?";
constexpr const char* kGroupNoun = "a device group such as \"Nvidia:2@grid_a100d-80c%NVLink\"";
constexpr const char* kProfilePattern = "(?:grid|nvidia)_[a-z0-9]+-([0-9]+)[cqab]";

}  // namespace

std::optional<DeviceGroup> parse_device_group(std::string_view text) {
  static const std::regex pattern(kGroupPattern);
  std::match_results<std::string_view::const_iterator> match;
  if (text.size() > 200 || !std::regex_match(text.begin(), text.end(), match, pattern)) {
    return std::nullopt;
  }
  return DeviceGroup{std::stoul(match[1].str()), match[2].str(), match[3].matched};
}

input::Shape device_group_shape() {
  return input::pattern_string(kGroupNoun, std::string("^") + kGroupPattern + "$",
                               [](std::string_view text) -> std::optional<std::string> {
                                 if (parse_device_group(text)) return std::nullopt;
                                 return kGroupNoun;
                               });
}

std::optional<std::int64_t> time_sliced_framebuffer_gb(std::string_view profile) {
  static const std::regex pattern(kProfilePattern);
  std::match_results<std::string_view::const_iterator> match;
  if (profile.size() > 200 || !std::regex_match(profile.begin(), profile.end(), match, pattern) ||
      match[1].length() > 6) {
    return std::nullopt;
  }
  return std::stol(match[1].str());
}

}  // namespace vgsim::vsphere
