#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/vsphere/placement/host_inventory.hpp"
#include "models/vsphere/spec/vm_spec.hpp"
#include "sim/units.hpp"

namespace vgsim::vsphere {

/// The reason for a refusal: the id of a rule, and the facts.
struct Refusal {
  const char* rule = "";
  std::string text;
};

/// Resources of its host that a VM needs besides GPUs and NICs; empty where unstated.
struct HostDemand {
  std::optional<std::int64_t> vcpus;
  std::optional<Bytes> reserved;  ///< memory, of a VM with devices
};

/// `has_devices`: GPUs, or NICs that the guest owns.
[[nodiscard]] HostDemand demand_of(const VmSettings& settings, bool has_devices);

/// Reasons why a host cannot power on a VM: too few logical CPUs, or too little memory that other
/// VMs have not reserved (admission control).
[[nodiscard]] std::vector<Refusal> lacking(const HostDemand& demand, const HostInventory& host,
                                           Bytes reserved);

}  // namespace vgsim::vsphere
