#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "models/vsphere/import/scenario_hosts.hpp"
#include "models/vsphere/import/vm_facts.hpp"

namespace vgsim::vsphere::import {

/// VMs as a scenario writes them, and what there is to say about it.
struct VmFragment {
  nlohmann::ordered_json vms = nlohmann::ordered_json::object();  ///< value of "vms"
  std::vector<std::string> assumed;  ///< sentences: what the files leave open
  std::vector<std::string> skipped;  ///< sentences: what a scenario has no word for, or needs not
};

/// The VMs for a scenario whose hosts are these. Devices in passthrough are named as in their host
/// ("gpu0", "vmnic4"), found by bus id; a VM whose host is not told is on the only one that has its
/// devices. Names of hosts and VMs are theirs, or "host1", "vm1", ... in the order given.
[[nodiscard]] VmFragment to_scenario(const std::vector<VmFacts>& vms,
                                     const std::vector<Inventory>& hosts);

}  // namespace vgsim::vsphere::import
