#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "models/questions/explain/changes/situation.hpp"
#include "models/scenario/read/library.hpp"
#include "topology/graph/paths.hpp"
#include "topology/input/units/unit_strings.hpp"

namespace vgsim::scenario {
namespace {

constexpr std::int64_t kBytesPerSecondOfGigabit = 125'000'000;

/// NICs of all hosts, by catalogue name; hosts and name of each.
using NicsByModel = std::map<std::string, std::vector<std::pair<std::string, std::string>>>;

NicsByModel nics_of(const Layout& layout) {
  NicsByModel nics;
  for (const auto& host : layout.hosts) {
    for (const auto& nic : host.value->spec.nics) nics[*nic->nic].emplace_back(host.name, nic.name);
  }
  return nics;
}

/// What an architect would take today that is faster than some rate, slowest first.
std::vector<const topology::NicModel*> faster_than(BytesPerSecond rate,
                                                   const topology::Catalog& catalog) {
  std::vector<const topology::NicModel*> faster;
  for (const auto& [id, model] : catalog.nics) {
    if (model.upgrade && model.port_rate.value > rate) faster.push_back(&model);
  }
  std::stable_sort(faster.begin(), faster.end(), [](const auto* a, const auto* b) {
    return a->port_rate.value < b->port_rate.value;
  });
  return faster;
}

/// A switch port that is slower than the adapter would hold it back.
void lift_host_link(const Situation& at, BytesPerSecond rate, Change& change) {
  const auto& fabric = layout_of(at).fabric;
  if (!fabric || !(*fabric)->host_link || *(*fabric)->host_link >= rate) return;
  change.overrides.push_back(set_text("/fabric/host_link", input::format_rate(rate)));
}

void add_faster(const Situation& at, std::vector<Change>& changes) {
  for (const auto& [model, places] : nics_of(layout_of(at))) {
    const auto known = at.library.catalog->nics.find(model);
    if (known == at.library.catalog->nics.end()) continue;
    const auto all = faster_than(known->second.port_rate.value, *at.library.catalog);
    for (const topology::NicModel* faster : all) {
      const BytesPerSecond rate = faster->port_rate.value;
      Change change{"faster-nic", fmt::format("{} instead of {}", faster->id, model), {}, {}, {},
                    false};
      for (const auto& [host, nic] : places) {
        change.overrides.push_back(
            set_text(fmt::format("/hosts/{}/nics/{}/nic", host, nic), faster->id));
      }
      change.needs.push_back(fmt::format("PCIe {}.0 x{} slots, or the adapter runs below its rate",
                                         faster->pcie_generation, faster->pcie_lanes));
      change.parts[faster->id] = static_cast<double>(places.size());
      lift_host_link(at, rate, change);
      change.needs.push_back(
          fmt::format("switch ports of {} Gbit/s", rate.count() / kBytesPerSecondOfGigabit));
      changes.push_back(std::move(change));
    }
  }
}

/// GPUs of a host that no NIC stands beside, as far as the scenario says.
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

/// VMs that list their NICs must list the new ones.
class HandedNics {
 public:
  explicit HandedNics(const Layout& layout) {
    for (const auto& vm : layout.vms) {
      const vsphere::VmSpec& spec = vm.value->spec;
      if (!spec.nics || spec.nics->empty()) continue;
      const Place place{place_of(kVms, vm, "/nics/"), vsphere::to_string(*spec.nics->front())};
      if (spec.host) {
        of_host_[**spec.host].push_back(place);
      } else {
        of_any_.push_back(place);
      }
    }
  }

  void hand(const std::string& host, const std::string& nic, Change& change) {
    const auto own = of_host_.find(host);
    if (own != of_host_.end()) add(own->second, nic, change);
    if (handed_.insert(nic).second) add(of_any_, nic, change);
  }

 private:
  struct Place {
    std::string pointer;
    const char* mode;
  };

  static void add(const std::vector<Place>& places, const std::string& nic, Change& change) {
    for (const Place& place : places) {
      change.overrides.push_back(set_text(place.pointer + nic, place.mode));
    }
  }

