#pragma once

#include <vector>

#include "models/collectives/nccl/search/node_search.hpp"
#include "topology/machine/chosen_graph.hpp"

namespace vgsim::collectives::nccl {

/// Puts graphs of a file (NCCL_GRAPH_FILE) in the place of those that the search found in a node,
/// as NCCL does: each that has channels. `connected`: the node, by whose GPUs' and NETs' numbers
/// the file names them. Throws std::invalid_argument if it names others, or not all GPUs.
/// Source: NVIDIA/nccl src/graph/search.cc, ncclTopoGetGraphFromXml.
void use_chosen_graphs(const std::vector<topology::inventory::ChosenGraph>& chosen,
                       const Connected& connected, NodeGraphs& graphs);

}  // namespace vgsim::collectives::nccl
