#include "topology/device_builder.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <utility>

#include "topology/look_up.hpp"

namespace vgsim::topology {

HostNic host_nic(const NicModel& model, std::string name) {
  return {Vertex{},
          std::move(name),
          model.port_rate.value,
          model.payload_share.value,
          model.latency.value,
          model.rdma,
          model.net,
          model.gdr,
          model.dpu,
          model.port_rate.source,
          0,
          0,
          model.nccl_protocols,
          model.nccl_algorithms,
          model.plugin_since};
}

PcieWidth PcieWidth::meet(PcieWidth other) const {
  return {std::min(generation, other.generation), std::min(lanes, other.lanes)};
}

DeviceBuilder::DeviceBuilder(Topology& topology, const Catalog& catalog, std::string host_name)
    : topology_(&topology), catalog_(&catalog), host_(topology.hosts.size()) {
  topology.hosts.emplace_back();
  topology.hosts.back().name = std::move(host_name);
}

Vertex DeviceBuilder::add(const std::string& name, NodeKind kind, std::size_t index,
                          std::string model, std::int64_t parts) {
  return topology_->add_node({fmt::format("{}/{}", host().name, name), kind,
                              static_cast<std::int32_t>(host_), static_cast<std::int32_t>(index),
                              std::move(model), parts});
}

void DeviceBuilder::connect_pcie(Vertex parent, Vertex device, PcieWidth width,
                                 const std::string& source) {
  const PcieGeneration& pcie = catalog_->pcie.at(width.generation);
  topology_->connect(device, parent, LinkKind::kPcie, pcie.lane_rate.value * width.lanes,
                     pcie.payload_share.value, pcie.hop_latency.value,
                     fmt::format("PCIe {}.0 x{}: {}", width.generation, width.lanes, source));
  std::optional<RootPort> root;
  const NodeKind above = topology_->node(parent).kind;
  if (above == NodeKind::kRootComplex || above == NodeKind::kSocket) {
    const auto through_root = [&](const char* what, const Sourced<double>& share) {
      return topology_->add_resource({fmt::format("{} {}", topology_->node(device).name, what),
                                      LinkKind::kRootPort, pcie.lane_rate.value * width.lanes,
                                      share.value, share.source, 2});
    };
    root = RootPort{};
    root->staging = through_root("<-> host memory", pcie.staging_share);
    const auto cpu = catalog_->cpus.find(host().cpu_model);
    if (cpu != catalog_->cpus.end() && cpu->second.translated_staging_share) {
      root->translated_staging =
          through_root("<-> host memory by the IOMMU", *cpu->second.translated_staging_share);
    }
    root->forwarding = through_root("<-> peers through the root complex", pcie.forward_share);
    root->exchange = through_root("<-> many peers through the root complex", pcie.exchange_share);
    root->translation = through_root("<-> peers through the IOMMU", pcie.translation_share);
  }
  topology_->set_pcie(device, parent, width, root);
}

Vertex DeviceBuilder::add_socket(const CpuModel& cpu, std::int64_t nodes_per_socket) {
  const std::size_t index = host().sockets.size();
  const char* word = nodes_per_socket > 1 ? "numa" : "socket";
  const Vertex socket = add(fmt::format("{}{}", word, index), NodeKind::kSocket, index, cpu.id);
  const Vertex memory = add(fmt::format("memory{}", index), NodeKind::kMemory, index);
  const BytesPerSecond rate{cpu.memory_bandwidth.value.count() / nodes_per_socket};
  topology_->connect_half_duplex(socket, memory, LinkKind::kMemoryBus, rate, cpu.memory_share.value,
                                 SimTime{0}, cpu.memory_bandwidth.source);
  host().sockets.push_back(socket);
  host().memories.push_back(memory);
  host().cpu_model = cpu.id;
  host().coherent_gpus = cpu.vendor == "nvidia";
  return socket;
}

void DeviceBuilder::join_sockets(const CpuModel& cpu, std::int64_t nodes_per_socket) {
  const std::vector<Vertex>& nodes = host().sockets;
  const auto per_socket = static_cast<std::size_t>(nodes_per_socket);
  host().packages = nodes.size() / per_socket;
  const BytesPerSecond rate = cpu.socket_link_bandwidth.value * cpu.socket_links;
  std::map<std::pair<std::size_t, std::size_t>, LinkResourceIndex> shared;
  const auto resource = [&](std::size_t from, std::size_t to) {
    const auto [it, is_new] = shared.try_emplace({from, to});
    if (is_new) {
      it->second =
          topology_->add_resource({fmt::format("{}/socket{} -> socket{}", host().name, from, to),
                                   LinkKind::kSocketLink, rate, cpu.socket_link_share.value,
                                   fmt::format("{} x {}: {}", cpu.socket_links, cpu.socket_link,
                                               cpu.socket_link_bandwidth.source)});
    }
    return it->second;
  };
  for (std::size_t a = 0; a < nodes.size(); ++a) {
    for (std::size_t b = a + 1; b < nodes.size(); ++b) {
      const std::size_t from = a / per_socket;
      const std::size_t to = b / per_socket;
      if (from == to) {
        join_nodes(nodes[a], nodes[b], cpu);
      } else {
        const LinkResourceIndex forth = resource(from, to);
        const LinkResourceIndex back = resource(to, from);
        topology_->connect_through(nodes[a], nodes[b], LinkKind::kSocketLink, SimTime{0}, forth,
                                   back);
      }
    }
  }
}

void DeviceBuilder::join_nodes(Vertex a, Vertex b, const CpuModel& cpu) {
  if (const auto& link = cpu.node_link_bandwidth) {
    topology_->connect(a, b, LinkKind::kSocketLink, link->value, cpu.socket_link_share.value,
                       SimTime{0}, link->source);
  } else {
    topology_->connect_unlimited(a, b, LinkKind::kSocketLink, SimTime{0});
  }
}

Vertex DeviceBuilder::add_root_complex(Vertex socket, const std::string& name) {
  const Vertex complex = add(name, NodeKind::kRootComplex, root_complexes_++);
  topology_->connect_unlimited(complex, socket, LinkKind::kOnDie, SimTime{0});
  return complex;
}

Vertex DeviceBuilder::add_pcie_switch(Vertex parent, const std::string& name, PcieWidth uplink,
                                      const std::string& source) {
  const Vertex pcie_switch = add(name, NodeKind::kPcieSwitch, switches_++);
  connect_pcie(parent, pcie_switch, uplink, source);
  return pcie_switch;
}

Vertex DeviceBuilder::add_gpu(Vertex parent, const GpuModel* model, PcieWidth slot,
                              const std::string& source) {
  const std::size_t index = host().gpus.size();
  const Vertex gpu = add(fmt::format("gpu{}", index), NodeKind::kGpu, index,
                         model != nullptr ? model->id : std::string());
  const PcieWidth width =
      model != nullptr ? slot.meet({model->pcie_generation, model->pcie_lanes}) : slot;
  connect_pcie(parent, gpu, width, source);
  host().gpus.push_back(gpu);
  return gpu;
}

Vertex DeviceBuilder::register_nic(HostNic nic, const std::string& model) {
  nic.vertex = add(nic.name, NodeKind::kNic, host().nics.size(), model);
  host().nics.push_back(nic);
  return nic.vertex;
}

Vertex DeviceBuilder::add_nic(Vertex parent, HostNic nic, const std::string& model, PcieWidth slot,
                              const std::string& source) {
  const Vertex vertex = register_nic(std::move(nic), model);
  connect_pcie(parent, vertex, slot, source);
  return vertex;
}

Vertex DeviceBuilder::add_port(Vertex card, HostNic nic, const std::string& model) {
  const Vertex vertex = register_nic(std::move(nic), model);
  for (const Edge& up : topology_->edges_from(card)) {
    const Link out = topology_->link(up);
    if (out.kind != LinkKind::kPcie) continue;
    const Link in = topology_->link(*topology_->edge(up.target, card));
    topology_->connect_through(vertex, up.target, LinkKind::kPcie, out.latency, *out.resource,
                               *in.resource);
    topology_->set_pcie(vertex, up.target, *out.pcie, out.root);
    break;
  }
  return vertex;
}

bool DeviceBuilder::is_free_name(const input::Named<NicSpec>& nic,
                                 input::Diagnostics& diagnostics) {
  const auto& nics = host().nics;
  const auto same = std::ranges::find(nics, nic.name, &HostNic::name);
  if (same == nics.end()) return true;
  const std::string other = "a different name, for another NIC";
  input::report(diagnostics, nic.origin,
                fmt::format("{} has a NIC \"{}\" already", host().name, nic.name),
                same->bus_id.empty()
                    ? other
                    : fmt::format(R"("devices": {{"{}": {{"nic": "{}"}}}} of this host, to set )"
                                  "its model, or {}",
                                  same->bus_id, *nic->nic, other));
  return false;
}

Vertex DeviceBuilder::add_nic_without_pcie(Vertex socket, HostNic nic) {
  const Vertex vertex = register_nic(std::move(nic), {});
  topology_->connect_unlimited(vertex, socket, LinkKind::kPcie, SimTime{0});
  return vertex;
}

void DeviceBuilder::add_storage(const StorageSpec& storage, Vertex parent,
                                input::Diagnostics& diagnostics) {
  if (storage.over) {
    std::map<std::string, std::size_t> nics;
    for (std::size_t n = 0; n < host().nics.size(); ++n) nics.emplace(host().nics[n].name, n);
    const auto* nic = look_up(nics, *storage.over, "NIC", diagnostics);
    if (nic == nullptr) return;
    host().storage_nic = *nic;
    parent = host().nics[*nic].vertex;
  }
  host().storage = add("storage", NodeKind::kStorage, 0);
  topology_->connect(*host().storage, parent, LinkKind::kStorage, storage.read, 1.0, SimTime{0},
                     "scenario");
}

void DeviceBuilder::join_nvlink(Vertex gpu_a, Vertex gpu_b, const NvLinkGeneration& generation,
                                std::int64_t links, const GpuModel* model) {
  const auto& own = model != nullptr ? model->nvlink_link_bandwidth : std::nullopt;
  const Sourced<BytesPerSecond>& rate = own ? *own : generation.link_bandwidth;
  topology_->connect(gpu_a, gpu_b, LinkKind::kNvLink, rate.value * links,
                     generation.payload_share.value, generation.hop_latency.value,
                     fmt::format("{} NVLinks: {}", links, rate.source));
  topology_->set_nvlinks(gpu_a, gpu_b, links);
}

void DeviceBuilder::join_nvswitch(const NvSwitchModel& nvswitch, std::int64_t count,
                                  const std::map<Vertex, std::int64_t>& links,
                                  const NvLinkGeneration& generation) {
  const Vertex hub = add("nvswitch", NodeKind::kNvSwitch, 0, nvswitch.id, count);
  for (const auto& [gpu, each] : links) {
    topology_->connect(gpu, hub, LinkKind::kNvLink, generation.link_bandwidth.value * each,
                       generation.payload_share.value, generation.hop_latency.value,
                       fmt::format("{} NVLinks: {}", each, generation.link_bandwidth.source));
    topology_->set_nvlinks(gpu, hub, each);
  }
}

void DeviceBuilder::assume(std::string what) { host().assumptions.push_back(std::move(what)); }

}  // namespace vgsim::topology
