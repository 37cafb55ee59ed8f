#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <set>

#include "models/questions/explain/changes/change_context.hpp"
#include "models/scenario/read/library.hpp"
#include "topology/graph/paths.hpp"
#include "topology/hosts/host_parts.hpp"

namespace vgsim::scenario {
namespace {

using NicSpecs = std::vector<input::Named<topology::NicSpec>>;

/// GPUs of a host without a NIC next to them, as far as known.
std::vector<std::string> gpus_without_nic(const LayoutHost& host, std::size_t gpus) {
  std::set<std::string> taken;
  for (const auto& nic : host.spec.nics) {
    if (nic->near) taken.insert(**nic->near);
  }
  std::vector<std::string> free;
  for (std::size_t g = 0; g < gpus; ++g) {
    const std::string name = fmt::format("gpu{}", g);
    if (!taken.contains(name)) free.push_back(name);
  }
  return free;
}

/// Adds new NICs to VMs that list their NICs: all VMs of the host; a NIC in passthrough to the VM
/// with the GPU next to it, or to the first.
void hand(const ChangeContext& at, const std::string& host, std::size_t gpu, const std::string& nic,
          Change& change) {
  const Cluster& cluster = *at.prepared.layouts.front().placement.cluster;
  std::map<std::string, const vsphere::VmSpec*> specs;
  for (const auto& vm : layout_of(at).vms) specs.emplace(vm.name, &vm.value->spec);
  std::optional<Override> alone;
  bool owned = false;
  for (const Machine& machine : cluster.machines) {
    const auto spec = specs.find(machine.name);
    const bool lists = spec != specs.end() && spec->second->nics && !spec->second->nics->empty();
    if (!lists || cluster.hosts[machine.host].name != host) continue;
    const vsphere::NicMode& mode = **spec->second->nics->front();
    const std::string pointer = std::string(kVms) + machine.name + "/nics/" + nic;
    if (!mode.is_exclusive) {
      change.overrides.push_back(set_text(pointer, mode.key));
      continue;
    }
    const auto& gpus = cluster.kinds[machine.kind].gpus;
    const bool owns = std::find(gpus.begin(), gpus.end(), gpu) != gpus.end();
    if (!alone || (owns && !owned)) alone = set_text(pointer, mode.key);
    owned = owned || owns;
  }
  if (alone) change.overrides.push_back(*std::move(alone));
}

/// The built host of a host of the cluster.
const topology::Host* built_host(const ChangeContext& at, const std::string& name) {
  const Cluster& cluster = *at.prepared.layouts.front().placement.cluster;
  const auto host = std::ranges::find(cluster.hosts, name, &ClusterHost::name);
  return host == cluster.hosts.end() ? nullptr : &cluster.topology.hosts[host->kind];
}

/// The slot of a new or moved NIC; nothing if there is none.
struct NewPlace {
  std::string slot;     ///< empty: unknown slots
  bool beside = false;  ///< below the GPU's own switch or root complex
};

/// `specs`: all NICs of the host after the change, including `nic`.
std::optional<NewPlace> new_place(const ChangeContext& at, const LayoutHost& host,
                                  const std::string& name, const NicSpecs& specs,
                                  const std::string& nic, std::size_t gpu) {
  const auto parts = topology::parts_of(host.spec, *at.library.catalog);
  if (!parts) return NewPlace{};
  const auto places = topology::places_of(*parts, specs, *at.library.catalog);
  if (!places) return std::nullopt;
  NewPlace place{places->at(nic).slot, false};
  const topology::Host* built = built_host(at, name);
  if (built == nullptr || !built->free_slots || gpu >= built->gpus.size()) return place;
  const auto& topology = at.prepared.layouts.front().placement.cluster->topology;
  const auto slot = std::ranges::find(*built->free_slots, place.slot, &topology::FreeSlot::name);
  place.beside = slot != built->free_slots->end() &&
                 topology::shares_root_complex(topology, built->gpus[gpu], slot->under);
  return place;
}

/// Precondition of a NIC next to that GPU.
std::string need_of_place(const NewPlace& place, const std::string& gpu) {
  if (place.slot.empty()) {
    return fmt::format("a free slot under the root complex or switch of {}", gpu);
  }
  if (place.beside) {
    return fmt::format("free {} of each host, next to {}", place.slot, gpu);
  }
  return fmt::format("free {} of each host; no free slot is next to {}", place.slot, gpu);
}

/// The number of "gpu3".
std::size_t number_of(const std::string& gpu) {
  std::size_t number = 0;
  std::from_chars(gpu.data() + 3, gpu.data() + gpu.size(), number);
  return number;
}

/// Adds NICs to one host, each next to one of those GPUs. False if a slot is missing.
bool add_beside(const ChangeContext& at, const input::Named<Shared<LayoutHost>>& host,
                const std::vector<std::string>& gpus, std::set<std::string>& needs, bool& beside,
                Change& change) {
  NicSpecs specs = host.value->spec.nics;
  const std::string model = *specs.front()->nic;
  for (const std::string& gpu : gpus) {
    auto& nic = specs.emplace_back();
    nic.name = gpu + "-new";
    nic.value.nic.value = model;
    nic.value.near = input::At<std::string>{gpu, {}};
  }
  for (const std::string& gpu : gpus) {
    const std::string name = gpu + "-new";
    const auto place = new_place(at, *host.value, host.name, specs, name, number_of(gpu));
    if (!place) return false;
    change.overrides.push_back(
        set_members(place_of(kHosts, host, "/nics/") + name, {{"nic", model}, {"near", gpu}}));
    change.parts[model] += 1;
    hand(at, host.name, number_of(gpu), name, change);
    needs.insert(need_of_place(*place, gpu));
    beside = beside && (place->slot.empty() || place->beside);
  }
  return true;
}

/// Adds NICs of the first one's model to each host, each next to a GPU without one.
void add_more(const ChangeContext& at, std::vector<Change>& changes) {
  const DrawnHost* picture = drawn(at.result);
  if (picture == nullptr) return;
  const auto gpus = static_cast<std::size_t>(
      std::count_if(picture->nodes.begin(), picture->nodes.end(),
                    [](const DrawnNode& node) { return node.kind == "GPU"; }));
  for (const bool all : {false, true}) {
    Change change{all ? "nic-per-gpu" : "second-nic", {}, {}, {"switch ports"}, {}, false};
    std::set<std::string> needs;
    bool beside = true;
    bool has_place = true;
    for (const auto& host : layout_of(at).hosts) {
      const auto& nics = host.value->spec.nics;
      if (nics.empty() || nics.size() >= gpus) continue;
      auto free = gpus_without_nic(*host.value, gpus);
      // The second NIC goes next to the GPU farthest from the first.
      if (!all && free.size() > 1) free = {free[free.size() / 2]};
      has_place = has_place && add_beside(at, host, free, needs, beside, change);
      if (!has_place) break;
    }
    if (!has_place) continue;
    change.needs.insert(change.needs.begin(), needs.begin(), needs.end());
    change.title = all ? (beside ? "a NIC next to every GPU" : "as many NICs as GPUs")
                       : (beside ? "a second NIC next to another GPU" : "a second NIC");
    add_if_any(std::move(change), changes);
  }
}

/// Moves all NICs of a host next to a GPU, and sets `first` to the first place. False if there is
/// no free slot next to the GPU.
bool move_beside(const ChangeContext& at, const input::Named<Shared<LayoutHost>>& host,
                 const std::string& gpu, std::optional<NewPlace>& first, Change& change) {
  NicSpecs specs = host.value->spec.nics;
  if (specs.empty()) return true;
  for (auto& nic : specs) {
    nic.value.slot.reset();
    nic.value.near = input::At<std::string>{gpu, {}};
  }
  const auto place =
      new_place(at, *host.value, host.name, specs, specs.front().name, number_of(gpu));
  if (!place || (!place->slot.empty() && !place->beside)) return false;
  if (!first) first = place;
  const std::string own = place_of(kHosts, host, "/nics/");
  for (const auto& nic : specs) {
    change.overrides.push_back(take_away(place_of(own.c_str(), nic, "/slot")));
    change.overrides.push_back(set_text(place_of(own.c_str(), nic, "/near"), gpu));
  }
  return true;
}

/// Each NIC in the free slot nearest to a GPU.
void add_moved(const ChangeContext& at, std::vector<Change>& changes) {
  if (!applies(at.result, "nic-other-root")) return;
  const DrawnHost* picture = drawn(at.result);
  if (picture == nullptr) return;
  for (const DrawnNode& node : picture->nodes) {
    if (node.kind != "GPU") continue;
    const std::string& gpu = node.name;
    Change change{"move-nic", {}, {}, {}, {}, false};
    std::optional<NewPlace> first;
    bool has_place = true;
    for (const auto& host : layout_of(at).hosts) {
      has_place = has_place && move_beside(at, host, gpu, first, change);
    }
    if (!has_place || !first) continue;
    change.title = first->slot.empty() ? fmt::format("the NIC in the free slot nearest to {}", gpu)
                                       : fmt::format("the NIC in {}, next to {}", first->slot, gpu);
    change.needs = {need_of_place(*first, gpu) + " [nic-other-root]"};
    add_if_any(std::move(change), changes);
  }
}

/// The kind of virtual adapter of a VM's NIC.
void add_kinds(const ChangeContext& at, std::vector<Change>& changes) {
  for (const vsphere::NicMode& kind : vsphere::nic_modes()) {
    if (kind.change == nullptr) continue;
    Change change{"nic-mode", kind.change, {}, {kind.change_needs}, {}, false};
    for (const auto* vm : vms_of_job(at)) {
      if (!vm->value->spec.nics) continue;
      for (const auto& nic : *vm->value->spec.nics) {
        if (*nic == &kind || (*nic)->is_exclusive) continue;
        change.overrides.push_back(set_text(place_of(kVms, *vm, "/nics/") + nic.name, kind.key));
      }
    }
    add_if_any(std::move(change), changes);
  }
}

}  // namespace

void add_nic_changes(const ChangeContext& at, std::vector<Change>& changes) {
  add_more(at, changes);
  add_moved(at, changes);
  add_kinds(at, changes);
}

}  // namespace vgsim::scenario
