#pragma once

#include <string>
#include <vector>

#include "models/scenario/layouts.hpp"
#include "models/scenario/library.hpp"
#include "models/vsphere/guest_view.hpp"
#include "sim/exact.hpp"
#include "topology/graph.hpp"

namespace vgsim::scenario {

/// The machines of one layout, built and placed.
struct Cluster {
  topology::Topology topology;
  /// All VMs, or all hosts where there are no VMs, in rank order.
  std::vector<vsphere::VirtualMachine> machines;
  /// What each link can carry, in bytes/s, by ResourceId = LinkResourceIndex.
  std::vector<Exact> capacity;
  bool zero_latency = false;
  std::vector<std::string> assumptions;
};

/// Builds hosts, fabric and VMs of a layout. Training jobs read their data from storage; a host
/// without any gets a drive of `storage_read_rate`.
///
/// Hosts and VMs are put into an order that depends on what they are, and on their names only
/// between equal ones, so that neither renaming nor reordering them changes a result.
[[nodiscard]] Cluster build_cluster(const LayoutInput& layout, const Library& library,
                                    const topology::FileLoader& load,
                                    input::Diagnostics& diagnostics);

}  // namespace vgsim::scenario
