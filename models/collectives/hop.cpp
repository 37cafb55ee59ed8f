#include "models/collectives/hop.hpp"

#include <algorithm>
#include <utility>

namespace vgsim::collectives {
namespace {

using topology::HostPaths;
using topology::LinkKind;
using topology::Path;
using topology::PathClass;
using topology::Travel;
using topology::Vertex;
using vsphere::PeerAccess;

/// Each resource once, with the sum of its coefficients, in order of resources.
std::vector<Crossing> merged(std::vector<Crossing> crossings) {
  std::stable_sort(crossings.begin(), crossings.end(),
                   [](const Crossing& a, const Crossing& b) { return a.resource < b.resource; });
  std::vector<Crossing> result;
  for (const Crossing& c : crossings) {
    if (!result.empty() && result.back().resource == c.resource) {
      result.back().coefficient += c.coefficient;
    } else {
      result.push_back(c);
    }
  }
  return result;
}

}  // namespace

const char* to_string(Transport transport) {
  switch (transport) {
    case Transport::kNvLink:
      return "NVLink";
    case Transport::kPcie:
      return "PCIe peer-to-peer";
    case Transport::kHostStaging:
      return "host memory";
    case Transport::kNetwork:
      return "network";
  }
  return "?";
}

HopPlanner::HopPlanner(const topology::Topology& topology, const vsphere::GuestView& view)
    : topology_(&topology), view_(&view) {}

void HopPlanner::cross(const Path& path, std::vector<Crossing>& crossings) const {
  for (const topology::Edge edge : path.links) {
    const auto& resource = topology_->graph[edge].resource;
    if (resource) crossings.push_back({ResourceId{*resource}});
  }
}

Vertex HopPlanner::memory_near(std::size_t gpu) const {
  const auto& memories = topology_->hosts[view_->vm().host].memories;
  Vertex nearest = memories.front();
  for (const Vertex memory : memories) {
    const HostPaths& paths = view_->pcie_paths(gpu);
    if (paths.class_to(memory) < paths.class_to(nearest)) nearest = memory;
  }
  return nearest;
}

Path HopPlanner::from_memory(Vertex memory, Vertex to) const {
  return HostPaths(*topology_, memory, Travel::kPcieOnly).to(to);
}

Hop HopPlanner::between(std::size_t from_gpu, std::size_t to_gpu) const {
  Hop hop;
  switch (view_->peer_access(from_gpu, to_gpu)) {
    case PeerAccess::kNvLink:
      hop.transport = Transport::kNvLink;
      cross(view_->paths(from_gpu).to(view_->gpu(to_gpu)), hop.crossings);
      break;
    case PeerAccess::kPcie:
      hop.transport = Transport::kPcie;
      cross(view_->pcie_paths(from_gpu).to(view_->gpu(to_gpu)), hop.crossings);
      break;
    case PeerAccess::kHostStaging: {
      hop.transport = Transport::kHostStaging;
      const Vertex memory = memory_near(to_gpu);
      cross(view_->pcie_paths(from_gpu).to(memory), hop.crossings);
      cross(from_memory(memory, view_->gpu(to_gpu)), hop.crossings);
      break;
    }
  }
  hop.crossings = merged(std::move(hop.crossings));
  return hop;
}

std::optional<std::size_t> HopPlanner::relay_gpu(std::size_t gpu, std::size_t nic) const {
  if (view_->gpudirect_rdma(gpu, nic)) return std::nullopt;
  std::vector<std::size_t> nearest;
  for (std::size_t g = 0; g < view_->gpu_count(); ++g) {
    if (g == gpu || !view_->gpudirect_rdma(g, nic)) continue;
    if (view_->peer_access(gpu, g) != PeerAccess::kNvLink) continue;
    const auto path_class = view_->nic_class(g, nic);
    if (!nearest.empty() && path_class > view_->nic_class(nearest.front(), nic)) continue;
    if (!nearest.empty() && path_class < view_->nic_class(nearest.front(), nic)) nearest.clear();
    nearest.push_back(g);
  }
  if (nearest.empty()) return std::nullopt;
  return nearest[nic % nearest.size()];
}

Hop HopPlanner::send(std::size_t gpu, std::size_t nic) const {
  Hop hop{Transport::kNetwork, {}, false};
  const Vertex card = view_->nic(nic).vertex;
  std::size_t last = gpu;
  if (const auto relay = relay_gpu(gpu, nic)) {
    cross(view_->paths(gpu).to(view_->gpu(*relay)), hop.crossings);
    last = *relay;
  }
  if (view_->gpudirect_rdma(last, nic)) {
    cross(view_->pcie_paths(last).to(card), hop.crossings);
  } else {
    hop.through_memory = true;
    const Vertex memory = memory_near(last);
    cross(view_->pcie_paths(last).to(memory), hop.crossings);
    cross(from_memory(memory, card), hop.crossings);
  }
  hop.crossings.push_back({ResourceId{view_->nic(nic).out}});
  hop.crossings = merged(std::move(hop.crossings));
  return hop;
}

Hop HopPlanner::receive(std::size_t nic, std::size_t gpu) const {
  Hop hop{Transport::kNetwork, {}, false};
  const Vertex card = view_->nic(nic).vertex;
  hop.crossings.push_back({ResourceId{view_->nic(nic).in}});
  const HostPaths from_card(*topology_, card, Travel::kPcieOnly);
  if (view_->gpudirect_rdma(gpu, nic)) {
    cross(from_card.to(view_->gpu(gpu)), hop.crossings);
  } else {
    hop.through_memory = true;
    const Vertex memory = memory_near(gpu);
    cross(from_card.to(memory), hop.crossings);
    cross(from_memory(memory, view_->gpu(gpu)), hop.crossings);
  }
  hop.crossings = merged(std::move(hop.crossings));
  return hop;
}

std::vector<Crossing> HopPlanner::host_to_device(std::size_t gpu) const {
  std::vector<Crossing> crossings;
  cross(from_memory(memory_near(gpu), view_->gpu(gpu)), crossings);
  return crossings;
}

SimTime HopPlanner::host_to_device_latency(std::size_t gpu) const {
  return from_memory(memory_near(gpu), view_->gpu(gpu)).latency(*topology_);
}

std::optional<std::vector<Crossing>> HopPlanner::storage_to_host(std::size_t gpu) const {
  const auto& storage = topology_->hosts[view_->vm().host].storage;
  if (!storage) return std::nullopt;
  std::vector<Crossing> crossings;
  cross(HostPaths(*topology_, *storage, Travel::kPcieOnly).to(memory_near(gpu)), crossings);
  return crossings;
}

}  // namespace vgsim::collectives
