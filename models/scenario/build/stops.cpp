#include "models/scenario/build/stops.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "models/scenario/build/relocation.hpp"
#include "models/scenario/read/library.hpp"
#include "models/vsphere/lifecycle.hpp"
#include "topology/input/units/unit_strings.hpp"

namespace vgsim::scenario {
namespace {

bool uses_rdma(const vsphere::VirtualMachine& vm) {
  return std::any_of(vm.nics.begin(), vm.nics.end(),
                     [](const vsphere::VmNic& nic) { return !nic.is_adapter(); });
}

}  // namespace

Stop vmotion_stop(const Placement& placed, const Relocation& relocation, std::size_t machine,
                  double lost_s, const Checkpoints& checkpoints, const Library& library) {
  const Cluster& cluster = *placed.cluster;
  const vsphere::VirtualMachine& vm = cluster.kinds[cluster.machines[machine].kind];
  const SimTime stun =
      vsphere::expected_stun(vm, vmotion_network(cluster, relocation, machine),
                             library.vsphere->versions, cluster.vsphere, library.parameters);
  Stop stop{to_seconds(stun), "all ranks wait while the framebuffer is copied"};
  if (placed.vms().size() < 2) return stop;
  const auto give_up = [&](const char* parameter, const char* who) {
    const SimTime limit = library.parameters.time(parameter);
    if (stun <= limit) return false;
    stop.seconds += lost_s + to_seconds(checkpoints.restore);
    stop.why = fmt::format("{} only {}: the job restarts from its checkpoint", who,
                           input::format_time(limit));
    return true;
  };
  if (uses_rdma(vm) && give_up("rdma_give_up_time", "RDMA connections wait")) return stop;
  give_up("collective_time_out", "collectives wait");
  return stop;
}

std::string why_no_restart(const Placement& placed, const Relocation& relocation, std::size_t host,
                           const Library& library) {
  const Cluster& cluster = *placed.cluster;
  const auto& of_job = placed.machine_of_vm;
  for (const Departure& each : relocation.evacuate(host)) {
    if (std::find(of_job.begin(), of_job.end(), each.machine) == of_job.end()) continue;
    const Machine& machine = cluster.machines[each.machine];
    const auto lacking = vsphere::lacks(cluster.kinds[machine.kind], vsphere::Operation::kHa,
                                        library.vsphere->versions, cluster.vsphere);
    if (!lacking && each.host) continue;
    return fmt::format("{} cannot be restarted, and the job ends: {}", machine.name,
                       lacking.value_or(each.why_not));
  }
  return {};
}

}  // namespace vgsim::scenario
