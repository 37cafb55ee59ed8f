#pragma once

#include <string>

#include "topology/importers/infragraph/infragraph_model.hpp"
#include "topology/inventory/inventory.hpp"

namespace vgsim::topology {

/// A host as an InfraGraph document: one device with one instance. NUMA nodes become components of
/// the kind cpu, GPUs xpu (xpu[3] is GPU 3), NICs nic, bridges custom pci_bridge, told root
/// complexes custom root_bridge, NVSwitches switch. Links say their PCIe generation and width, or
/// how many NVLinks an edge stands for, in name, description and bandwidth (GB/s of one direction).
/// What the schema has no place for, such as bus ids, host name and NUMA numbers, is in
/// annotations, with the names of InfraGraph's own translator from NCCL where it has one; values
/// that were only assumed are not. Path matrices, chosen graphs, vGPUs and NVLinks to what is not
/// in the host are left out.
[[nodiscard]] infragraph::Document infragraph_document(const inventory::Inventory& host);

/// The same as JSON of the schema 2.x, with the annotations beside the infrastructure as the API's
/// get_graph answers. read_infragraph() gives back the same GPUs, NICs, trees and NVLinks.
[[nodiscard]] std::string to_infragraph(const inventory::Inventory& host);

}  // namespace vgsim::topology
