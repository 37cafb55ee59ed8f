#include "models/collectives/hop.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <stdexcept>
#include <utility>

#include "models/vsphere/guest_view.hpp"

namespace vgsim::collectives {
namespace {

using topology::HostPaths;
using topology::LinkKind;
using topology::Path;
using topology::PathClass;
using topology::Travel;
using topology::Vertex;
using vsphere::PeerAccess;

/// Sums the coefficients of each resource; sorted by resource.
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
    case Transport::kPcieRoot:
      return "PCIe peer-to-peer through the root complex";
    case Transport::kHostStaging:
      return "host memory";
    case Transport::kNetwork:
      return "network";
    case Transport::kStagedNetwork:
      return "network through host memory";
    case Transport::kSocket:
      return "TCP";
    case Transport::kEfa:
      return "EFA";
    case Transport::kTcpx:
      return "TCPX";
    case Transport::kTcpxo:
      return "TCPXO";
    case Transport::kOfi:
      return "libfabric";
  }
  return "?";
}

namespace {

Transport network_of(topology::NetKind net, bool direct) {
  switch (net) {
    case topology::NetKind::kIb:
      return direct ? Transport::kNetwork : Transport::kStagedNetwork;
    case topology::NetKind::kSocket:
      return Transport::kSocket;
    case topology::NetKind::kEfa:
      return Transport::kEfa;
    case topology::NetKind::kTcpx:
      return Transport::kTcpx;
    case topology::NetKind::kTcpxo:
      return Transport::kTcpxo;
    case topology::NetKind::kOfi:
      return Transport::kOfi;
  }
  return Transport::kNetwork;
}

}  // namespace

HopPlanner::HopPlanner(const topology::Topology& topology, const vsphere::GuestView& view)
    : topology_(&topology), view_(&view) {}

void HopPlanner::cross(const Path& path, std::vector<Crossing>& crossings) const {
  for (const topology::Edge& edge : path.links) {
    const auto& resource = topology_->link(edge).resource;
    if (resource) crossings.push_back({ResourceId{*resource}});
  }
}

void HopPlanner::cross_staged(const Path& path, std::vector<Crossing>& crossings) const {
  cross(path, crossings);
  for (const topology::Edge& edge : path.links) {
    const auto& root = topology_->link(edge).root;
    if (!root) continue;
    const bool translated = topology_->hosts[view_->vm().host].staging_translated;
    crossings.push_back({ResourceId{translated ? root->translated_staging.value_or(root->staging)
                                               : root->staging}});
  }
}

std::vector<Vertex> HopPlanner::vm_memories() const {
  const auto& all = topology_->hosts[view_->vm().host].memories;
  if (view_->vm().numa.memory.empty()) return all;
  std::vector<Vertex> own;
  for (const auto& part : view_->vm().numa.memory) own.push_back(all[part.node]);
  return own;
}

/// Of the memories that the VM has.
Vertex HopPlanner::memory_near(std::size_t gpu) const {
  const std::vector<Vertex> memories = vm_memories();
  const HostPaths& paths = view_->pcie_paths(gpu);
  return *std::min_element(memories.begin(), memories.end(), [&](Vertex a, Vertex b) {
    return paths.class_to(a) < paths.class_to(b);
  });
}

const HostPaths& HopPlanner::paths_from(Vertex from) const {
  return paths_.try_emplace(from, *topology_, from, Travel::kPcieOnly).first->second;
}

Path HopPlanner::pcie_path(Vertex from, Vertex to) const { return paths_from(from).to(to); }

Path HopPlanner::from_memory(Vertex memory, Vertex to) const { return pcie_path(memory, to); }

/// The first root port of a path translates the addresses of its requests.
void HopPlanner::cross_iommu(const Path& path, std::vector<Crossing>& crossings) const {
  for (const topology::Edge& edge : path.links) {
    const auto& root = topology_->link(edge).root;
    if (!root) continue;
    crossings.push_back({ResourceId{root->translation}});
    return;
  }
}

