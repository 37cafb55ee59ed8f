#pragma once

#include <tl/expected.hpp>
#include <vector>

#include "topology/input/diagnostics.hpp"
#include "topology/machine/inventory.hpp"

namespace vgsim::topology::inventory {

/// Merges the facts of several files about one host.
///
/// The file that places most GPUs and NICs provides the tree; the others add missing facts. Devices
/// are the same if they share a bus id, a UUID, the name of a port or, for GPUs, their number; GPUs
/// without a number are counted in the order of bus ids. GPUs and NICs missing in the tree are
/// added below a common bridge, else to their NUMA node, else to Inventory::unplaced. If two files
/// disagree, the value of the tree's file, then of the earlier one, is kept, with a warning (W532).
///
/// `parts` must not be empty. An error (E537) if two files each list a GPU at a bus id where the
/// other has none: they are from two machines, or from a host and a guest on it.
[[nodiscard]] tl::expected<Inventory, input::Diagnostics> merge(std::vector<Inventory> parts);

}  // namespace vgsim::topology::inventory
