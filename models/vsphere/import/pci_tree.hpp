#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "models/vsphere/import/reading.hpp"
#include "topology/machine/inventory.hpp"

namespace vgsim::vsphere::import {

/// A line of a host's list of PCI functions.
struct PciFunction {
  /// All facts of it except its kind and its place in the tree.
  topology::inventory::Device device;
  std::string parent;             ///< normalized bus id of the bridge above it; empty: unknown
  bool virtual_function = false;  ///< of SR-IOV: not a separate card
  bool root_port = false;         ///< the file calls it a root port, even if it has a parent
  Place place;                    ///< of the bus id in the file
};

/// Functions that a list may have.
inline constexpr std::size_t kMostPciFunctions = 16384;

/// Builds the tree of a host from a flat list in which each function names the bridge above it, and
/// adds it to `host`. A top-level device goes to the NUMA node that the file states for it, for a
/// bridge above it or for a device below it; new nodes are added as needed, one without id for
/// devices without a stated node. Devices whose bridges are not listed go to `unplaced`.
///
/// Kept are GPUs, NICs, NVMe, NVSwitches and the bridges on the way to them. Root ports are
/// removed, and a switch is one bridge: its upstream port, with all devices below its downstream
/// ports.
///
/// Errors: E533 for more than 4096 kept devices or 16384 functions. Bus ids that are there twice,
/// bridges in a circle and NUMA nodes that disagree are warnings.
void place_pci_functions(std::vector<PciFunction> functions, FileNotes& notes, Inventory& host);

}  // namespace vgsim::vsphere::import