void HopPlanner::cross_peers(Vertex from, Vertex to, Partners partners,
                             std::vector<Crossing>& crossings) const {
  const Path path = pcie_path(from, to);
  const topology::Host& host = topology_->hosts[view_->vm().host];
  if (path.path_class < PathClass::kPhb && host.acs) {
    const auto nearest =
        std::min_element(host.sockets.begin(), host.sockets.end(), [&](Vertex a, Vertex b) {
          return pcie_path(from, a).links.size() < pcie_path(from, b).links.size();
        });
    const Path up = pcie_path(from, *nearest);
    cross(up, crossings);
    cross(pcie_path(*nearest, to), crossings);
    if (host.iommu_translates) cross_iommu(up, crossings);
    return;
  }
  cross(path, crossings);
  if (host.iommu_translates && path.path_class >= PathClass::kPhb) cross_iommu(path, crossings);
  for (const topology::Edge& edge : path.links) {
    const auto& root = topology_->link(edge).root;
    if (!root) continue;
    crossings.push_back(
        {ResourceId{partners == Partners::kMany ? root->exchange : root->forwarding}});
  }
}

Hop HopPlanner::peer_to_peer(std::size_t from_gpu, std::size_t to_gpu, Partners partners) const {
  if (!view_->can_be_peers(from_gpu, to_gpu)) {
    throw std::logic_error("peer-to-peer between GPUs that the guest does not support");
  }
  Hop hop;
  if (view_->peer_access(from_gpu, to_gpu) == PeerAccess::kNvLink) {
    hop.transport = Transport::kNvLink;
    cross(view_->paths(from_gpu).to(view_->gpu(to_gpu)), hop.crossings);
  } else {
    const bool below_root =
        view_->pcie_paths(from_gpu).class_to(view_->gpu(to_gpu)) < PathClass::kPhb;
    hop.transport = below_root ? Transport::kPcie : Transport::kPcieRoot;
    cross_peers(view_->gpu(from_gpu), view_->gpu(to_gpu), partners, hop.crossings);
  }
  hop.crossings = merged(std::move(hop.crossings));
  return hop;
}

bool HopPlanner::meet_at_many_ports() const {
  std::set<topology::LinkResourceIndex> ports;
  for (std::size_t gpu = 0; gpu < view_->gpu_count(); ++gpu) {
    for (const topology::Edge& edge : view_->pcie_paths(gpu).to(memory_near(gpu)).links) {
      const auto& root = topology_->link(edge).root;
      if (root) ports.insert(root->forwarding);
    }
  }
  return ports.size() > 2;
}

Hop HopPlanner::staged(std::size_t from_gpu, std::size_t to_gpu) const {
  Hop hop{Transport::kHostStaging, {}, {}, {}};
  const Vertex memory = memory_near(to_gpu);
  cross_staged(view_->pcie_paths(from_gpu).to(memory), hop.crossings);
  cross_staged(from_memory(memory, view_->gpu(to_gpu)), hop.crossings);
  hop.crossings = merged(std::move(hop.crossings));
  return hop;
}

Hop HopPlanner::network_hop(std::size_t nic, bool direct) const {
  const vsphere::VirtualMachine& vm = view_->vm();
  const vsphere::NicCosts& costs = vm.nics[nic].costs;
  const topology::NetKind net = view_->net_kind(nic);
  Hop hop{network_of(net, direct), costs.latency, costs.connection_rate, {}};
  hop.staged =
      !direct && net != topology::NetKind::kSocket && !topology_->hosts[vm.host].coherent_gpus;
  cross_cores(costs, 1, hop.crossings);
  return hop;
}

/// The core time of `times` bytes over a NIC.
void HopPlanner::cross_cores(const vsphere::NicCosts& costs, std::int64_t times,
                             std::vector<Crossing>& crossings) const {
  const vsphere::VirtualMachine& vm = view_->vm();
  const auto add = [&](const std::optional<topology::LinkResourceIndex>& cores,
                       std::int64_t per_byte) {
    if (cores && per_byte > 0) crossings.push_back({ResourceId{*cores}, per_byte * times});
  };
  add(topology_->hosts[vm.host].cores, costs.guest_ps_per_byte + costs.host_ps_per_byte);
  add(vm.vcpus, costs.guest_ps_per_byte);
  add(vm.node_cores, costs.guest_ps_per_byte);
}

