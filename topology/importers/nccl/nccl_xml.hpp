#pragma once

#include <cstdint>
#include <tl/expected.hpp>
#include <vector>

#include "topology/input/diagnostics.hpp"
#include "topology/input/source_file.hpp"
#include "topology/machine/inventory.hpp"

namespace vgsim::topology {

/// Whose GPUs a file may have.
enum class NcclGpus : std::uint8_t {
  kNvidia,  ///< those that the catalogue knows
  kAny,     ///< also AMD's, as RCCL writes them: for what only reads the shape of the machine
};

/// Reads an NCCL topology file (NCCL_TOPO_DUMP_FILE, NCCL_TOPO_FILE). Grammar as NVIDIA/nccl
/// src/graph/xml.cc reads and writes it, versions 2.4 to 2.30. The NUMA nodes are those of all
/// hosts in the file (from NCCL 2.21 a file may hold several, told apart by NumaNode::host_hash).
///
/// Errors, all at once, with file, line and column: XML that is malformed, cut off or tries tricks
/// (DOCTYPE, entities, processing instructions, NUL), more than 16 MiB, 32 levels, 64 NUMA nodes or
/// 4096 devices, a wrong root or version, AMD GPUs (RCCL) unless they are asked for, known elements
/// in the wrong place, attributes that are missing, unreadable or absurd, GPUs that cannot be told
/// apart. Elements and attributes that are unknown are passed over, with one warning for each kind.
[[nodiscard]] tl::expected<inventory::Inventory, input::Diagnostics> read_nccl_xml(
    const input::SourcePtr& source, NcclGpus gpus = NcclGpus::kNvidia);

/// One inventory for each host in such a file. Warnings of the file are those of the first.
[[nodiscard]] std::vector<inventory::Inventory> hosts_of(const inventory::Inventory& system);

}  // namespace vgsim::topology
