#include "models/vsphere/device_group.hpp"

#include <fmt/core.h>

#include <regex>

namespace vgsim::vsphere {
namespace {

constexpr const char* kGroupPattern = "Nvidia:([1-9][0-9]?)@([a-z0-9_-]+)(%NVLink|%NIC)?";
constexpr const char* kGroupNoun =
    "a device group such as \"Nvidia:2@grid_a100d-80c%NVLink\" or \"Nvidia:1@grid_a100-40c%NIC\"";

}  // namespace

std::optional<DeviceGroup> parse_device_group(std::string_view text) {
  static const std::regex pattern(kGroupPattern);
  std::match_results<std::string_view::const_iterator> match;
  if (text.size() > 200 || !std::regex_match(text.begin(), text.end(), match, pattern)) {
    return std::nullopt;
  }
  return DeviceGroup{std::stoul(match[1].str()), match[2].str(), match[3].str() == "%NVLink",
                     match[3].str() == "%NIC"};
}

input::Shape device_group_shape() {
  return input::pattern_string(kGroupNoun, std::string("^") + kGroupPattern + "$",
                               [](std::string_view text) -> std::optional<std::string> {
                                 if (parse_device_group(text)) return std::nullopt;
                                 return kGroupNoun;
                               });
}

std::string to_string(const DeviceGroup& group) {
  return fmt::format("Nvidia:{}@{}{}", group.gpus, group.profile,
                     group.nvlink       ? "%NVLink"
                     : group.beside_nic ? "%NIC"
                                        : "");
}

}  // namespace vgsim::vsphere
