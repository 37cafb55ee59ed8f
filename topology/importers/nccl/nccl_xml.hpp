#pragma once

#include <cstdint>
#include <tl/expected.hpp>
#include <vector>

#include "topology/input/diagnostics.hpp"
#include "topology/input/source_file.hpp"
#include "topology/machine/inventory.hpp"

namespace vgsim::topology {

/// The GPUs that a file can contain.
enum class NcclGpus : std::uint8_t {
  kNvidia,  ///< NVIDIA GPUs only
  kAny,     ///< also AMD GPUs, as written by RCCL, for readers that need only the topology
};

/// Reads an NCCL topology file (NCCL_TOPO_DUMP_FILE, NCCL_TOPO_FILE). Grammar as in NVIDIA/nccl
/// src/graph/xml.cc, versions 2.4 to 2.30. The NUMA nodes are those of all hosts in the file (from
/// NCCL 2.21 on there can be several, identified by NumaNode::host_hash).
///
/// Errors, all at once, with file, line and column: malformed or truncated XML, or forbidden
/// content (DOCTYPE, entities, processing instructions, NUL); more than 16 MiB, 32 levels, 64 NUMA
/// nodes or 4096 devices; a wrong root or version; AMD GPUs (RCCL) unless NcclGpus::kAny; known
/// elements in a wrong place; missing, unreadable or out-of-range attributes; ambiguous GPUs.
/// Unknown elements and attributes are ignored, with one warning for each kind.
[[nodiscard]] tl::expected<inventory::Inventory, input::Diagnostics> read_nccl_xml(
    const input::SourcePtr& source, NcclGpus gpus = NcclGpus::kNvidia);

/// One inventory for each host in such a file. Warnings of the file are those of the first.
[[nodiscard]] std::vector<inventory::Inventory> hosts_of(const inventory::Inventory& system);

}  // namespace vgsim::topology
