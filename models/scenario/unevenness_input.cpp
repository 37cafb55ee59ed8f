#include "models/scenario/unevenness_input.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "topology/host_input.hpp"
#include "topology/input/suggest.hpp"
#include "topology/input/typed.hpp"

namespace vgsim::scenario {
namespace {

using input::Diagnostics;
using input::find;
using input::Value;
using topology::report;

/// The links of a host that a fault names: a NIC's two directions, or every link of a device.
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

Variability read_variability(const Value& layout, const Cluster& cluster,
                             Diagnostics& diagnostics) {
  Variability result;
  const auto value = find(layout, "variability");
  if (!value) return result;
  if (const auto sigma = find(*value, "compute_sigma")) {
    result.compute_sigma = sigma->number();
  }
  if (const auto seed = find(*value, "seed")) {
    result.seed = static_cast<std::uint64_t>(input::as_count(*seed));
  }
  const auto stragglers = find(*value, "stragglers");
  if (!stragglers) return result;
  std::map<std::string, bool> names;
  for (std::size_t m = 0; m < cluster.machines.size(); ++m) {
    names[cluster.machines[m].name] = true;
    const std::size_t host = cluster.machines[m].host;
    names[cluster.hosts[host].name] = true;
    for (std::size_t g = 0; g < cluster.kinds[cluster.machines[m].kind].gpus.size(); ++g) {
      names[cluster.gpu_name(m, g)] = true;
    }
  }
  for (const input::Member& member : stragglers->members()) {
    if (names.count(member.name) == 0) {
      std::vector<std::string> known;
      for (const auto& [name, is] : names) known.push_back(name);
      diagnostics.error("E432", member.key, member.value.pointer(),
                        fmt::format("nothing that computes is called \"{}\"", member.name),
                        "a GPU such as \"esx01/gpu0\", a host or a VM",
                        input::suggest(member.name, known));
    }
    result.stragglers[member.name] = member.value.number();
  }
  return result;
}

std::vector<Fault> read_faults(const Value& layout, const Cluster& cluster,
                               Diagnostics& diagnostics) {
  std::vector<Fault> faults;
  const auto list = find(layout, "faults");
  if (!list) return faults;
  for (const Value& value : list->elements()) {
    const Value link = *find(value, "link");
    const std::string name = input::as_string(link);
    const std::size_t slash = name.find('/');
    Fault fault;
    for (std::size_t h = 0; h < cluster.hosts.size(); ++h) {
      if (slash == std::string::npos || cluster.hosts[h].name != machine_part(name)) continue;
      fault.host = h;
      fault.links = links_of(cluster.topology, cluster.hosts[h].kind, name.substr(slash + 1));
    }
    fault.at = input::as_time(*find(value, "at"));
    if (const auto until = find(value, "until")) {
      fault.until = input::as_time(*until);
      if (*fault.until <= fault.at) report(diagnostics, *until, "the fault ends before it begins");
    }
    fault.share = exact_share(find(value, "share")->number());
    if (fault.links.empty()) {
      report(diagnostics, link, fmt::format("no host has a NIC or GPU \"{}\"", name),
             "a host and its device, such as \"esx01/vmnic4\" or \"esx01/gpu0\"");
    }
    faults.push_back(std::move(fault));
  }
  return faults;
}

}  // namespace vgsim::scenario
