#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "models/vsphere/facts/versions.hpp"
#include "models/vsphere/placement/host_inventory.hpp"
#include "models/vsphere/vm.hpp"

namespace vgsim::vsphere {

/// The rule that disables NVLink for all GPUs of a VM; nothing if it works.
[[nodiscard]] std::optional<Restriction> nvlink_restriction(const VirtualMachine& vm,
                                                            const HostInventory& host,
                                                            const Versions& versions,
                                                            std::string_view version);

/// By GPU of the VM: those with the same number use the NVLinks between them.
[[nodiscard]] NvlinkReach nvlink_reach(const VirtualMachine& vm, const HostInventory& host,
                                       const Versions& versions, std::string_view version);

/// NVLink pairs of random choices of GPUs for a VM, among GPUs that no other VM owns exclusively.
struct PickOdds {
  std::size_t pairs = 0;    ///< of GPUs assigned without a device group
  std::size_t joined = 0;   ///< pairs with NVLink
  std::size_t choices = 0;  ///< of the same number of GPUs
  std::size_t as_good = 0;  ///< choices with at least as many NVLink pairs, and at least one
};

/// Empty if all choices have the same number of pairs, or if there are too many to count.
[[nodiscard]] std::optional<PickOdds> pick_odds(const VirtualMachine& vm, const HostInventory& host,
                                                const std::vector<VirtualMachine>& vms);

}  // namespace vgsim::vsphere
