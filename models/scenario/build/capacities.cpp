#include "models/scenario/build/capacities.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "models/scenario/build/cluster.hpp"
#include "models/scenario/read/library.hpp"
#include "models/vsphere/cpu_budget.hpp"
#include "topology/graph/paths.hpp"
#include "topology/input/name_ranges.hpp"
#include "topology/input/suggest.hpp"
#include "topology/look_up.hpp"

namespace vgsim::scenario {
namespace {

using input::At;
using input::Diagnostics;
using topology::LinkResourceIndex;
using topology::Topology;
using topology::Vertex;

constexpr const char* kNetwork = "network";

/// NIC ports that carry only TCP: those of cards without RDMA, and those used by VMs only through
/// vmxnet3.
std::set<LinkResourceIndex> tcp_ports(const Cluster& cluster) {
  const auto& hosts = cluster.topology.hosts;
  std::set<LinkResourceIndex> ports;
  for (std::size_t h = 0; h < hosts.size(); ++h) {
    for (std::size_t n = 0; n < hosts[h].nics.size(); ++n) {
      bool emulated = false;
      bool direct = false;
      for (const vsphere::VirtualMachine& vm : cluster.kinds) {
        for (const vsphere::VmNic& nic : vm.nics) {
          if (vm.host != h || nic.host_nic != n) continue;
          (nic.is_adapter() ? emulated : direct) = true;
        }
      }
      const topology::HostNic& card = hosts[h].nics[n];
      const bool socket = card.net == topology::NetKind::kSocket;
      if (socket || (emulated && !direct)) ports.insert({card.out, card.in});
    }
  }
  return ports;
}

/// The parameter with the rate factor of a kind of links, relative to the catalogue; null for kinds
/// that are not wires.
const char* rate_factor(topology::LinkKind kind, bool tcp) {
  switch (kind) {
    case topology::LinkKind::kNvLink:
      return "nvlink_rate_factor";
    case topology::LinkKind::kPcie:
    case topology::LinkKind::kRootPort:
      return "pcie_rate_factor";
    case topology::LinkKind::kSocketLink:
      return "socket_link_rate_factor";
    case topology::LinkKind::kMemoryBus:
      return "memory_rate_factor";
    case topology::LinkKind::kNicPort:
      return tcp ? "tcp_port_rate_factor" : "nic_rate_factor";
    default:
      return nullptr;
  }
}

/// The rate is at most the line rate.
std::vector<Ratio> without_neighbours(const Cluster& cluster, const Library& library) {
  const Topology& topology = cluster.topology;
  const std::set<LinkResourceIndex> tcp = tcp_ports(cluster);
  std::vector<Ratio> result;
  for (LinkResourceIndex r = 0; r < topology.resources.size(); ++r) {
    const topology::LinkResource& resource = topology.resources[r];
    const Ratio rate(resource.line_rate.count());
    if (cluster.idealised.line_rate) {
      result.push_back(rate * resource.directions);
      continue;
    }
    const char* name = rate_factor(resource.kind, tcp.contains(r));
    const double factor = name == nullptr ? 1.0 : library.parameters.number(name);
    result.push_back(rate * exact_share(resource.payload_share));
    if (factor == 1.0) continue;
    result.back() *= exact_share(factor);
    const bool wire = resource.kind != topology::LinkKind::kRootPort;
    if (wire && result.back() > rate) result.back() = rate;
  }
  return result;
}

/// Load of the neighbours of one kind of host, by resource.
using Demand = std::map<LinkResourceIndex, Ratio>;

const topology::HostNic* nic_called(const topology::Host& host, const std::string& name) {
  const auto found = std::find_if(host.nics.begin(), host.nics.end(),
                                  [&](const auto& nic) { return nic.name == name; });
  return found == host.nics.end() ? nullptr : &*found;
}

std::optional<Vertex> device_called(const Topology& topology, const topology::Host& host,
                                    const std::string& name) {
  const auto& nodes = topology.nodes();
  const auto found = std::find_if(nodes.begin(), nodes.end(), [&](const topology::Node& node) {
    return node.name == host.name + "/" + name;
  });
  if (found == nodes.end()) return std::nullopt;
  return static_cast<Vertex>(found - nodes.begin());
}

std::vector<std::string> device_names(const Topology& topology, const topology::Host& host) {
  std::vector<std::string> names{kNetwork};
  for (const topology::Node& node : topology.nodes()) {
    if (!node.name.starts_with(host.name + "/")) continue;
    names.push_back(node.name.substr(host.name.size() + 1));
  }
  return names;
}

class Seats {
 public:
  Seats(const Cluster& cluster, const Library& library, Diagnostics& diagnostics)
      : cluster_(cluster),
        library_(library),
        diagnostics_(diagnostics),
        demand_(cluster.topology.hosts.size()) {}

