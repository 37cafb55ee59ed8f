#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "models/vsphere/import/reading.hpp"
#include "topology/machine/inventory.hpp"

namespace vgsim::vsphere::import {

/// A line of a host's list of PCI functions.
struct PciFunction {
  /// With all that is told of it but its place in the tree; the kind is found here.
  topology::inventory::Device device;
  std::string parent;             ///< normalized bus id of the bridge above it; empty: not told
  bool virtual_function = false;  ///< of SR-IOV: not a card of its own
  bool root_port = false;         ///< told to be one, whatever is above it
  Place place;                    ///< of the bus id in the file
};

/// Functions that a list may have.
inline constexpr std::size_t kMostPciFunctions = 16384;

/// Builds the tree of a host from a flat list in which each function names the bridge above it, and
/// adds it to `host`: top-level devices to the NUMA node that is told of them, of the bridges on
/// their way or of a device below them (new nodes are added as needed, one without id for those of
/// which none is told), and devices whose bridges are not listed to `unplaced`.
///
/// Kept are GPUs, NICs, NVMe, NVSwitches and the bridges on the way to them. Root ports vanish, and
/// a switch is one bridge: its upstream port, with all that hangs on its downstream ports.
///
/// Errors: E533 for more than 4096 kept devices or 16384 functions. Bus ids that are there twice,
/// bridges in a circle and NUMA nodes that disagree are warnings.
void place_pci_functions(std::vector<PciFunction> functions, FileNotes& notes, Inventory& host);

}  // namespace vgsim::vsphere::import
