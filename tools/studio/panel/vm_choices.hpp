#pragma once

#include <nlohmann/json_fwd.hpp>

#include "tools/studio/panel/controls.hpp"
#include "topology/input/value.hpp"

namespace vgsim::studio {

/// The number of VMs of a host. Whole GPUs, vCPUs, memory and NICs of its VMs are divided among
/// them, and NICs that they come to share become virtual functions of SR-IOV; VMs with part of a
/// GPU are added and removed as they are. Null where VMs of a host differ, where vSphere places
/// them, where whole GPUs are of VMs outside the job or in VMs without a NIC, and above 64 hosts.
/// No choice adds more than 128 VMs.
[[nodiscard]] nlohmann::ordered_json vm_count_control(const input::Value& scenario,
                                                      const scenario::Library& library,
                                                      const Scope& scope);

}  // namespace vgsim::studio
