#pragma once

#include <tl/expected.hpp>
#include <vector>

#include "topology/input/diagnostics.hpp"
#include "topology/machine/inventory.hpp"

namespace vgsim::topology::inventory {

/// What several files tell of one host.
///
/// The file that places most GPUs and NICs in a tree gives the tree; the others fill in what it
/// does not tell. Devices are the same if they share a bus id, a UUID, the name of a port, or, for
/// GPUs, their number, where GPUs without one are counted in the order of bus ids. GPUs and NICs
/// that the tree lacks are added below a bridge that both files know, else to their NUMA node, else
/// to Inventory::unplaced. Where two files disagree, the value of the tree's file, then of the
/// earlier one, stays, and warnings say so (W532).
///
/// `parts` must not be empty. An error (E537) if two files each list a GPU at a bus id where the
/// other has none: they are of two machines, or one is of a host and the other of a guest on it.
[[nodiscard]] tl::expected<Inventory, input::Diagnostics> merge(std::vector<Inventory> parts);

}  // namespace vgsim::topology::inventory
