#include "models/vsphere/placement/host_inventory.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "topology/graph/paths.hpp"
#include "topology/input/name_ranges.hpp"
#include "topology/look_up.hpp"

namespace vgsim::vsphere {
namespace {

/// The label of each GPU; of several patterns that match the last one counts.
std::vector<std::string> labels_of(const HostSettings& settings, std::size_t gpus,
                                   input::Diagnostics& diagnostics) {
  std::vector<std::string> labels(gpus);
  for (const input::Named<std::string>& each : settings.gpu_labels) {
    bool matches = false;
    for (std::size_t gpu = 0; gpu < gpus; ++gpu) {
      if (!input::matches_pattern(fmt::format("gpu{}", gpu), each.name)) continue;
      labels[gpu] = *each;
      matches = true;
    }
    if (!matches) {
      topology::report(diagnostics, each.origin,
                       fmt::format("the host has no GPU \"{}\"", each.name),
                       fmt::format("gpuN with N below {}, or a pattern such as \"gpu*\"", gpus));
    }
  }
  return labels;
}

}  // namespace

HostInventory inventory_of(const topology::Topology& topology, std::size_t host_index,
                           const Facts& facts, HostSettings settings,
                           input::Diagnostics& diagnostics) {
  const topology::Host& host = topology.hosts[host_index];
  HostInventory inventory;
  inventory.name = host.name;
  inventory.server = host.server;
  inventory.cpu = host.cpu_model;
  inventory.numa_cores = host.numa_cores;
  inventory.numa_memory = host.numa_memory;
  inventory.cores = host.all_cores;
  inventory.memory = host.all_memory;
  inventory.labels = labels_of(settings, host.gpus.size(), diagnostics);
  inventory.settings = std::move(settings);
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
