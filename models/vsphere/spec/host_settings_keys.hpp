#pragma once

#include "models/vsphere/spec/host_settings.hpp"
#include "topology/input/record.hpp"

namespace vgsim::vsphere {

/// The keys of a host in a scenario for settings of ESXi.
[[nodiscard]] input::Keys<HostSettings> host_settings_keys();

/// A release of the vGPU software, "15.2".
[[nodiscard]] input::Decoder<DriverRelease> driver_release();

}  // namespace vgsim::vsphere
