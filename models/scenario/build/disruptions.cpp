#include "models/scenario/build/disruptions.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "models/scenario/build/relocation.hpp"
#include "models/scenario/read/library.hpp"
#include "models/vsphere/lifecycle.hpp"
#include "topology/input/units/unit_strings.hpp"
#include "topology/look_up.hpp"

namespace vgsim::scenario {
namespace {

using input::Diagnostics;

void check_possible(const Disruption& disruption, const input::Origin& at, const Cluster& cluster,
                    const Relocation& relocation, const Library& library,
                    Diagnostics& diagnostics) {
  if (disruption.kind == DisruptionKind::kRestart) return;
  const Machine& machine = cluster.machines[disruption.machine];
  const bool moves = disruption.kind == DisruptionKind::kVmotion;
  const auto operation = moves ? vsphere::Operation::kVmotion : vsphere::Operation::kHa;
  const auto reason = moves ? cannot_move(cluster, relocation, disruption.machine, library)
                            : vsphere::lacks(cluster.kinds[machine.kind], operation,
                                             library.vsphere->versions, cluster.vsphere);
  if (!reason) return;
  topology::report(diagnostics, at,
                   fmt::format("{} does not support {} in vSphere {}: {}", machine.name,
                               vsphere::to_string(operation), cluster.vsphere, *reason),
                   "\"kind\": \"restart\", or a VM that supports it");
}

}  // namespace

BytesPerSecond vmotion_network(const Cluster& cluster, const Relocation& relocation,
                               std::size_t machine) {
  const auto network_of = [&](std::size_t host) {
    return cluster.inventory[cluster.hosts[host].kind].settings.vmotion;
  };
  const BytesPerSecond own = network_of(cluster.machines[machine].host);
  BytesPerSecond best{};
  for (const std::size_t host : relocation.targets(machine)) {
    best = std::max(best, network_of(host));
  }
  return best == BytesPerSecond{} ? own : std::min(best, own);
}

std::optional<std::string> cannot_move(const Cluster& cluster, const Relocation& relocation,
                                       std::size_t machine, const Library& library) {
  const vsphere::VirtualMachine& vm = cluster.kinds[cluster.machines[machine].kind];
  const vsphere::Versions& versions = library.vsphere->versions;
  const auto lacking = vsphere::lacks(vm, vsphere::Operation::kVmotion, versions, cluster.vsphere);
  if (lacking || !vm.settings.stun_limit || !versions.has(cluster.vsphere, "stun-limit")) {
    return lacking;
  }
  const SimTime most = vsphere::largest_stun(vm, vmotion_network(cluster, relocation, machine),
                                             versions, cluster.vsphere, library.parameters);
  if (most <= *vm.settings.stun_limit) return std::nullopt;
  return fmt::format(
      "the stun time over the slower of both vMotion networks is up to {}, its limit "
      "is {}",
      input::format_time(most), input::format_time(*vm.settings.stun_limit));
}

std::vector<Disruption> find_disruptions(const Layout& layout, const Cluster& cluster,
                                         const Library& library, Diagnostics& diagnostics) {
  std::map<std::string, std::size_t> machine_of;
  for (std::size_t m = 0; m < cluster.machines.size(); ++m) {
    machine_of.emplace(cluster.machines[m].name, m);
  }
  std::vector<Disruption> disruptions;
  if (layout.disruptions.empty()) return disruptions;
  const Relocation relocation(layout, cluster, library);
  for (const input::At<DisruptionSpec>& spec : layout.disruptions) {
    const auto* machine = topology::look_up(machine_of, spec->vm, "VM", diagnostics);
    if (machine == nullptr) continue;
    disruptions.push_back({spec->kind, *machine, spec->at});
    check_possible(disruptions.back(), spec.origin, cluster, relocation, library, diagnostics);
  }
  return disruptions;
}

Checkpoints checkpoints_of(const std::optional<CheckpointsSpec>& spec) {
  if (!spec) return {};
  const SimTime snapshot = spec->snapshot ? **spec->snapshot : SimTime{0};
  return {spec->every, spec->save, spec->overlap ? snapshot : spec->save, spec->restore};
}

SimTime Checkpoints::lost_at(SimTime at) const {
  const SimTime beside = save - stop;  // written during training
  if (every == SimTime{0} || at < beside) return at;
  return SimTime{(at - beside).count() % every.count()} + beside;
}

}  // namespace vgsim::scenario
