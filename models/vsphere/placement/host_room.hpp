#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/vsphere/placement/host_inventory.hpp"
#include "models/vsphere/spec/vm_spec.hpp"
#include "sim/units.hpp"

namespace vgsim::vsphere {

/// Why something was not given, or would be refused: the id of a rule, and what is wrong here.
struct Refusal {
  const char* rule = "";
  std::string text;
};

/// What a VM takes of its host beside GPUs and NICs; nothing where the scenario does not say.
struct HostDemand {
  std::optional<std::int64_t> vcpus;
  std::optional<Bytes> reserved;  ///< memory, of a VM with devices
};

/// `has_devices`: GPUs, or NICs that the guest owns.
[[nodiscard]] HostDemand demand_of(const VmSettings& settings, bool has_devices);

/// What keeps a host from powering on a VM: too few logical CPUs, or too little memory beside what
/// other VMs have reserved (admission control).
[[nodiscard]] std::vector<Refusal> lacking(const HostDemand& demand, const HostInventory& host,
                                           Bytes reserved);

}  // namespace vgsim::vsphere
