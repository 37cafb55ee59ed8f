#pragma once

#include <vector>

#include "models/vsphere/import/vm_facts.hpp"

namespace vgsim::vsphere::import {

struct JoinedVms {
  std::vector<VmFacts> vms;  ///< in the order of their first mention
  input::Diagnostics warnings;
};

/// The VMs of several files, each once. Files describe the same VM if they agree on its name and
/// its host, or on its name and size where a host is unknown. Facts without a name and a size, such
/// as devices or settings alone, belong to the only VM that there is. The file that is read first
/// has priority; the others add what it lacks. W532 if sizes differ.
[[nodiscard]] JoinedVms join_vms(std::vector<VmFacts> vms);

}  // namespace vgsim::vsphere::import
