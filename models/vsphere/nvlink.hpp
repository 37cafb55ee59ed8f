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

/// What GPUs picked at random would give a VM, of those that no other VM holds for good.
struct PickOdds {
  std::size_t pairs = 0;    ///< of GPUs that it got without a device group
  std::size_t joined = 0;   ///< of them by NVLink
  std::size_t choices = 0;  ///< of as many GPUs
  std::size_t as_good = 0;  ///< that join as many pairs, or one if it has none
};

/// Nothing where every choice joins as many pairs, or where there are too many to count.
[[nodiscard]] std::optional<PickOdds> pick_odds(const VirtualMachine& vm, const HostInventory& host,
                                                const std::vector<VirtualMachine>& vms);

}  // namespace vgsim::vsphere