Hop HopPlanner::send(std::size_t gpu, std::size_t nic, bool direct,
                     std::optional<std::size_t> relay, Reach reach) const {
  Hop hop = network_hop(nic, direct);
  const Vertex card = view_->nic(nic).vertex;
  std::size_t last = gpu;
  if (relay) {
    cross(view_->paths(gpu).to(view_->gpu(*relay)), hop.crossings);
    last = *relay;
  }
  if (direct) {
    cross_peers(view_->gpu(last), card, Partners::kOne, hop.crossings);
  } else {
    const Vertex memory = memory_near(last);
    cross_staged(view_->pcie_paths(last).to(memory), hop.crossings);
    if (reach == Reach::kNetwork) cross(from_memory(memory, card), hop.crossings);
  }
  if (reach == Reach::kNetwork) hop.crossings.push_back({ResourceId{view_->nic(nic).out}});
  if (const auto& function = view_->vm().nics[nic].costs.out) {
    hop.crossings.push_back({ResourceId{*function}});
  }
  hop.crossings = merged(std::move(hop.crossings));
  return hop;
}

Hop HopPlanner::receive(std::size_t nic, std::size_t gpu, bool direct, Reach reach) const {
  Hop hop = network_hop(nic, direct);
  const Vertex card = view_->nic(nic).vertex;
  if (reach == Reach::kNetwork) hop.crossings.push_back({ResourceId{view_->nic(nic).in}});
  if (const auto& function = view_->vm().nics[nic].costs.in) {
    hop.crossings.push_back({ResourceId{*function}});
  }
  if (direct) {
    cross_peers(card, view_->gpu(gpu), Partners::kOne, hop.crossings);
  } else {
    const Vertex memory = memory_near(gpu);
    if (reach == Reach::kNetwork) cross(pcie_path(card, memory), hop.crossings);
    cross_staged(from_memory(memory, view_->gpu(gpu)), hop.crossings);
  }
  hop.crossings = merged(std::move(hop.crossings));
  return hop;
}

Hop HopPlanner::by_nic(std::size_t from_gpu, std::size_t out_nic, std::size_t in_nic,
                       std::size_t to_gpu, bool direct) const {
  Hop hop = send(from_gpu, out_nic, direct, std::nullopt);
  const Hop second = receive(in_nic, to_gpu, direct);
  hop.latency += second.latency;
  hop.crossings.insert(hop.crossings.end(), second.crossings.begin(), second.crossings.end());
  if (out_nic == in_nic) {
    const topology::HostNic& nic = view_->nic(in_nic);
    std::erase_if(hop.crossings, [&](const Crossing& c) {
      return c.resource == ResourceId{nic.out} || c.resource == ResourceId{nic.in};
    });
  }
  hop.crossings = merged(std::move(hop.crossings));
  return hop;
}

Hop HopPlanner::to_switch(std::size_t gpu) const {
  Hop hop;
  for (const topology::Edge& edge : topology_->edges_from(view_->gpu(gpu))) {
    const Vertex hub = edge.target;
    if (topology_->node(hub).kind != topology::NodeKind::kNvSwitch) continue;
    hop.crossings.push_back({ResourceId{*topology_->link(edge).resource}});
  }
  return hop;
}

Hop HopPlanner::from_switch(std::size_t gpu) const {
  Hop hop;
  for (const topology::Edge& edge : topology_->edges_to(view_->gpu(gpu))) {
    const Vertex hub = edge.source;
    if (topology_->node(hub).kind != topology::NodeKind::kNvSwitch) continue;
    hop.crossings.push_back({ResourceId{*topology_->link(edge).resource}});
  }
  return hop;
}

