#include "models/vsphere/placement/host_inventory.hpp"

#include <algorithm>

#include "topology/graph/paths.hpp"

namespace vgsim::vsphere {

HostInventory inventory_of(const topology::Topology& topology, std::size_t host_index,
                           const Facts& facts, HostSettings settings) {
  const topology::Host& host = topology.hosts[host_index];
  HostInventory inventory;
  inventory.name = host.name;
  inventory.numa_cores = host.numa_cores;
  inventory.numa_memory = host.numa_memory;
  inventory.cores = host.all_cores;
  inventory.memory = host.all_memory;
  inventory.settings = settings;
  for (const topology::Vertex gpu : host.gpus) {
    const std::string& model = topology.node(gpu).model;
    inventory.gpus.push_back(model);
    inventory.boards.push_back(facts.profiles.board_of(model));
    const topology::HostPaths paths(topology, gpu, topology::Travel::kAny);
    std::vector<bool>& row = inventory.joined.emplace_back();
    for (const topology::Vertex other : host.gpus) {
      row.push_back(other != gpu && paths.class_to(other) == topology::PathClass::kNvl);
    }
    const topology::HostPaths below(topology, gpu, topology::Travel::kPcieOnly);
    inventory.beside_nic.push_back(
        std::any_of(host.nics.begin(), host.nics.end(), [&](const topology::HostNic& nic) {
          return nic.rdma && topology::shares_root_complex(topology, below, nic.vertex);
        }));
    for (const topology::Edge& edge : topology.edges_from(gpu)) {
      inventory.nvswitch |= topology.node(edge.target).kind == topology::NodeKind::kNvSwitch;
    }
  }
  if (inventory.nvswitch) {
    inventory.partitions = facts.partitions.of(inventory.gpus.front(), inventory.gpus.size());
  }
  return inventory;
}

}  // namespace vgsim::vsphere
