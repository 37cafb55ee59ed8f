#pragma once

#include <cstdint>
#include <optional>

#include "models/vsphere/facts/versions.hpp"

namespace vgsim::vsphere {

/// The limit on devices of a VM that it has in one mode.
struct DeviceLimit {
  std::optional<Limit<std::int64_t>> Limits::*most = nullptr;  ///< nullptr: there is none
  const char* rule = nullptr;                                  ///< "vgpu-limit"
  const char* devices = nullptr;                               ///< "vGPUs"
};

}  // namespace vgsim::vsphere
