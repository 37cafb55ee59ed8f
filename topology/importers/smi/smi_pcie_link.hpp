#pragma once

#include "topology/importers/smi/smi_gpu_facts.hpp"

namespace vgsim::topology {

/// The PCIe link above a GPU, from its facts: `link`, the best that both ends can do, and
/// `link_now`. The generation of `link` is the lowest of the told maxima, but a root port that is
/// told to be slower than the link runs is not believed, with a warning: some drivers ask a wrong
/// bridge. The maximum of the GPU alone does not make a link.
void add_smi_pcie_link(const SmiGpuFacts& facts, inventory::Device& device, DumpNotes& notes);

}  // namespace vgsim::topology
