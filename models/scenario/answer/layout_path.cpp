#include "models/scenario/answer/layout_path.hpp"

#include <algorithm>
#include <set>
#include <string>

#include "models/collectives/spread.hpp"
#include "models/scenario/answer/model_error.hpp"
#include "models/scenario/build/prepared.hpp"

namespace vgsim::scenario {
namespace {

void add_vm(const Cluster& cluster, std::size_t host, const vsphere::GuestView& view,
            TrafficPath& path) {
  const topology::Host& kind = cluster.topology.hosts[cluster.hosts[host].kind];
  const std::string& server = kind.server.empty() ? kind.name : kind.server;
  for (std::size_t g = 0; g < view.gpu_count(); ++g) {
    ++path.gpus[server + " " + cluster.topology.node(view.gpu(g)).model];
  }
  for (std::size_t n = 0; n < view.vm().nics.size(); ++n) {
    const BytesPerSecond rate = view.nic(n).port_rate;
    if (path.fastest_nic == BytesPerSecond{} || rate < path.slowest_nic) path.slowest_nic = rate;
    path.fastest_nic = std::max(path.fastest_nic, rate);
  }
}

}  // namespace

TrafficPath traffic_path_of(const PreparedLayout& layout) {
  TrafficPath path;
  const Placement& placement = layout.placement;
  if (!placement.ranks().is_joined()) return path;
  path.slowest = collectives::slowest_transport(placement.ranks());
  std::set<std::size_t> hosts;
  for (const collectives::PlacedVm& vm : placement.vms()) {
    hosts.insert(vm.host);
    add_vm(*placement.cluster, vm.host, placement.views()[vm.view], path);
  }
  path.hosts = hosts.size();
  if (!placement.job.training) return path;
  for (const ModelError& error : model_errors_of(layout)) {
    if (error.part != &ErrorFactors::passes) continue;
    for (const ErrorCause& cause : error.causes) path.error_causes.insert(cause.name);
  }
  return path;
}

}  // namespace vgsim::scenario
