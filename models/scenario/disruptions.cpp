#include "models/scenario/disruptions.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "models/scenario/library.hpp"
#include "models/vsphere/lifecycle.hpp"
#include "topology/look_up.hpp"

namespace vgsim::scenario {
namespace {

using input::Diagnostics;
using Kind = DisruptionKind;

const char* name_of(Kind kind) {
  switch (kind) {
    case Kind::kVmotion:
      return "vMotion";
    case Kind::kRestart:
      return "planned restart";
    case Kind::kHostFailure:
      return "host failure";
  }
  return "?";
}

void check_possible(const Disruption& disruption, const input::Origin& at, const Cluster& cluster,
                    const Library& library, Diagnostics& diagnostics) {
  if (disruption.kind == Kind::kRestart) return;
  const Machine& machine = cluster.machines[disruption.machine];
  const auto operation =
      disruption.kind == Kind::kVmotion ? vsphere::Operation::kVmotion : vsphere::Operation::kHa;
  const auto reason = vsphere::lacks(cluster.kinds[machine.kind], operation,
                                     library.vsphere.versions, cluster.vsphere);
  if (!reason) return;
  topology::report(diagnostics, at,
                   fmt::format("{} has no {} in vSphere {}: {}", machine.name,
                               vsphere::to_string(operation), cluster.vsphere, *reason),
                   "\"kind\": \"restart\", or a VM that has it");
}

}  // namespace

std::vector<Disruption> find_disruptions(const Layout& layout, const Cluster& cluster,
                                         const Library& library, Diagnostics& diagnostics) {
  std::map<std::string, std::size_t> machine_of;
  for (std::size_t m = 0; m < cluster.machines.size(); ++m) {
    machine_of.emplace(cluster.machines[m].name, m);
  }
  std::vector<Disruption> disruptions;
  for (const input::At<DisruptionSpec>& spec : layout.disruptions) {
    const auto* machine = topology::look_up(machine_of, spec->vm, "VM", diagnostics);
    if (machine == nullptr) continue;
    disruptions.push_back({spec->kind, *machine, spec->at});
    check_possible(disruptions.back(), spec.origin, cluster, library, diagnostics);
  }
  return disruptions;
}

Checkpoints checkpoints_of(const std::optional<CheckpointsSpec>& spec) {
  if (!spec) return {};
  const SimTime snapshot = spec->snapshot ? **spec->snapshot : SimTime{0};
  return {spec->every, spec->save, spec->overlap ? snapshot : spec->save, spec->restore};
}

SimTime Checkpoints::lost_at(SimTime at) const {
  const SimTime beside = save - stop;  // written while training goes on
  if (every == SimTime{0} || at < beside) return at;
  return SimTime{(at - beside).count() % every.count()} + beside;
}

void add_disruptions(const std::vector<Disruption>& disruptions, const Checkpoints& checkpoints,
                     const Cluster& cluster, const Library& library, TrainingResult& result) {
  if (checkpoints.every > SimTime{0} && checkpoints.stop > SimTime{0}) {
    const double count = std::floor(result.training_s / to_seconds(checkpoints.every));
    result.interruptions.push_back({"checkpoints", count * to_seconds(checkpoints.stop),
                                    fmt::format("{:.0f} of them", count)});
  }
  const SimTime restart = library.parameters.time("ha_restart_time");
  for (const Disruption& disruption : disruptions) {
    const Machine& machine = cluster.machines[disruption.machine];
    Interruption interruption{fmt::format("{} of {}", name_of(disruption.kind), machine.name), 0.0,
                              ""};
    switch (disruption.kind) {
      case Kind::kVmotion:
        interruption.seconds = to_seconds(
            vsphere::expected_stun(cluster.kinds[machine.kind],
                                   cluster.inventory[cluster.hosts[machine.host].kind].settings,
                                   library.vsphere.versions, cluster.vsphere, library.parameters));
        interruption.why = "all ranks wait while the framebuffer is moved";
        break;
      case Kind::kRestart:
        interruption.seconds = to_seconds(checkpoints.save + restart + checkpoints.restore);
        interruption.why = "checkpoint, start of the VM, and loading";
        break;
      case Kind::kHostFailure:
        interruption.seconds =
            to_seconds(checkpoints.lost_at(disruption.at) + restart + checkpoints.restore);
        interruption.why = checkpoints.every > SimTime{0}
                               ? "work since the last checkpoint, restart by HA, and loading"
                               : "all work until then, restart by HA, and loading";
        break;
    }
    result.interruptions.push_back(std::move(interruption));
  }
  for (const Interruption& each : result.interruptions) result.training_s += each.seconds;
}

}  // namespace vgsim::scenario
