#pragma once

#include <tl/expected.hpp>
#include <vector>

#include "topology/input/diagnostics.hpp"
#include "topology/input/source_file.hpp"
#include "topology/inventory/chosen_graph.hpp"

namespace vgsim::topology {

/// The rings and trees of a dump of NCCL's (parse_nccl_graph_xml()), or of a topology file that
/// keeps them. Errors: those of either file; a topology file without any (E532).
[[nodiscard]] tl::expected<std::vector<inventory::ChosenGraph>, input::Diagnostics>
read_chosen_graphs(const input::SourcePtr& source);

}  // namespace vgsim::topology
