#pragma once

#include "models/collectives/nccl/machine.hpp"
#include "topology/catalog/catalog.hpp"
#include "topology/graph/graph.hpp"

namespace vgsim::vsphere {
class GuestView;
}

namespace vgsim::collectives {

/// The machine that NCCL detects in a guest. Ranks are the guest's GPUs in their order, NETs its
/// NICs in theirs.
///
/// With a topology file and on bare metal it is the part of the host's PCIe tree above the guest's
/// devices. Otherwise it is a flat tree under one NUMA node, or under the host's NUMA nodes with
/// vNUMA. Bus ids are generated; NCCL uses them only to distinguish devices.
[[nodiscard]] nccl::Machine guest_machine(const topology::Topology& topology,
                                          const topology::Catalog& catalog,
                                          const vsphere::GuestView& view);

}  // namespace vgsim::collectives
