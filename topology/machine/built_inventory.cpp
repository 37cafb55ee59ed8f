#include "topology/machine/built_inventory.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace vgsim::topology::inventory {
namespace {

constexpr const char* kBuilt = "catalogue";

template <class T>
Stated<T> stated(T value) {
  return {std::move(value), kBuilt};
}

DeviceKind kind_of_built(NodeKind kind) {
  switch (kind) {
    case NodeKind::kGpu:
      return DeviceKind::kGpu;
    case NodeKind::kNic:
      return DeviceKind::kNic;
    case NodeKind::kStorage:
      return DeviceKind::kStorage;
    default:
      return DeviceKind::kBridge;
  }
}

/// Walks from the sockets down over PCIe and on-die links and visits each device once, since a
/// device can be reached over several links. NVLinks are read at the GPUs.
class BuiltHost {
 public:
  BuiltHost(const Topology& topology, std::size_t host, const Catalog& catalog)
      : topology_(topology), host_(topology.hosts[host]), catalog_(catalog) {}

  Inventory inventory() {
    Inventory result;
    result.name = stated(host_.name);
    if (host_.packages > 0) result.packages = stated(static_cast<std::int64_t>(host_.packages));
    const std::size_t nodes = host_.sockets.size();
    for (std::size_t n = 0; n < nodes; ++n) {
      NumaNode& node = result.numa_nodes.emplace_back();
      node.id = stated(static_cast<std::int64_t>(n));
      if (host_.packages > 0) {
        node.package = stated(static_cast<std::int64_t>(n * host_.packages / nodes));
      }
      const auto cpu = catalog_.cpus.find(host_.cpu_model);
      if (cpu != catalog_.cpus.end()) node.cpu_name = stated(cpu->second.name);
      add_below(host_.sockets[n], node);
    }
    return result;
  }

 private:
  [[nodiscard]] std::string own_name(Vertex v) const {
    const std::string& name = topology_.node(v).name;
    return name.substr(name.find('/') + 1);
  }

  /// Links to children of a vertex that were not visited before.
  std::vector<Edge> links_below(Vertex v) {
    std::vector<Edge> below;
    for (const Edge& edge : topology_.edges_from(v)) {
      const LinkKind kind = topology_.link(edge).kind;
      const NodeKind node = topology_.node(edge.target).kind;
      const bool down =
          kind == LinkKind::kPcie || kind == LinkKind::kOnDie || kind == LinkKind::kStorage;
      if (!down || node == NodeKind::kSocket || !seen_.insert(edge.target).second) continue;
      below.push_back(edge);
    }
    return below;
  }

  void add_below(Vertex socket, NumaNode& node) {
    for (const Edge& edge : links_below(socket)) {
      if (topology_.node(edge.target).kind != NodeKind::kRootComplex) {
        const bool without_pcie = topology_.node(edge.target).kind == NodeKind::kNic;
        (without_pcie ? node.without_pcie : node.devices).push_back(device(edge));
        continue;
      }
      for (const Edge& below : links_below(edge.target)) {
        node.devices.push_back(device(below));
        node.devices.back().root_complex = stated(own_name(edge.target));
      }
    }
  }

  Device device(const Edge& edge) {
    const Vertex v = edge.target;
    const Node& node = topology_.node(v);
    Device device;
    device.kind = kind_of_built(node.kind);
    device.bus_id = bus_id(v);
    if (!node.model.empty()) device.model = stated(node.model);
    if (const auto& width = topology_.link(edge).pcie) device.link = stated(*width);
    if (device.kind == DeviceKind::kGpu) device.gpu = gpu(v);
    if (device.kind == DeviceKind::kNic) device.ports.push_back(port(v));
    for (const Edge& below : links_below(v)) device.below.push_back(this->device(below));
    return device;
  }

  [[nodiscard]] std::string bus_id(Vertex v) const {
    const Node& node = topology_.node(v);
    return placeholder_bus_id(kind_of_built(node.kind), static_cast<std::size_t>(node.index));
  }

  [[nodiscard]] Gpu gpu(Vertex v) const {
    const Node& node = topology_.node(v);
    Gpu gpu;
    gpu.index = stated(static_cast<std::int64_t>(node.index));
    const auto model = catalog_.gpus.find(node.model);
    if (model != catalog_.gpus.end()) gpu.memory = stated(model->second.memory.value);
    for (const Edge& edge : topology_.edges_from(v)) {
      const Link& link = topology_.link(edge);
      if (link.kind != LinkKind::kNvLink) continue;
      const bool is_switch = topology_.node(edge.target).kind == NodeKind::kNvSwitch;
      gpu.nvlinks.push_back({stated(is_switch ? std::string(kHiddenNvSwitch) : bus_id(edge.target)),
                             std::nullopt, stated(link.nvlinks), std::nullopt});
    }
    return gpu;
  }

  [[nodiscard]] Port port(Vertex v) const {
    Port port;
    port.name = stated(own_name(v));
    const auto nic =
        std::ranges::find_if(host_.nics, [v](const HostNic& each) { return each.vertex == v; });
    if (nic != host_.nics.end()) port.rate = stated(nic->port_rate);
    return port;
  }

  const Topology& topology_;
  const Host& host_;
  const Catalog& catalog_;
  std::set<Vertex> seen_;
};

}  // namespace

Inventory built_inventory(const Topology& topology, std::size_t host, const Catalog& catalog) {
  return BuiltHost(topology, host, catalog).inventory();
}

}  // namespace vgsim::topology::inventory