/// The memories that hold the input of a GPU, each with its part. A process that can see the node
/// of its GPU keeps the input there; else it is wherever the VM's memory is.
std::vector<HopPlanner::InputMemory> HopPlanner::input_memories(std::size_t gpu) const {
  const vsphere::VirtualMachine& vm = view_->vm();
  const bool sees_node =
      vm.numa.guest_sees_nodes && vm.guest_topology != vsphere::GuestTopology::kFlat;
  if (vm.numa.memory.size() < 2 || sees_node) return {{memory_near(gpu), 1}};
  std::vector<InputMemory> result;
  std::int64_t common = 0;
  for (const auto& part : vm.numa.memory) common = std::gcd(common, part.parts);
  for (const auto& part : vm.numa.memory) {
    result.push_back({topology_->hosts[vm.host].memories[part.node], part.parts / common});
  }
  return result;
}

void HopPlanner::cross_parts(const Path& path, std::int64_t parts, SharedPath& shared) const {
  const std::size_t before = shared.crossings.size();
  cross(path, shared.crossings);
  for (std::size_t i = before; i < shared.crossings.size(); ++i) {
    shared.crossings[i].coefficient *= parts;
  }
}

SharedPath HopPlanner::host_to_device(std::size_t gpu) const {
  SharedPath path;
  for (const auto& [memory, parts] : input_memories(gpu)) {
    const Path links = from_memory(memory, view_->gpu(gpu));
    cross_parts(links, parts, path);
    path.parts += parts;
    if (links.path_class >= PathClass::kSys) path.remote_parts += parts;
  }
  path.crossings = merged(std::move(path.crossings));
  return path;
}

SimTime HopPlanner::host_to_device_latency(std::size_t gpu) const {
  return from_memory(memory_near(gpu), view_->gpu(gpu)).latency(*topology_);
}

/// The vertex at which data from storage enters the host: its drive, or the NIC through which
/// storage is reached. Adds the crossings of the array and the NIC's port.
Vertex HopPlanner::storage_entry(std::vector<Crossing>& crossings) const {
  const topology::Host& host = topology_->hosts[view_->vm().host];
  if (!host.storage_nic) return *host.storage;
  const topology::HostNic& nic = host.nics[*host.storage_nic];
  cross(pcie_path(*host.storage, nic.vertex), crossings);
  crossings.push_back({ResourceId{nic.in}});
  if (const auto& function = view_->vm().storage.in) crossings.push_back({ResourceId{*function}});
  return nic.vertex;
}

std::optional<SharedPath> HopPlanner::storage_to_host(std::size_t gpu) const {
  if (!topology_->hosts[view_->vm().host].storage) return std::nullopt;
  SharedPath path;
  for (const auto& [memory, parts] : input_memories(gpu)) {
    const std::size_t before = path.crossings.size();
    const Vertex entry = storage_entry(path.crossings);
    for (std::size_t i = before; i < path.crossings.size(); ++i) {
      path.crossings[i].coefficient *= parts;
    }
    cross_parts(pcie_path(entry, memory), parts, path);
    cross_cores(view_->vm().storage, parts, path.crossings);
    path.parts += parts;
  }
  path.crossings = merged(std::move(path.crossings));
  return path;
}

std::optional<SharedPath> HopPlanner::storage_to_device(std::size_t gpu) const {
  if (!topology_->hosts[view_->vm().host].storage) return std::nullopt;
  SharedPath path{{}, 1, 0};
  const Vertex entry = storage_entry(path.crossings);
  cross(pcie_path(entry, view_->gpu(gpu)), path.crossings);
  return path;
}

std::vector<Crossing> HopPlanner::core_time() const {
  std::vector<Crossing> crossings;
  if (const auto& cores = topology_->hosts[view_->vm().host].cores) {
    crossings.push_back({ResourceId{*cores}});
  }
  if (view_->vm().vcpus) crossings.push_back({ResourceId{*view_->vm().vcpus}});
  if (view_->vm().node_cores) crossings.push_back({ResourceId{*view_->vm().node_cores}});
  return crossings;
}

}  // namespace vgsim::collectives
