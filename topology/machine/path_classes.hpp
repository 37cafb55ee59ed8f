#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "topology/machine/inventory.hpp"

namespace vgsim::topology::inventory {

/// NVLinks between two GPUs: direct ones, or through NVSwitches the lower number of the two GPUs.
[[nodiscard]] std::int64_t nvlinks_between(const Device& a, const Device& b);

/// Path classes between devices, in the words of nvidia-smi topo -m: "NV12"; PIX, one switch
/// between them; PXB, several; PHB, one root complex; NODE, one NUMA node; SYS. For AMD links
/// "XGMI". Rows are the GPUs, then the NICs with a PCIe position; devices outside NUMA nodes are
/// omitted.
///
/// Each bridge of the tree counts as one switch, as in nvidia-smi. If root complexes are unknown,
/// top-level devices whose bus numbers differ by less than 8 share one: firmware assigns a block of
/// bus numbers to each root complex.
[[nodiscard]] PathMatrix path_classes(const Inventory& host);

/// Sentences about cells in which a stated matrix differs from that of the tree; at most `most`,
/// then the number of others. Cells unknown in either are ignored.
[[nodiscard]] std::vector<std::string> differences(const PathMatrix& stated, const PathMatrix& tree,
                                                   std::size_t most = 5);

}  // namespace vgsim::topology::inventory
