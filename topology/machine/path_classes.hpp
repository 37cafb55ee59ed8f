#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "topology/machine/inventory.hpp"

namespace vgsim::topology::inventory {

/// NVLinks between two GPUs: direct ones, or through NVSwitches as many as the one with fewer has.
[[nodiscard]] std::int64_t nvlinks_between(const Device& a, const Device& b);

/// How the devices reach each other, in the words of nvidia-smi topo -m: "NV12"; PIX, one switch
/// between them; PXB, several; PHB, one root complex; NODE, one NUMA node; SYS. For AMD's links
/// "XGMI". Rows are the GPUs, then the NICs with a place on PCIe; those without a place in a NUMA
/// node are left out.
///
/// Each bridge of the tree counts as one switch, as nvidia-smi does. Where the root complexes are
/// not told, top-level devices whose buses lie less than 8 apart share one: firmware gives each
/// root complex a block of buses of its own.
[[nodiscard]] PathMatrix path_classes(const Inventory& host);

/// Sentences about cells in which a told matrix differs from the one that the tree gives; at most
/// `most`, then how many more. Cells that either does not tell do not count.
[[nodiscard]] std::vector<std::string> differences(const PathMatrix& told, const PathMatrix& tree,
                                                   std::size_t most = 5);

}  // namespace vgsim::topology::inventory
