#include "models/scenario/answer/interruptions.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "models/scenario/read/library.hpp"
#include "models/vsphere/lifecycle.hpp"
#include "topology/input/units/unit_strings.hpp"

namespace vgsim::scenario {
namespace {

const char* name_of(DisruptionKind kind) {
  switch (kind) {
    case DisruptionKind::kVmotion:
      return "vMotion";
    case DisruptionKind::kRestart:
      return "planned restart";
    case DisruptionKind::kHostFailure:
      return "host failure";
  }
  return "?";
}

/// Of both ends of a vMotion the slower one, where the VM goes to the host with such GPUs that has
/// the fastest network.
BytesPerSecond vmotion_network(const Cluster& cluster, std::size_t machine) {
  const std::size_t from = cluster.machines[machine].host;
  const vsphere::HostInventory& own = cluster.inventory[cluster.hosts[from].kind];
  BytesPerSecond best{};
  for (std::size_t h = 0; h < cluster.hosts.size(); ++h) {
    const vsphere::HostInventory& other = cluster.inventory[cluster.hosts[h].kind];
    if (h != from && other.gpus == own.gpus) best = std::max(best, other.settings.vmotion);
  }
  return best == BytesPerSecond{} ? own.settings.vmotion : std::min(best, own.settings.vmotion);
}

bool uses_rdma(const vsphere::VirtualMachine& vm) {
  return std::any_of(vm.nics.begin(), vm.nics.end(), [](const vsphere::VmNic& nic) {
    return nic.mode != vsphere::NicMode::kVmxnet3;
  });
}

}  // namespace

Stop vmotion_stop(const Placement& placed, std::size_t machine, SimTime lost,
                  const Checkpoints& checkpoints, const Library& library) {
  const Cluster& cluster = *placed.cluster;
  const vsphere::VirtualMachine& vm = cluster.kinds[cluster.machines[machine].kind];
  const SimTime stun =
      vsphere::expected_stun(vm, vmotion_network(cluster, machine), library.vsphere.versions,
                             cluster.vsphere, library.parameters);
  Stop stop{to_seconds(stun), "all ranks wait while the framebuffer is moved"};
  if (placed.vms().size() < 2) return stop;
  const auto give_up = [&](const char* parameter, const char* who) {
    const SimTime limit = library.parameters.time(parameter);
    if (stun <= limit) return false;
    stop.seconds += to_seconds(lost + checkpoints.restore);
    stop.why = fmt::format("{} for {} only: the job starts again from its checkpoint", who,
                           input::format_time(limit));
    return true;
  };
  if (uses_rdma(vm) && give_up("rdma_give_up_time", "RDMA connections wait")) return stop;
  give_up("collective_time_out", "collectives wait");
  return stop;
}

void add_disruptions(const std::vector<Disruption>& disruptions, const Placement& placed,
                     const Library& library, TrainingResult& result) {
  const Cluster& cluster = *placed.cluster;
  const Checkpoints checkpoints = checkpoints_of(placed.layout->job->training.checkpoints);
  if (checkpoints.every > SimTime{0} && checkpoints.stop > SimTime{0}) {
    const double count = std::floor(result.training_s / to_seconds(checkpoints.every));
    result.interruptions.push_back({"checkpoints", count * to_seconds(checkpoints.stop),
                                    fmt::format("{:.0f} of them", count), 0.0});
  }
  const SimTime restart = library.parameters.time("ha_restart_time");
  for (const Disruption& disruption : disruptions) {
    const Machine& machine = cluster.machines[disruption.machine];
    Interruption interruption{fmt::format("{} of {}", name_of(disruption.kind), machine.name), 0.0,
                              "", 0.0};
    switch (disruption.kind) {
      case DisruptionKind::kVmotion: {
        const Stop stop = vmotion_stop(placed, disruption.machine,
                                       checkpoints.lost_at(disruption.at), checkpoints, library);
        interruption.seconds = stop.seconds;
        interruption.why = stop.why;
        break;
      }
      case DisruptionKind::kRestart:
        interruption.seconds = to_seconds(checkpoints.save + restart + checkpoints.restore);
        interruption.why = "checkpoint, start of the VM, and loading";
        break;
      case DisruptionKind::kHostFailure:
        interruption.seconds =
            to_seconds(checkpoints.lost_at(disruption.at) + restart + checkpoints.restore);
        interruption.why = checkpoints.every > SimTime{0}
                               ? "work since the last checkpoint, restart by HA, and loading"
                               : "all work until then, restart by HA, and loading";
        break;
    }
    result.interruptions.push_back(std::move(interruption));
  }
  for (Interruption& each : result.interruptions) {
    if (result.iteration > SimTime{0}) each.steps = each.seconds / to_seconds(result.iteration);
    result.training_s += each.seconds;
  }
}

}  // namespace vgsim::scenario