  void add(const NeighbourSpec& neighbour, std::size_t kind) {
    if (neighbour.path) {
      const auto& stops = *neighbour.path;
      for (std::size_t i = 0; i + 1 < stops.size(); ++i) {
        take(kind, stops[i], stops[i + 1], Ratio(neighbour.rate->count()));
      }
    }
    const auto& host = cluster_.topology.hosts[kind];
    const double cores = cluster_.idealised.zero_overhead
                             ? neighbour.cores.value_or(0.0)
                             : cores_of(neighbour, cluster_.inventory[kind].settings.dpu_offload,
                                        library_.parameters);
    if (cores > 0 && host.cores) {
      demand_[kind][*host.cores] += exact_share(cores) * vsphere::kCorePicosecondsPerSecond;
    }
  }

  void take_off(Capacities& capacities) const {
    for (const Demand& demand : demand_) {
      for (const auto& [resource, rate] : demand) {
        Ratio& capacity = capacities.of_link[resource];
        const Ratio half = capacity / 2;
        const bool clipped = rate > half;
        capacities.assumptions.push_back(
            fmt::format("neighbours use {:.1f} % of {}{}",
                        to_double((clipped ? half : rate) / capacity) * 100.0,
                        cluster_.topology.resources[resource].name,
                        clipped ? " (limited to half: links are shared fairly)" : ""));
        capacity = clipped ? half : Ratio(capacity - rate);
      }
    }
  }

 private:
  void take(std::size_t kind, const At<std::string>& from, const At<std::string>& to,
            const Ratio& rate) {
    const Topology& topology = cluster_.topology;
    const topology::Host& host = topology.hosts[kind];
    if (*from == kNetwork || *to == kNetwork) {
      const bool leaves = *to == kNetwork;
      const At<std::string>& end = leaves ? from : to;
      const topology::HostNic* nic = nic_called(host, *end);
      if (nic == nullptr) {
        unknown(end, host, "only NICs are connected to the network");
        return;
      }
      demand_[kind][leaves ? nic->out : nic->in] += rate;
      return;
    }
    const auto begin = device_called(topology, host, *from);
    const auto end = device_called(topology, host, *to);
    if (!begin) unknown(from, host, "no such device");
    if (!end) unknown(to, host, "no such device");
    if (!begin || !end) return;
    const topology::HostPaths paths(topology, *begin, topology::Travel::kPcieOnly);
    for (const topology::Edge& edge : paths.to(*end).links) {
      if (const auto& resource = topology.link(edge).resource) demand_[kind][*resource] += rate;
    }
  }

  void unknown(const At<std::string>& name, const topology::Host& host, const std::string& why) {
    const std::vector<std::string> names = device_names(cluster_.topology, host);
    topology::report(diagnostics_, name, fmt::format("\"{}\" in {}: {}", *name, host.name, why),
                     "devices of the host, such as \"memory0\", \"gpu1\", \"storage\", a NIC, and "
                     "\"network\" at the other end of a NIC",
                     input::suggest(*name, names));
  }

  const Cluster& cluster_;
  const Library& library_;
  Diagnostics& diagnostics_;
  std::vector<Demand> demand_;  ///< by kind of host
};

}  // namespace

double cores_of(const NeighbourSpec& neighbour, bool dpu_offload,
                const calibration::Parameters& parameters) {
  if (neighbour.cores) return *neighbour.cores;
  if (!neighbour.path) return 0.0;
  const auto& stops = *neighbour.path;
  const bool on_network =
      std::any_of(stops.begin(), stops.end(), [](const auto& stop) { return *stop == kNetwork; });
  if (!on_network) return 0.0;
  double per_gbit = parameters.number("tcp_cores_per_gbit");
  if (!dpu_offload) per_gbit += parameters.number("virtual_switch_cores_per_gbit");
  return per_gbit * static_cast<double>(neighbour.rate->count()) * 8 / 1e9;
}

std::string neighbours_of(const Layout& layout, const std::string& host) {
  std::string result;
  for (std::size_t i = 0; i < layout.neighbours.size(); ++i) {
    if (input::matches_pattern(host, *layout.neighbours[i]->host)) {
      result += fmt::format("\nneighbour {}", i);
    }
  }
  return result;
}

Capacities capacities_of(const Cluster& cluster, const Layout& layout, const Library& library,
                         Diagnostics& diagnostics) {
  Capacities result{without_neighbours(cluster, library), {}};
  Seats seats(cluster, library, diagnostics);
  for (const At<NeighbourSpec>& neighbour : layout.neighbours) {
    const At<std::string>& pattern = neighbour->host;
    std::vector<bool> seated(cluster.topology.hosts.size(), false);
    for (const ClusterHost& host : cluster.hosts) {
      if (seated[host.kind] || !input::matches_pattern(host.name, *pattern)) continue;
      seated[host.kind] = true;
      seats.add(*neighbour, host.kind);
    }
    if (std::find(seated.begin(), seated.end(), true) != seated.end()) continue;
    std::vector<std::string> names;
    for (const ClusterHost& host : cluster.hosts) names.push_back(host.name);
    topology::report(diagnostics, pattern, fmt::format("unknown host \"{}\"", *pattern),
                     "a host, or a pattern such as \"esx*\"", input::suggest(*pattern, names));
  }
  seats.take_off(result);
  return result;
}

}  // namespace vgsim::scenario
