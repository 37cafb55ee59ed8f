#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "topology/input/shape.hpp"

namespace vgsim::vsphere {

/// A vSphere device group as its name says it: "Nvidia:2@grid_a100d-80c%NVLink".
struct DeviceGroup {
  std::size_t gpus = 0;
  std::string profile;
  bool nvlink = false;
  bool beside_nic = false;  ///< each GPU shares a root complex with an RDMA NIC
};

/// Nothing if the text is not the name of a GPU device group.
/// Format: VMware vSphere 8.0 vendor device groups, as vCenter lists them.
[[nodiscard]] std::optional<DeviceGroup> parse_device_group(std::string_view text);

[[nodiscard]] input::Shape device_group_shape();

/// "Nvidia:2@grid_a100d-80c%NVLink".
[[nodiscard]] std::string to_string(const DeviceGroup& group);

}  // namespace vgsim::vsphere
