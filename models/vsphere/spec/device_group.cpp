#include "models/vsphere/spec/device_group.hpp"

#include <fmt/core.h>

#include <regex>

namespace vgsim::vsphere {
std::optional<DeviceGroup> parse_device_group(std::string_view text) {
  static const std::regex pattern(kDeviceGroupPattern);
  std::match_results<std::string_view::const_iterator> match;
  if (text.size() > 200 || !std::regex_match(text.begin(), text.end(), match, pattern)) {
    return std::nullopt;
  }
  return DeviceGroup{std::stoul(match[1].str()), match[2].str(), match[3].str() == "%NVLink",
                     match[3].str() == "%NIC"};
}

std::string to_string(const DeviceGroup& group) {
  return fmt::format("Nvidia:{}@{}{}", group.gpus, group.profile,
                     group.nvlink       ? "%NVLink"
                     : group.beside_nic ? "%NIC"
                                        : "");
}

}  // namespace vgsim::vsphere
