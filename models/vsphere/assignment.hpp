#pragma once

#include <map>
#include <string>
#include <vector>

#include "models/vsphere/vm.hpp"
#include "topology/catalog/catalog.hpp"
#include "topology/graph.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/value.hpp"

namespace vgsim::vsphere {

/// Something that the scenario left open, about one VM.
struct Assumption {
  std::string vm;
  std::string text;
};

/// Reads the virtual machines of a scenario (name to value of vm_shape(), checked) and gives them
/// their devices: named ones first, then device groups, then counts, then the rest, each in
/// natural order of VM names. Reports unknown hosts, devices and profiles, devices given twice,
/// hosts without enough of them and keys that do not go together. A NIC in passthrough belongs to
/// one VM; where several VMs of a host name no NICs they share all of them by SR-IOV.
[[nodiscard]] std::vector<VirtualMachine> assign_devices(
    const topology::Topology& topology, const topology::Catalog& catalog,
    const std::map<std::string, std::size_t>& host_index, const std::vector<input::Member>& vms,
    std::vector<Assumption>& assumptions, input::Diagnostics& diagnostics);

}  // namespace vgsim::vsphere
