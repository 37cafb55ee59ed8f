#include "models/scenario/build/relocation.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <set>
#include <utility>

#include "models/scenario/read/library.hpp"
#include "topology/input/diagnostics.hpp"

namespace vgsim::scenario {
namespace {

using vsphere::PlacementRequest;
using vsphere::VirtualMachine;

constexpr const char* kNoOtherHost = "the cluster has no other host";

/// On another host a VM needs the same number of GPUs, with any names.
PlacementRequest anywhere(PlacementRequest request, const VirtualMachine& vm) {
  if (!request.gpus.groups.empty() || !request.gpus.profiles.empty()) return request;
  request.gpus.devices.reset();
  request.gpus.count = vm.gpus.size();
  return request;
}

/// Replaces the name of the built host in a refusal by that of this host.
std::string no_capacity(const std::string& host, const std::string& built, std::string text) {
  const std::size_t at = text.find(built);
  if (at == std::string::npos) return fmt::format("no other host has capacity: {}: {}", host, text);
  return fmt::format("no other host has capacity: {}", text.replace(at, built.size(), host));
}

bool is_alone(const vsphere::VmNic& nic) { return nic.mode->is_exclusive; }

}  // namespace

Relocation::Relocation(const Layout& layout, const Cluster& cluster, const Library& library)
    : cluster_(&cluster), requests_(cluster.kinds.size()) {
  const vsphere::Facts& facts = *library.vsphere;
  std::map<std::string, const vsphere::VmSpec*> specs;
  for (const auto& vm : layout.vms) specs.emplace(vm.name, &vm.value->spec);
  for (const vsphere::HostInventory& host : cluster.inventory) {
    now_.push_back({vsphere::HostAssignment(host, facts, cluster.vsphere), {}});
  }
  input::Diagnostics diagnostics;  // the VMs were placed before
  std::vector<std::pair<PlacementRequest, std::size_t>> running;
  for (std::size_t k = 0; k < cluster.kinds.size(); ++k) {
    const VirtualMachine& vm = cluster.kinds[k];
    const auto spec = specs.find(vm.name);
    if (spec == specs.end()) continue;  // bare metal
    PlacementRequest request =
        vsphere::placement_request(vm.name, *spec->second, facts.profiles, diagnostics);
    input::expect_no_errors(diagnostics);
    running.emplace_back(request, k);
    requests_[k] = anywhere(std::move(request), vm);
  }
  std::stable_sort(running.begin(), running.end(), [](const auto& a, const auto& b) {
    if (a.first.power_on != b.first.power_on) return a.first.power_on < b.first.power_on;
    return vsphere::served_before(a.first, b.first);
  });
  for (const auto& [request, k] : running) {
    State& state = now_[cluster.kinds[k].host];
    state.gpus = vsphere::attempt(request, state.gpus).host;
    add_nics(cluster.kinds[k], state);
  }
}

const PlacementRequest* Relocation::request_of(std::size_t machine) const {
  const auto& request = requests_[cluster_->machines[machine].kind];
  return request ? &*request : nullptr;
}

void Relocation::add_nics(const VirtualMachine& vm, State& state) const {
  for (const vsphere::VmNic& nic : vm.nics) {
    state.nics[cluster_->topology.hosts[vm.host].nics[nic.host_nic].name] |= is_alone(nic);
  }
}

Relocation::Attempt Relocation::try_on(std::size_t machine, std::size_t kind,
                                       const State& state) const {
  const VirtualMachine& vm = cluster_->kinds[cluster_->machines[machine].kind];
  vsphere::Trial trial = vsphere::attempt(*request_of(machine), state.gpus);
  Attempt attempt{{std::move(trial.host), state.nics}, std::move(trial.refusals)};
  const auto& own = cluster_->inventory[vm.host].gpus;
  const auto& others = cluster_->inventory[kind].gpus;
  for (const vsphere::TakenGpu& gpu : trial.gpus) {
    if (vm.gpus.empty() || others[gpu.gpu] == own[vm.gpus.front()]) continue;
    attempt.refusals.push_back(
        {"no-free-gpu", fmt::format("it has GPUs of another model ({})", others[gpu.gpu])});
    break;
  }
  const auto& nics = cluster_->topology.hosts[kind].nics;
  for (const vsphere::VmNic& nic : vm.nics) {
    const std::string& name = cluster_->topology.hosts[vm.host].nics[nic.host_nic].name;
    const bool there = std::any_of(nics.begin(), nics.end(),
                                   [&](const auto& other) { return other.name == name; });
    const auto used = state.nics.find(name);
    if (there && (used == state.nics.end() || (!used->second && !is_alone(nic)))) continue;
    attempt.refusals.push_back(
        {"no-free-nic", fmt::format("it has no {}NIC {}", there ? "free " : "", name)});
  }
  add_nics(vm, attempt.state);
  return attempt;
}

std::vector<std::size_t> Relocation::targets(std::size_t machine) const {
  std::vector<std::size_t> result;
  if (request_of(machine) == nullptr) return result;
  std::map<std::size_t, bool> takes_it;  // by kind of host
  for (std::size_t h = 0; h < cluster_->hosts.size(); ++h) {
    if (h == cluster_->machines[machine].host) continue;
    const std::size_t kind = cluster_->hosts[h].kind;
    const auto [known, is_new] = takes_it.try_emplace(kind, false);
    if (is_new) known->second = try_on(machine, kind, now_[kind]).refusals.empty();
    if (known->second) result.push_back(h);
  }
  return result;
}

std::string Relocation::why_no_target(std::size_t machine) const {
  if (request_of(machine) == nullptr) return "it is not a VM";
  if (cluster_->hosts.size() < 2) return kNoOtherHost;
  std::string why;
  std::size_t fewest = 0;
  std::set<std::size_t> tried;  // kinds of hosts: one of each suffices
  for (std::size_t h = 0; h < cluster_->hosts.size(); ++h) {
    const std::size_t kind = cluster_->hosts[h].kind;
    if (h == cluster_->machines[machine].host || !tried.insert(kind).second) continue;
    const auto refusals = try_on(machine, kind, now_[kind]).refusals;
    if (refusals.empty() || (!why.empty() && refusals.size() >= fewest)) continue;
    fewest = refusals.size();
    why =
        no_capacity(cluster_->hosts[h].name, cluster_->inventory[kind].name, refusals.front().text);
  }
  return why;
}

/// In the start order of HA and DRS.
std::vector<std::size_t> Relocation::vms_to_start(std::size_t host) const {
  std::vector<std::size_t> machines;
  for (std::size_t m = 0; m < cluster_->machines.size(); ++m) {
    if (cluster_->machines[m].host == host && request_of(m) != nullptr) machines.push_back(m);
  }
  std::stable_sort(machines.begin(), machines.end(), [&](std::size_t a, std::size_t b) {
    const PlacementRequest& one = *request_of(a);
    const PlacementRequest& other = *request_of(b);
    if (one.power_on != other.power_on) return one.power_on < other.power_on;
    return vsphere::asks_for_more(one, other);
  });
  return machines;
}

std::vector<Departure> Relocation::evacuate(std::size_t host) const {
  const bool consolidates = cluster_->inventory.front().settings.vgpu.consolidates;
  std::map<std::size_t, State> changed;  // hosts with additional VMs
  std::vector<Departure> result;
  for (const std::size_t machine : vms_to_start(host)) {
    Departure departure{machine, std::nullopt, {}};
    std::optional<State> best;
    std::set<std::size_t> tried;  // kinds of unchanged hosts: one of each suffices
    for (std::size_t h = 0; h < cluster_->hosts.size(); ++h) {
      const std::size_t kind = cluster_->hosts[h].kind;
      const auto own = changed.find(h);
      if (h == host || (own == changed.end() && !tried.insert(kind).second)) continue;
      const State& state = own == changed.end() ? now_[kind] : own->second;
      Attempt attempt = try_on(machine, kind, state);
      if (!attempt.refusals.empty()) {
        if (departure.why_not.empty()) {
          departure.why_not = no_capacity(cluster_->hosts[h].name, cluster_->inventory[kind].name,
                                          attempt.refusals.front().text);
        }
        continue;
      }
      const auto free = attempt.state.gpus.free_gpus();
      const bool better =
          !best || (consolidates ? free < best->gpus.free_gpus() : free > best->gpus.free_gpus());
      if (!better) continue;
      departure.host = h;
      best.emplace(std::move(attempt.state));
    }
    if (departure.host) changed.insert_or_assign(*departure.host, *std::move(best));
    if (cluster_->hosts.size() < 2) departure.why_not = kNoOtherHost;
    result.push_back(std::move(departure));
  }
  return result;
}

}  // namespace vgsim::scenario
