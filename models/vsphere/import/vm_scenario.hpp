#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "models/vsphere/import/scenario_hosts.hpp"
#include "models/vsphere/import/vm_facts.hpp"

namespace vgsim::vsphere::import {

/// VMs in the form of a scenario, with notes.
struct VmFragment {
  nlohmann::ordered_json vms = nlohmann::ordered_json::object();  ///< value of "vms"
  std::vector<std::string> assumed;  ///< sentences: assumptions about missing facts
  std::vector<std::string> skipped;  ///< sentences: facts that a scenario cannot contain or ignores
};

/// The VMs for a scenario whose hosts are these. Devices in passthrough are named as in their host
/// ("gpu0", "vmnic4"), found by bus id; a VM with an unknown host is on the only host that has its
/// devices. Hosts and VMs without names are "host1", "vm1", ... in the order given.
[[nodiscard]] VmFragment to_scenario(const std::vector<VmFacts>& vms,
                                     const std::vector<Inventory>& hosts);

}  // namespace vgsim::vsphere::import
