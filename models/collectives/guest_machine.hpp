#pragma once

#include "models/collectives/nccl/machine.hpp"
#include "topology/catalog/catalog.hpp"
#include "topology/graph/graph.hpp"

namespace vgsim::vsphere {
class GuestView;
}

namespace vgsim::collectives {

/// What NCCL reads in a guest about its machine. Ranks are the guest's GPUs in their order, NETs
/// its NICs in theirs.
///
/// With a topology file, and on bare metal, it is the host's PCIe tree as far as the guest's
/// devices hang on it; without one a flat tree, under one NUMA node or under those of the host
/// (vNUMA). Bus ids are made up: NCCL only tells devices apart by them.
[[nodiscard]] nccl::Machine guest_machine(const topology::Topology& topology,
                                          const topology::Catalog& catalog,
                                          const vsphere::GuestView& view);

}  // namespace vgsim::collectives
