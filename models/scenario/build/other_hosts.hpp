#pragma once

#include <vector>

#include "models/scenario/build/cluster.hpp"
#include "models/vsphere/legality/findings.hpp"

namespace vgsim::scenario {

struct Library;

/// Operations that a VM's devices allow, but for which no other host of the cluster has free
/// GPUs and capacity. Empty for a scenario of one host, whose other hosts are unknown.
[[nodiscard]] std::vector<vsphere::Finding> lost_for_want_of_hosts(const Layout& layout,
                                                                   const Cluster& cluster,
                                                                   const Library& library);

}  // namespace vgsim::scenario
