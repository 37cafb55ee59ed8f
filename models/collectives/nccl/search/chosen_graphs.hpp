#pragma once

#include <vector>

#include "models/collectives/nccl/search/node_search.hpp"
#include "topology/machine/chosen_graph.hpp"

namespace vgsim::collectives::nccl {

/// Replaces the graphs that the search found in a node by those of a file (NCCL_GRAPH_FILE) that
/// have channels, as NCCL does. `connected`: the node with the GPU and NET numbers that the file
/// uses. Throws std::invalid_argument if the file names others, or not all GPUs. Source:
/// NVIDIA/nccl src/graph/search.cc, ncclTopoGetGraphFromXml.
void use_chosen_graphs(const std::vector<topology::inventory::ChosenGraph>& chosen,
                       const Connected& connected, NodeGraphs& graphs);

}  // namespace vgsim::collectives::nccl
