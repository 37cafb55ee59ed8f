#pragma once

#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "topology/input/diagnostics.hpp"
#include "topology/input/source_file.hpp"
#include "topology/machine/chosen_graph.hpp"

namespace vgsim::topology {

/// Whether a text is a graph file of NCCL (NCCL_GRAPH_DUMP_FILE).
[[nodiscard]] bool is_nccl_graph_xml(std::string_view text);

/// Reads the rings and trees that NCCL chose, or is to use (NCCL_GRAPH_FILE), in the order of
/// the file. Numbers of devices are decimal or, from NCCL 2.20 on, hex with "0x". Grammar:
/// NVIDIA/nccl src/graph/search.cc, ncclTopoGetXmlFromGraphs.
///
/// Errors: XML as in read_nccl_xml(); another root or version, patterns and path types unknown to
/// NCCL, missing numbers, more than 1,024 channels, channels of one graph that visit different
/// GPUs.
[[nodiscard]] tl::expected<std::vector<inventory::ChosenGraph>, input::Diagnostics>
parse_nccl_graph_xml(const input::SourcePtr& source);

/// The rings and trees of an NCCL dump (parse_nccl_graph_xml()) or of a topology file that contains
/// them. Errors: those of either file; a topology file without any (E532).
[[nodiscard]] tl::expected<std::vector<inventory::ChosenGraph>, input::Diagnostics>
read_chosen_graphs(const input::SourcePtr& source);

}  // namespace vgsim::topology
