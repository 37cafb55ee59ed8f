#include "topology/catalog/numa_nodes.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "topology/input/name_ranges.hpp"

namespace vgsim::topology {
namespace {

constexpr std::int64_t kQuadrants = 4;

/// The known position of a root complex: one of the equal parts of its socket.
struct NumaPart {
  std::int64_t parts = 1;
  std::int64_t part = 0;
};

NumaPart known_part(const ServerModel& server, const RootComplex& complex, std::int64_t nodes) {
  if (complex.quadrant && (kQuadrants % nodes == 0 || nodes % kQuadrants == 0)) {
    return {kQuadrants, *complex.quadrant};
  }
  const std::int64_t known = server.numa_nodes_per_socket;
  if (known % nodes == 0 || nodes % known == 0) return {known, complex.numa_node};
  return {};
}

}  // namespace

NumaSplit with_numa_nodes(ServerModel server, std::int64_t nodes_per_socket) {
  NumaSplit split;
  if (nodes_per_socket == server.numa_nodes_per_socket) {
    split.server = std::move(server);
    return split;
  }
  std::vector<std::string> names;
  for (const auto& [name, complex] : server.root_complexes) names.push_back(name);
  std::sort(names.begin(), names.end(), input::natural_less);
  // Root complexes that share a part which becomes several nodes: by socket, first node and number
  // of nodes.
  std::map<std::array<std::int64_t, 3>, std::vector<RootComplex*>> together;
  for (const std::string& name : names) {
    RootComplex& complex = server.root_complexes.at(name);
    const NumaPart known = known_part(server, complex, nodes_per_socket);
    complex.numa_node = known.part * nodes_per_socket / known.parts;
    if (known.parts >= nodes_per_socket) continue;
    together[{complex.socket, complex.numa_node, nodes_per_socket / known.parts}].push_back(
        &complex);
    split.guessed.push_back(name);
  }
  for (const auto& [place, alike] : together) {
    for (std::size_t k = 0; k < alike.size(); ++k) {
      alike[k]->numa_node +=
          static_cast<std::int64_t>(k) * place[2] / static_cast<std::int64_t>(alike.size());
    }
  }
  server.numa_nodes_per_socket = nodes_per_socket;
  split.server = std::move(server);
  return split;
}

}  // namespace vgsim::topology
