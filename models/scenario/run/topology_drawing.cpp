#include "models/scenario/run/topology_drawing.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "models/scenario/run/run.hpp"

namespace vgsim::scenario {
namespace {

using collectives::PlacedNetwork;
using topology::LinkResourceIndex;
using topology::NodeKind;

struct Load {
  double bytes = 0;
  double utilization = 0;
  std::optional<ResourceId> busiest;  ///< resource of that utilization

  void meet(const Load& other) {
    bytes = std::max(bytes, other.bytes);
    if (other.utilization <= utilization) return;
    utilization = other.utilization;
    busiest = other.busiest;
  }
};

Load load_of(const PlacedNetwork& network, ResourceId id, const Ratio& carried, SimTime span) {
  return {to_double(carried), utilization_of(network, id, carried, span), id};
}

const char* words(NodeKind kind) {
  switch (kind) {
    case NodeKind::kSocket:
      return "socket";
    case NodeKind::kMemory:
      return "memory";
    case NodeKind::kRootComplex:
      return "root complex";
    case NodeKind::kPcieSwitch:
      return "PCIe switch";
    case NodeKind::kGpu:
      return "GPU";
    case NodeKind::kNvSwitch:
      return "NVSwitch";
    case NodeKind::kNic:
      return "NIC";
    case NodeKind::kStorage:
      return "storage";
  }
  return "";
}

class Drawing {
 public:
  Drawing(const Cluster& cluster, const PlacedNetwork& network, const std::vector<Ratio>& carried,
          SimTime span)
      : cluster_(cluster) {
    for (std::uint32_t i = 0; i < carried.size(); ++i) {
      const ResourceId id{i};
      const auto& link = network.link(id);
      const Load load = load_of(network, id, carried[i], span);
      if (link.built) {
        loads_[*link.built].meet(load);
      } else if (load.bytes > 0) {
        add_fabric_link(link, load);
      }
    }
  }

  /// Adds load curves; call after draw() and before the picture is taken.
  void add_curves(const PlacedNetwork& network, const RanIteration& ran) {
    std::vector<ResourceId> wanted;
    for (const auto& [link, resource] : busiest_) wanted.push_back(resource);
    const auto curves = carried_over_time(ran, network.network(), wanted);
    const double seconds = to_seconds(ran.end - ran.begin) / static_cast<double>(kLoadStretches);
    for (std::size_t n = 0; n < busiest_.size(); ++n) {
      const auto& [host, link] = busiest_[n].first;
      const double most = to_double(network.network().resources.capacity(wanted[n])) * seconds;
      std::vector<double>& over_time = picture_.hosts[host].links[link].over_time;
      for (const double amount : curves[n]) over_time.push_back(std::min(amount / most, 1.0));
    }
  }

  TopologyPicture take() { return std::move(picture_); }

  void draw() {
    for (std::size_t kind = 0; kind < cluster_.topology.hosts.size(); ++kind) add_host(kind);
    const auto& plan = cluster_.fabric.plan();
    picture_.leaves = plan.leaves;
    picture_.spines = plan.spines;
    picture_.fabric = cluster_.hosts.size() < 2 ? "none"
                      : plan.rails              ? "rails"
                      : plan.leaves > 1         ? "leaf-spine"
                                                : "single-switch";
  }

 private:
  void add_fabric_link(const collectives::PlacedLink& link, const Load& load) {
    auto& known = picture_.fabric_links;
    const auto same = std::find_if(known.begin(), known.end(), [&](const DrawnFabricLinks& each) {
      return each.bytes == load.bytes && each.utilization == load.utilization;
    });
    if (same != known.end()) {
      same->count += link.copies;
      return;
    }
    known.push_back({cluster_.fabric.name(link.fabric), link.copies,
                     static_cast<double>(cluster_.fabric.rate(link.fabric).count()), load.bytes,
                     load.utilization});
  }

  void add_host(std::size_t kind) {
    const topology::Host& built = cluster_.topology.hosts[kind];
    DrawnHost host;
    host.count = 0;
    for (std::size_t h = 0; h < cluster_.hosts.size(); ++h) {
      if (cluster_.hosts[h].kind != kind) continue;
      if (host.count++ > 0) continue;
      host.name = cluster_.hosts[h].name;
      for (std::size_t m = 0; m < cluster_.machines.size(); ++m) {
        const Machine& machine = cluster_.machines[m];
        if (machine.host != h || machine.name == host.name) continue;
        host.machines.push_back(machine.name);
        add_vgpus(m, host);
        add_holding(m, built, host);
      }
    }
    std::map<topology::Vertex, std::size_t> place;
    for (topology::Vertex v = 0; v < cluster_.topology.nodes().size(); ++v) {
      const topology::Node& node = cluster_.topology.node(v);
      if (node.host != static_cast<std::int32_t>(kind)) continue;
      place[v] = host.nodes.size();
      host.nodes.push_back(
          {node.name.substr(node.name.find('/') + 1), words(node.kind), node.model, node.parts});
    }
    add_links(place, host);
    for (const topology::HostNic& nic : built.nics) add_port(nic, place.at(nic.vertex), host);
    picture_.hosts.push_back(std::move(host));
  }

