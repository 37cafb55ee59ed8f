#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "models/vsphere/facts/facts.hpp"
#include "models/vsphere/legality/findings.hpp"
#include "models/vsphere/placement/host_inventory.hpp"
#include "models/vsphere/vm.hpp"
#include "topology/graph/graph.hpp"
#include "topology/input/diagnostics.hpp"

namespace vgsim::vsphere {

/// A VM of a scenario, by name.
struct NamedVm {
  std::string name;
  const VmSpec* spec = nullptr;  ///< whose host is known
};

/// An assumption about one VM where the scenario states nothing.
struct Assumption {
  std::string vm;
  std::string text;
};

/// Assigns devices to the virtual machines of a scenario: by power-on number, and among equal ones
/// named devices first, then device groups, then counts, then the rest, each in natural order of VM
/// names. Reports unknown hosts, devices and profiles, devices assigned twice and conflicting keys;
/// refusals of vSphere `version` go into `findings`. A NIC in passthrough belongs to one VM;
/// several VMs of a host that name no NICs share all of them by SR-IOV.
///
/// `hosts` and `host_index`: inventories by index into topology.hosts, and the index by name.
[[nodiscard]] std::vector<VirtualMachine> assign_devices(
    const topology::Topology& topology, const Facts& facts, std::string_view version,
    const std::vector<HostInventory>& hosts, const std::map<std::string, std::size_t>& host_index,
    const std::vector<NamedVm>& vms, std::vector<Assumption>& assumptions, Findings& findings,
    input::Diagnostics& diagnostics);

}  // namespace vgsim::vsphere
