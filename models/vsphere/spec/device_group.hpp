#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace vgsim::vsphere {

/// A vSphere device group, parsed from its name: "Nvidia:2@grid_a100d-80c%NVLink".
struct DeviceGroup {
  std::size_t gpus = 0;
  std::string profile;
  bool nvlink = false;
  bool beside_nic = false;  ///< each GPU shares a root complex with an RDMA NIC
};

/// The noun for such texts in messages, and their regular expression.
inline constexpr const char* kDeviceGroupNoun =
    "a device group such as \"Nvidia:2@grid_a100d-80c%NVLink\" or \"Nvidia:1@grid_a100-40c%NIC\"";
inline constexpr const char* kDeviceGroupPattern =
    "^Nvidia:([1-9][0-9]?)@([a-z0-9_-]+)(%NVLink|%NIC)?$";

/// Nothing if the text is not the name of a GPU device group.
/// Format: VMware vSphere 8.0 vendor device groups, as vCenter lists them.
[[nodiscard]] std::optional<DeviceGroup> parse_device_group(std::string_view text);

/// "Nvidia:2@grid_a100d-80c%NVLink".
[[nodiscard]] std::string to_string(const DeviceGroup& group);

}  // namespace vgsim::vsphere
