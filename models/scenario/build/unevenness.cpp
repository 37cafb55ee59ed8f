#include "models/scenario/build/unevenness.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "topology/input/suggest.hpp"
#include "topology/look_up.hpp"

namespace vgsim::scenario {
namespace {

using input::Diagnostics;
using topology::report;

/// The links of a host affected by a fault: both directions of a NIC, or every link of a device.
std::vector<topology::LinkResourceIndex> links_of(const topology::Topology& topology,
                                                  std::size_t kind, const std::string& device) {
  std::vector<topology::LinkResourceIndex> links;
  const topology::Host& host = topology.hosts[kind];
  for (const topology::HostNic& nic : host.nics) {
    if (nic.name != device) continue;
    return {nic.out, nic.in};
  }
  for (const topology::Vertex gpu : host.gpus) {
    if (topology.node(gpu).name != host.name + "/" + device) continue;
    for (const topology::Edge& edge : topology.edges_from(gpu)) {
      if (const auto& link = topology.link(edge).resource) links.push_back(*link);
    }
    for (const topology::Edge& edge : topology.edges_to(gpu)) {
      if (const auto& link = topology.link(edge).resource) links.push_back(*link);
    }
  }
  std::sort(links.begin(), links.end());
  links.erase(std::unique(links.begin(), links.end()), links.end());
  return links;
}

}  // namespace

std::string machine_part(const std::string& name) { return name.substr(0, name.find('/')); }

Variability find_variability(const VariabilitySpec& spec, const Cluster& cluster,
                             Diagnostics& diagnostics) {
  Variability result;
  result.compute_sigma = spec.compute_sigma;
  result.seed = static_cast<std::uint64_t>(spec.seed);
  if (spec.stragglers.empty()) return result;
  std::set<std::string> names;
  for (std::size_t m = 0; m < cluster.machines.size(); ++m) {
    names.insert(cluster.machines[m].name);
    names.insert(cluster.hosts[cluster.machines[m].host].name);
    for (std::size_t g = 0; g < cluster.kinds[cluster.machines[m].kind].gpus.size(); ++g) {
      names.insert(cluster.gpu_name(m, g));
    }
  }
  for (const input::Named<double>& straggler : spec.stragglers) {
    if (!names.contains(straggler.name)) {
      diagnostics.error("E432", straggler.key, input::to_pointer(straggler.origin.path),
                        fmt::format("unknown straggler \"{}\"", straggler.name),
                        "a GPU such as \"esx01/gpu0\", a host or a VM",
                        input::suggest(straggler.name, {names.begin(), names.end()}));
    }
    result.stragglers[straggler.name] = *straggler;
  }
  return result;
}

std::vector<Fault> find_faults(const std::vector<FaultSpec>& specs, const Cluster& cluster,
                               Diagnostics& diagnostics) {
  std::vector<Fault> faults;
  for (const FaultSpec& spec : specs) {
    const std::string& name = *spec.link;
    const std::size_t slash = name.find('/');
    Fault fault;
    for (std::size_t h = 0; h < cluster.hosts.size(); ++h) {
      if (slash == std::string::npos || cluster.hosts[h].name != machine_part(name)) continue;
      fault.host = h;
      fault.links = links_of(cluster.topology, cluster.hosts[h].kind, name.substr(slash + 1));
    }
    fault.at = spec.at;
    if (spec.until) fault.until = **spec.until;
    fault.share = exact_share(spec.share);
    if (fault.links.empty()) {
      report(diagnostics, spec.link, fmt::format("unknown NIC or GPU \"{}\"", name),
             "a host and its device, such as \"esx01/vmnic4\" or \"esx01/gpu0\"");
    }
    faults.push_back(std::move(fault));
  }
  return faults;
}

}  // namespace vgsim::scenario
