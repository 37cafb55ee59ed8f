#include "models/scenario/neighbours.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "models/vsphere/cpu_budget.hpp"
#include "topology/host_input.hpp"
#include "topology/input/name_ranges.hpp"
#include "topology/input/suggest.hpp"
#include "topology/input/typed.hpp"
#include "topology/paths.hpp"

namespace vgsim::scenario {
namespace {

using namespace input;
using topology::LinkResourceIndex;
using topology::Topology;
using topology::Vertex;

constexpr const char* kNetwork = "network";

/// What the neighbours of one kind of host take, by resource.
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
  Seats(Cluster& cluster, Diagnostics& diagnostics)
      : cluster_(cluster), diagnostics_(diagnostics), demand_(cluster.topology.hosts.size()) {}

  void add(const Value& neighbour, std::size_t kind) {
    if (const auto path = find(neighbour, "path")) {
      const auto rate = find(neighbour, "rate");
      if (!rate) {
        topology::report(diagnostics_, neighbour, "traffic of a neighbour has no rate",
                         "\"rate\": \"10 Gbit/s\"");
        return;
      }
      const auto& stops = path->elements();
      for (std::size_t i = 0; i + 1 < stops.size(); ++i) {
        take(kind, stops[i], stops[i + 1], Ratio(as_rate(*rate).count()));
      }
    }
    if (const auto cores = find(neighbour, "cores")) {
      const auto& host = cluster_.topology.hosts[kind];
      if (host.cores) {
        demand_[kind][*host.cores] +=
            exact_share(cores->number()) * vsphere::kCorePicosecondsPerSecond;
      }
    }
  }

  void seat() {
    for (const Demand& demand : demand_) {
      for (const auto& [resource, rate] : demand) {
        Ratio& capacity = cluster_.capacity[resource];
        const Ratio half = capacity / 2;
        const bool clipped = rate > half;
        cluster_.assumptions.push_back(fmt::format(
            "neighbours take {:.1f} % of {}{}",
            to_double((clipped ? half : rate) / capacity) * 100.0,
            cluster_.topology.resources[resource].name,
            clipped ? ", though they ask for more: a link is shared fairly with them" : ""));
        capacity = clipped ? half : Ratio(capacity - rate);
      }
    }
  }

 private:
  void take(std::size_t kind, const Value& from, const Value& to, const Ratio& rate) {
    const Topology& topology = cluster_.topology;
    const topology::Host& host = topology.hosts[kind];
    if (as_string(from) == kNetwork || as_string(to) == kNetwork) {
      const bool leaves = as_string(to) == kNetwork;
      const Value& end = leaves ? from : to;
      const topology::HostNic* nic = nic_called(host, as_string(end));
      if (nic == nullptr) {
        unknown(end, host, "only NICs are joined to the network");
        return;
      }
      demand_[kind][leaves ? nic->out : nic->in] += rate;
      return;
    }
    const auto begin = device_called(topology, host, as_string(from));
    const auto end = device_called(topology, host, as_string(to));
    if (!begin) unknown(from, host, "no such device");
    if (!end) unknown(to, host, "no such device");
    if (!begin || !end) return;
    const topology::HostPaths paths(topology, *begin, topology::Travel::kPcieOnly);
    for (const topology::Edge& edge : paths.to(*end).links) {
      if (const auto& resource = topology.link(edge).resource) demand_[kind][*resource] += rate;
    }
  }

  void unknown(const Value& name, const topology::Host& host, const std::string& why) {
    const std::vector<std::string> names = device_names(cluster_.topology, host);
    topology::report(diagnostics_, name,
                     fmt::format("\"{}\" in {}: {}", as_string(name), host.name, why),
                     "devices of the host, such as \"memory0\", \"gpu1\", \"storage\", a NIC, and "
                     "\"network\" beside a NIC",
                     suggest(as_string(name), names));
  }

  Cluster& cluster_;
  Diagnostics& diagnostics_;
  std::vector<Demand> demand_;  ///< by kind of host
};

}  // namespace

Shape neighbours_shape() {
  return array_shape(
      object_shape({
          field("host", name_shape())
              .required()
              .describe("host that they run on; a name or a pattern")
              .examples({"esx01", "esx*"}),
          field("path", array_shape(name_shape(), 2, 8))
              .describe("what their data crosses, device by device: memoryN, gpuN, storage, a NIC, "
                        "and \"network\" beside a NIC")
              .examples({"[\"storage\", \"memory0\"]", "[\"memory1\", \"vmnic0\", \"network\"]"}),
          field("rate", rate_shape(BytesPerSecond{1}))
              .describe("how much data, on all of the path")
              .examples({"20 Gbit/s"}),
          field("cores", number_shape(0.0, 1024.0))
              .describe("cores of the host that they keep busy"),
      }),
      1, 1000);
}

std::string neighbours_of(const LayoutInput& layout, const std::string& host) {
  std::string result;
  const auto list = find(layout.value, "neighbours");
  for (std::size_t i = 0; list && i < list->elements().size(); ++i) {
    const std::string pattern = as_string(*find(list->elements()[i], "host"));
    if (matches_pattern(host, pattern)) result += fmt::format("\nneighbour {}", i);
  }
  return result;
}

void seat_neighbours(const LayoutInput& layout, Cluster& cluster, Diagnostics& diagnostics) {
  const auto list = find(layout.value, "neighbours");
  if (!list) return;
  Seats seats(cluster, diagnostics);
  for (const Value& neighbour : list->elements()) {
    const Value pattern = *find(neighbour, "host");
    std::vector<bool> seated(cluster.topology.hosts.size(), false);
    for (const ClusterHost& host : cluster.hosts) {
      if (seated[host.kind] || !matches_pattern(host.name, as_string(pattern))) continue;
      seated[host.kind] = true;
      seats.add(neighbour, host.kind);
    }
    if (std::find(seated.begin(), seated.end(), true) != seated.end()) continue;
    std::vector<std::string> names;
    for (const ClusterHost& host : cluster.hosts) names.push_back(host.name);
    topology::report(diagnostics, pattern,
                     fmt::format("no host is called \"{}\"", as_string(pattern)),
                     "a host, or a pattern such as \"esx*\"", suggest(as_string(pattern), names));
  }
  seats.seat();
}

}  // namespace vgsim::scenario
