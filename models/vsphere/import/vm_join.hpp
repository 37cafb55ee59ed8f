#pragma once

#include <vector>

#include "models/vsphere/import/vm_facts.hpp"

namespace vgsim::vsphere::import {

struct JoinedVms {
  std::vector<VmFacts> vms;  ///< in the order in which each is told of first
  input::Diagnostics warnings;
};

/// The VMs of several files, each once: files tell of the same VM if they name it alike and
/// tell of the same host, or where a host is not told, of the same size. What tells only devices or
/// settings, and no name and no size, belongs to the only VM that there is. The file that is read
/// first goes before the others, which add what it lacks; W532 where sizes differ.
[[nodiscard]] JoinedVms join_vms(std::vector<VmFacts> vms);

}  // namespace vgsim::vsphere::import
