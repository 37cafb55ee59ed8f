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
};

/// Nothing if the text is not the name of a GPU device group.
/// Format: VMware vSphere 8.0 vendor device groups, as vCenter lists them.
[[nodiscard]] std::optional<DeviceGroup> parse_device_group(std::string_view text);

[[nodiscard]] input::Shape device_group_shape();

/// The framebuffer in GB that a vGPU profile's name states: 80 for "grid_a100d-80c" and for
/// "nvidia_h100xm-80c"; nothing for a MIG-backed profile ("grid_a100-3-20c") or another text.
[[nodiscard]] std::optional<std::int64_t> time_sliced_framebuffer_gb(std::string_view profile);

}  // namespace vgsim::vsphere