  std::map<std::string, std::vector<Place>> of_host_;
  std::vector<Place> of_any_;     ///< VMs that are tied to no host
  std::set<std::string> handed_;  ///< names of NICs that these have
};

/// The free slot beside a GPU of the first host, by the GPU's name: "slot5". Empty where there is
/// none, nothing where the slots are not known.
std::optional<std::string> slot_beside(const Situation& at, const std::string& gpu) {
  const topology::Topology& built = at.prepared.layouts.front().placement.cluster->topology;
  const topology::Host& host = built.hosts.front();
  if (!host.free_slots) return std::nullopt;
  for (std::size_t g = 0; g < host.gpus.size(); ++g) {
    if (gpu != fmt::format("gpu{}", g)) continue;
    for (const topology::FreeSlot& slot : *host.free_slots) {
      if (topology::shares_root_complex(built, host.gpus[g], slot.under)) return slot.name;
    }
  }
  return std::string();
}

/// What a NIC beside that GPU asks for.
std::string need_of_slot(const Situation& at, const std::string& gpu) {
  const auto slot = slot_beside(at, gpu);
  if (!slot) return fmt::format("a free slot under the root complex or switch of {}", gpu);
  if (slot->empty()) return fmt::format("any free slot: none is beside {}", gpu);
  return fmt::format("{} of each host, which is free and beside {}", *slot, gpu);
}

/// So many NICs more in each host, like its first one, each beside a GPU that has none.
void add_more(const Situation& at, std::vector<Change>& changes) {
  const DrawnHost* picture = drawn(at.result);
  if (picture == nullptr) return;
  const auto gpus = static_cast<std::size_t>(
      std::count_if(picture->nodes.begin(), picture->nodes.end(),
                    [](const DrawnNode& node) { return node.kind == "GPU"; }));
  for (const bool all : {false, true}) {
    Change change{all ? "nic-per-gpu" : "second-nic", {}, {}, {"switch ports"}, {}, false};
    HandedNics handed(layout_of(at));
    std::set<std::string> needs;
    bool beside = true;
    for (const auto& host : layout_of(at).hosts) {
      const auto& nics = host.value->spec.nics;
      if (nics.empty() || nics.size() >= gpus) continue;
      const std::string& model = *nics.front()->nic;
      auto free = gpus_without_nic(*host.value, gpus);
      // The second one goes where it is of most use: away from the first.
      if (!all && free.size() > 1) free = {free[free.size() / 2]};
      for (const std::string& gpu : free) {
        const std::string name = fmt::format("{}-new", gpu);
        change.overrides.push_back(
            set_members(place_of(kHosts, host, "/nics/") + name, {{"nic", model}, {"near", gpu}}));
        change.parts[model] += 1;
        handed.hand(host.name, name, change);
        needs.insert(need_of_slot(at, gpu));
        beside = beside && slot_beside(at, gpu) != "";
      }
    }
    change.needs.insert(change.needs.begin(), needs.begin(), needs.end());
    change.title = all ? (beside ? "a NIC beside every GPU" : "as many NICs as GPUs")
                       : (beside ? "a second NIC beside another GPU" : "a second NIC");
    add_if_any(std::move(change), changes);
  }
}

/// Each NIC in the slot that is nearest to a GPU, where one is free beside it.
void add_moved(const Situation& at, std::vector<Change>& changes) {
  if (!bites(at.result, "nic-other-root")) return;
  const DrawnHost* picture = drawn(at.result);
  if (picture == nullptr) return;
  std::vector<std::string> gpus;
  for (const DrawnNode& node : picture->nodes) {
    if (node.kind == "GPU") gpus.push_back(node.name);
  }
  for (const std::string& gpu : gpus) {
    const auto slot = slot_beside(at, gpu);
    if (slot && slot->empty()) continue;
    Change change{"move-nic",
                  slot ? fmt::format("the NIC in {}, beside {}", *slot, gpu)
                       : fmt::format("the NIC in the free slot that is nearest to {}", gpu),
                  {},
                  {need_of_slot(at, gpu) + " [nic-other-root]"},
                  {},
                  false};
    for (const auto& host : layout_of(at).hosts) {
      const std::string own = place_of(kHosts, host, "/nics/");
      for (const auto& nic : host.value->spec.nics) {
        change.overrides.push_back(take_away(place_of(own.c_str(), nic, "/slot")));
        change.overrides.push_back(set_text(place_of(own.c_str(), nic, "/near"), gpu));
      }
    }
    add_if_any(std::move(change), changes);
  }
}

/// The kind of adapter that a VM gets of a NIC.
void add_kinds(const Situation& at, std::vector<Change>& changes) {
  struct Kind {
    vsphere::NicMode mode;
    const char* title;
    const char* need;
  };
  constexpr std::array kKinds = {Kind{vsphere::NicMode::kPassthrough, "NICs in passthrough",
                                      "the VM loses vMotion and snapshots"},
                                 Kind{vsphere::NicMode::kSriov, "NICs by SR-IOV",
                                      "SR-IOV on in BIOS, NIC and host; the VM loses vMotion"}};
  for (const Kind& kind : kKinds) {
    Change change{"nic-mode", kind.title, {}, {kind.need}, {}, false};
    for (const auto& vm : layout_of(at).vms) {
      if (!vm.value->spec.nics) continue;
      for (const auto& nic : *vm.value->spec.nics) {
        if (*nic == kind.mode || *nic == vsphere::NicMode::kPassthrough) continue;
        change.overrides.push_back(
            set_text(place_of(kVms, vm, "/nics/") + nic.name, vsphere::to_string(kind.mode)));
      }
    }
    add_if_any(std::move(change), changes);
  }
}

}  // namespace

void add_nic_changes(const Situation& at, std::vector<Change>& changes) {
  add_faster(at, changes);
  add_more(at, changes);
  add_moved(at, changes);
  add_kinds(at, changes);
}

}  // namespace vgsim::scenario
