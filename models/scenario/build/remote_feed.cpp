#include "models/scenario/build/remote_feed.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string>

#include "topology/graph/paths.hpp"
#include "topology/input/suggest.hpp"
#include "topology/look_up.hpp"

namespace vgsim::scenario {
namespace {

using topology::Host;
using topology::HostPaths;
using topology::Travel;
using topology::Vertex;

void cross(const topology::Topology& topology, Vertex from, Vertex to,
           std::vector<Crossing>& crossings) {
  for (const topology::Edge& edge : HostPaths(topology, from, Travel::kPcieOnly).to(to).links) {
    const auto& resource = topology.link(edge).resource;
    if (resource) crossings.push_back({ResourceId{*resource}});
  }
}

Vertex memory_near(const topology::Topology& topology, const Host& host, Vertex device) {
  const HostPaths paths(topology, device, Travel::kPcieOnly);
  return *std::min_element(host.memories.begin(), host.memories.end(), [&](Vertex a, Vertex b) {
    return paths.class_to(a) < paths.class_to(b);
  });
}

class Finder {
 public:
  Finder(const Cluster& cluster, const input::Origin& where, input::Diagnostics& diagnostics)
      : cluster_(cluster), where_(where), diagnostics_(diagnostics) {}

  std::optional<std::size_t> host(const std::string& name) {
    std::vector<std::string> names;
    for (std::size_t h = 0; h < cluster_.hosts.size(); ++h) {
      if (cluster_.hosts[h].name == name) return h;
      names.push_back(cluster_.hosts[h].name);
    }
    topology::report(diagnostics_, where_,
                     fmt::format("unknown host \"{}\" of the client of remote GPUs", name),
                     "a host", input::suggest(name, names));
    return std::nullopt;
  }

  /// The NIC of that name of a host; without a name its first NIC.
  std::optional<std::size_t> nic(const Host& host, const std::optional<std::string>& name) {
    std::vector<std::string> names;
    for (std::size_t n = 0; n < host.nics.size(); ++n) {
      if (!name || host.nics[n].name == *name) return n;
      names.push_back(host.nics[n].name);
    }
    topology::report(
        diagnostics_, where_,
        fmt::format("{} has no NIC \"{}\" for remote GPUs", host.name, name.value_or("")),
        "a NIC of the host", input::suggest(name.value_or(""), names));
    return std::nullopt;
  }

 private:
  const Cluster& cluster_;
  const input::Origin& where_;
  input::Diagnostics& diagnostics_;
};

}  // namespace

std::optional<RemoteFeed> remote_feed(const Cluster& cluster, std::size_t machine, std::size_t gpu,
                                      const input::Origin& where, input::Diagnostics& diagnostics) {
  const topology::Topology& topology = cluster.topology;
  const vsphere::VirtualMachine& vm = cluster.kinds[cluster.machines[machine].kind];
  Finder finder(cluster, where, diagnostics);
  const auto client = finder.host(vm.remote_client->host);
  if (!client) return std::nullopt;
  const Host& from = topology.hosts[cluster.hosts[*client].kind];
  const std::size_t server = cluster.machines[machine].host;
  const Host& to = topology.hosts[cluster.hosts[server].kind];
  const auto out = finder.nic(from, vm.remote_client->nic);
  const auto in = finder.nic(to, vm.remote_client->server_nic);
  if (!out || !in) return std::nullopt;
  const auto path = cluster.fabric.path({*client, *out}, {server, *in});
  if (!path) {
    topology::report(diagnostics, where,
                     "the fabric does not connect the client with its remote GPUs");
    return std::nullopt;
  }
  RemoteFeed feed;
  feed.client = *client;
  feed.fabric = *path;
  const Vertex memory = memory_near(topology, from, from.nics[*out].vertex);
  if (from.storage) cross(topology, *from.storage, memory, feed.storage_read);
  if (from.cores) feed.core_time.push_back({ResourceId{*from.cores}});
  cross(topology, memory, from.nics[*out].vertex, feed.leaving);
  feed.leaving.push_back({ResourceId{from.nics[*out].out}});
  const Vertex landing = memory_near(topology, to, to.nics[*in].vertex);
  feed.arriving.push_back({ResourceId{to.nics[*in].in}});
  cross(topology, to.nics[*in].vertex, landing, feed.arriving);
  cross(topology, landing, to.gpus[vm.gpus[gpu]], feed.arriving);
  return feed;
}

}  // namespace vgsim::scenario
