#include "models/scenario/answer/layout_path.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "models/scenario/answer/model_error.hpp"
#include "models/scenario/build/prepared.hpp"

namespace vgsim::scenario {
namespace {

/// Adds VMs with equal views on hosts of one kind.
void add_vms(const topology::Topology& topology, const topology::Host& host, std::size_t vms,
             const vsphere::GuestView& view, TrafficPath& path) {
  const std::string& server = host.server.empty() ? host.name : host.server;
  for (std::size_t g = 0; g < view.gpu_count(); ++g) {
    path.gpus[server + " " + topology.node(view.gpu(g)).model] += vms;
  }
  for (std::size_t n = 0; n < view.vm().nics.size(); ++n) {
    const BytesPerSecond rate = view.nic(n).port_rate;
    if (path.fastest_nic == BytesPerSecond{} || rate < path.slowest_nic) path.slowest_nic = rate;
    path.fastest_nic = std::max(path.fastest_nic, rate);
  }
}

}  // namespace

TrafficPath traffic_path_of(const PreparedLayout& layout, collectives::Transport slowest) {
  TrafficPath path;
  path.slowest = slowest;
  const Placement& placement = layout.placement;
  const Cluster& cluster = *placement.cluster;
  std::vector<bool> is_used(cluster.hosts.size());
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> vms;  // by kind of host and view
  for (const collectives::PlacedVm& vm : placement.vms()) {
    is_used[vm.host] = true;
    ++vms[{cluster.hosts[vm.host].kind, vm.view}];
  }
  path.hosts = static_cast<std::size_t>(std::count(is_used.begin(), is_used.end(), true));
  for (const auto& [kind, count] : vms) {
    add_vms(cluster.topology, cluster.topology.hosts[kind.first], count,
            placement.views()[kind.second], path);
  }
  if (!placement.job.training) return path;
  for (const ModelError& error : model_errors_of(layout)) {
    if (error.part != &ErrorFactors::passes) continue;
    for (const ErrorCause& cause : error.causes) path.error_causes.insert(cause.name);
  }
  return path;
}

}  // namespace vgsim::scenario