  void add_holding(std::size_t m, const topology::Host& built, DrawnHost& host) const {
    const vsphere::VirtualMachine& vm = cluster_.kinds[cluster_.machines[m].kind];
    DrawnHolding holding{cluster_.machines[m].name, {}};
    const auto add = [&](topology::Vertex vertex) {
      const std::string& name = cluster_.topology.node(vertex).name;
      holding.devices.push_back(name.substr(name.find('/') + 1));
    };
    for (const std::size_t gpu : vm.gpus) add(built.gpus[gpu]);
    for (const vsphere::VmNic& nic : vm.nics) add(built.nics[nic.host_nic].vertex);
    host.holdings.push_back(std::move(holding));
  }

  void add_vgpus(std::size_t m, DrawnHost& host) const {
    const vsphere::VirtualMachine& vm = cluster_.kinds[cluster_.machines[m].kind];
    for (std::size_t g = 0; g < vm.profiles.size(); ++g) {
      if (vm.profiles[g] == nullptr) continue;
      const std::string gpu = cluster_.gpu_name(m, g);
      host.vgpus.push_back(
          {gpu.substr(gpu.find('/') + 1), cluster_.machines[m].name, vm.profiles[g]->name});
    }
  }

  void add_links(const std::map<topology::Vertex, std::size_t>& place, DrawnHost& host) {
    const topology::Topology& topology = cluster_.topology;
    for (const auto& [vertex, index] : place) {
      for (const topology::Edge& edge : topology.edges_from(vertex)) {
        const auto other = place.find(edge.target);
        if (other == place.end() || other->second < index) continue;
        const auto back = topology.edge(other->first, vertex);
        const topology::Link& link = topology.link(edge);
        Load load = load_over(link);
        if (back) load.meet(load_over(topology.link(*back)));
        note_busiest(load, host);
        host.links.push_back({index,
                              other->second,
                              topology::to_string(link.kind),
                              link.resource ? rate_of(*link.resource) : 0.0,
                              load.bytes,
                              load.utilization,
                              {}});
      }
    }
  }

  void add_port(const topology::HostNic& nic, std::size_t place, DrawnHost& host) {
    Load load = load_of_resource(nic.out);
    load.meet(load_of_resource(nic.in));
    note_busiest(load, host);
    host.links.push_back({place,
                          place,
                          topology::to_string(topology::LinkKind::kNicPort),
                          rate_of(nic.out),
                          load.bytes,
                          load.utilization,
                          {}});
  }

  /// The resource of the next link of the current host.
  void note_busiest(const Load& load, const DrawnHost& host) {
    if (load.busiest) {
      busiest_.push_back({{picture_.hosts.size(), host.links.size()}, *load.busiest});
    }
  }

  [[nodiscard]] double rate_of(LinkResourceIndex resource) const {
    return static_cast<double>(cluster_.topology.resources[resource].line_rate.count());
  }

  [[nodiscard]] Load load_of_resource(LinkResourceIndex resource) const {
    const auto found = loads_.find(resource);
    return found == loads_.end() ? Load{} : found->second;
  }

  [[nodiscard]] Load load_over(const topology::Link& link) const {
    Load load;
    if (link.resource) load.meet(load_of_resource(*link.resource));
    if (link.root) {
      for (const LinkResourceIndex each : link.root->resources()) {
        Load use = load_of_resource(each);
        use.bytes = 0;
        load.meet(use);
      }
    }
    return load;
  }

  const Cluster& cluster_;
  std::map<LinkResourceIndex, Load> loads_;
  /// Hosts of the picture, their links, and the resources of those.
  std::vector<std::pair<std::pair<std::size_t, std::size_t>, ResourceId>> busiest_;
  TopologyPicture picture_;
};

}  // namespace

TopologyPicture draw_topology(const Placement& placement, const PlacedNetwork& network,
                              const std::vector<Ratio>& carried, SimTime span,
                              const RanIteration* ran) {
  Drawing drawing(*placement.cluster, network, carried, span);
  drawing.draw();
  if (ran != nullptr && ran->end > ran->begin) drawing.add_curves(network, *ran);
  return drawing.take();
}

}  // namespace vgsim::scenario
