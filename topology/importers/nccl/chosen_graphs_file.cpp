#include "topology/importers/nccl/chosen_graphs_file.hpp"

#include "topology/importers/nccl/nccl_graph_xml.hpp"
#include "topology/importers/topology_file/topology_file.hpp"
#include "topology/inventory/import_codes.hpp"

namespace vgsim::topology {

tl::expected<std::vector<inventory::ChosenGraph>, input::Diagnostics> read_chosen_graphs(
    const input::SourcePtr& source) {
  if (is_nccl_graph_xml(source->text)) return parse_nccl_graph_xml(source);
  auto host = inventory::read_topology_file(source);
  if (!host) return tl::unexpected(host.error());
  if (!host->graphs.empty()) return std::move(host->graphs);
  input::Diagnostics diagnostics;
  diagnostics.error(import_codes::kNothingInIt.code, {source, 0, 1}, "/nccl_graphs",
                    "the topology file keeps no rings or trees of NCCL",
                    "one that was imported together with a dump of NCCL_GRAPH_DUMP_FILE");
  return tl::unexpected(diagnostics);
}

}  // namespace vgsim::topology
