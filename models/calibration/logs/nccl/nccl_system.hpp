#pragma once

#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "topology/input/diagnostics.hpp"
#include "topology/input/source_file.hpp"
#include "topology/machine/inventory.hpp"

namespace vgsim::calibration {

/// Whether a text contains the tree of a machine as NCCL draws it in its messages.
[[nodiscard]] bool has_nccl_system(std::string_view text);

/// Reads the trees "=== System : ... ===" in NCCL's messages (NCCL_DEBUG=INFO,
/// NCCL_DEBUG_SUBSYS=GRAPH), with or without the name of the thread before each line, of NCCL 2.6
/// to 2.31 (NVIDIA/nccl src/graph/topo.cc). Of each host the tree with the most devices is read:
/// each rank prints one, and a communicator without all GPUs or NICs prints a smaller one.
///
/// One inventory for each host, with what read_nccl_xml() reads from a dump of the same host as far
/// as the log states it: NUMA nodes, PCIe switches, GPUs, NICs, links and NVLinks. Names of NICs
/// and numbers of GPUs are those of other messages of the log. PCIe links and the CPU are inferred
/// from NCCL's GB/s and classes. Hosts have their names in the log; those of one tree of several
/// (multi-node NVLink) have none, but NumaNode::host_hash.
///
/// Errors, with line: E532 no tree with all its lines, E534 truncated or mixed lines, E533 more
/// than 4096 devices, E506 AMD GPUs (RCCL), E510 split GPUs. They are those of the first tree if no
/// tree of its host can be read. Warnings (W531): NVLinks at an unknown rate.
[[nodiscard]] tl::expected<std::vector<topology::inventory::Inventory>, input::Diagnostics>
read_nccl_systems(const input::SourcePtr& file);

}  // namespace vgsim::calibration
