#include "models/scenario/build/stops.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "models/scenario/read/library.hpp"
#include "models/vsphere/lifecycle.hpp"
#include "topology/input/units/unit_strings.hpp"

namespace vgsim::scenario {
namespace {

bool uses_rdma(const vsphere::VirtualMachine& vm) {
  return std::any_of(vm.nics.begin(), vm.nics.end(), [](const vsphere::VmNic& nic) {
    return nic.mode != vsphere::NicMode::kVmxnet3;
  });
}

}  // namespace

Stop vmotion_stop(const Placement& placed, std::size_t machine, double lost_s,
                  const Checkpoints& checkpoints, const Library& library) {
  const Cluster& cluster = *placed.cluster;
  const vsphere::VirtualMachine& vm = cluster.kinds[cluster.machines[machine].kind];
  const SimTime stun =
      vsphere::expected_stun(vm, vmotion_network(cluster, machine), library.vsphere->versions,
                             cluster.vsphere, library.parameters);
  Stop stop{to_seconds(stun), "all ranks wait while the framebuffer is moved"};
  if (placed.vms().size() < 2) return stop;
  const auto give_up = [&](const char* parameter, const char* who) {
    const SimTime limit = library.parameters.time(parameter);
    if (stun <= limit) return false;
    stop.seconds += lost_s + to_seconds(checkpoints.restore);
    stop.why = fmt::format("{} for {} only: the job starts again from its checkpoint", who,
                           input::format_time(limit));
    return true;
  };
  if (uses_rdma(vm) && give_up("rdma_give_up_time", "RDMA connections wait")) return stop;
  give_up("collective_time_out", "collectives wait");
  return stop;
}

}  // namespace vgsim::scenario
