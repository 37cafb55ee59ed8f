#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "models/questions/explain/changes/document.hpp"
#include "models/scenario/read/library.hpp"
#include "topology/input/unit_strings.hpp"

namespace vgsim::scenario {
namespace {

/// Adapters that an architect would take today, one for each rate and kind of bus.
constexpr std::array kAdapters = {"connectx-6-lx-25g", "connectx-6-dx-100g", "connectx-6-dx-200g",
                                  "connectx-7-ndr-400g", "connectx-8-800g"};

constexpr std::int64_t kBytesPerSecondOfGigabit = 125'000'000;

/// NICs of all hosts, by catalogue name; hosts and name of each.
using NicsByModel = std::map<std::string, std::vector<std::pair<std::string, std::string>>>;

NicsByModel nics_of(const input::Value& document) {
  NicsByModel nics;
  for (const std::string& host : names_at(document, "/hosts")) {
    const std::string at = fmt::format("/hosts/{}/nics", host);
    for (const std::string& nic : names_at(document, at)) {
      nics[text_at(document, fmt::format("{}/{}/nic", at, nic))].emplace_back(host, nic);
    }
  }
  return nics;
}

/// A switch port that is slower than the adapter would hold it back.
void lift_host_link(const Situation& at, BytesPerSecond rate, Change& change) {
  const std::string link = text_at(at.document, "/fabric/host_link");
  if (link.empty()) return;
  const auto known = input::parse_bytes_per_second(link);
  if (!known || *known >= rate) return;
  change.overrides.push_back(set_text("/fabric/host_link", input::format_rate(rate)));
}

void add_faster(const Situation& at, std::vector<Change>& changes) {
  for (const auto& [model, places] : nics_of(at.document)) {
    const auto known = at.library.catalog.nics.find(model);
    if (known == at.library.catalog.nics.end()) continue;
    for (const char* faster : kAdapters) {
      const auto other = at.library.catalog.nics.find(faster);
      if (other == at.library.catalog.nics.end()) continue;
      const BytesPerSecond rate = other->second.port_rate.value;
      if (rate <= known->second.port_rate.value) continue;
      Change change{"faster-nic", fmt::format("{} instead of {}", faster, model), {}, {}, {},
                    false};
      for (const auto& [host, nic] : places) {
        change.overrides.push_back(
            set_text(fmt::format("/hosts/{}/nics/{}/nic", host, nic), faster));
      }
      change.needs.push_back(fmt::format("PCIe {}.0 x{} slots, or the adapter runs below its rate",
                                         other->second.pcie_generation, other->second.pcie_lanes));
      change.parts[faster] = static_cast<double>(places.size());
      lift_host_link(at, rate, change);
      change.needs.push_back(
          fmt::format("switch ports of {} Gbit/s", rate.count() / kBytesPerSecondOfGigabit));
      changes.push_back(std::move(change));
    }
  }
}

/// GPUs of a host that no NIC stands beside, as far as the scenario says.
std::vector<std::string> gpus_without_nic(const input::Value& document, const std::string& host,
                                          std::size_t gpus) {
  std::set<std::string> taken;
  const std::string at = fmt::format("/hosts/{}/nics", host);
  for (const std::string& nic : names_at(document, at)) {
    taken.insert(text_at(document, fmt::format("{}/{}/near", at, nic)));
  }
  std::vector<std::string> free;
  for (std::size_t g = 0; g < gpus; ++g) {
    const std::string name = fmt::format("gpu{}", g);
    if (!taken.contains(name)) free.push_back(name);
  }
  return free;
}

/// VMs that list their NICs must list the new ones.
void hand_to_vms(const Situation& at, const std::string& host, const std::string& nic,
                 Change& change) {
  for (const std::string& vm : names_at(at.document, "/vms")) {
    const std::string own = fmt::format("/vms/{}", vm);
    const std::string its_host = text_at(at.document, own + "/host");
    const auto listed = names_at(at.document, own + "/nics");
    if (listed.empty() || (!its_host.empty() && its_host != host)) continue;
    const std::string kind = text_at(at.document, fmt::format("{}/nics/{}", own, listed.front()));
    change.overrides.push_back(set_text(fmt::format("{}/nics/{}", own, nic), kind));
  }
}

/// So many NICs more in each host, like its first one, each beside a GPU that has none.
void add_more(const Situation& at, std::vector<Change>& changes) {
  const DrawnHost* picture = drawn(at.result);
  if (picture == nullptr) return;
  const auto gpus = static_cast<std::size_t>(
      std::count_if(picture->nodes.begin(), picture->nodes.end(),
                    [](const DrawnNode& node) { return node.kind == "GPU"; }));
  for (const bool all : {false, true}) {
    Change change{all ? "nic-per-gpu" : "second-nic",
                  all ? "a NIC beside every GPU" : "a second NIC beside another GPU",
                  {},
                  {"a free slot under the same root complex or switch, and switch ports"},
                  {},
                  false};
    for (const std::string& host : names_at(at.document, "/hosts")) {
      const std::string own = fmt::format("/hosts/{}/nics", host);
      const auto nics = names_at(at.document, own);
      if (nics.empty() || nics.size() >= gpus) continue;
      const std::string model = text_at(at.document, fmt::format("{}/{}/nic", own, nics.front()));
      auto free = gpus_without_nic(at.document, host, gpus);
      // The second one goes where it is of most use: away from the first.
      if (!all && free.size() > 1) free = {free[free.size() / 2]};
      for (const std::string& gpu : free) {
        const std::string name = fmt::format("{}-new", gpu);
        change.overrides.push_back(
            {fmt::format("{}/{}", own, name),
             input::Value::make_object({{"nic", {}, input::Value::make_string(model)},
                                        {"near", {}, input::Value::make_string(gpu)}})});
        change.parts[model] += 1;
        hand_to_vms(at, host, name, change);
      }
    }
    if (!change.overrides.empty()) changes.push_back(std::move(change));
  }
}

/// Each NIC in the slot that is nearest to a GPU.
void add_moved(const Situation& at, std::vector<Change>& changes) {
  if (!bites(at.result, "nic-other-root")) return;
  const DrawnHost* picture = drawn(at.result);
  if (picture == nullptr) return;
  std::vector<std::string> gpus;
  for (const DrawnNode& node : picture->nodes) {
    if (node.kind == "GPU") gpus.push_back(node.name);
  }
  for (const std::string& gpu : gpus) {
    Change change{"move-nic", fmt::format("the NIC in the free slot that is nearest to {}", gpu),
                  {},         {"a free slot there [nic-other-root]"},
                  {},         false};
    for (const std::string& host : names_at(at.document, "/hosts")) {
      const std::string own = fmt::format("/hosts/{}/nics", host);
      for (const std::string& nic : names_at(at.document, own)) {
        change.overrides.push_back(take_away(fmt::format("{}/{}/slot", own, nic)));
        change.overrides.push_back(set_text(fmt::format("{}/{}/near", own, nic), gpu));
      }
    }
    if (!change.overrides.empty()) changes.push_back(std::move(change));
  }
}

/// The kind of adapter that a VM gets of a NIC.
void add_kinds(const Situation& at, std::vector<Change>& changes) {
  struct Kind {
    const char* word;
    const char* title;
    const char* need;
  };
  constexpr std::array kKinds = {
      Kind{"passthrough", "NICs in passthrough", "the VM loses vMotion and snapshots"},
      Kind{"sriov", "NICs by SR-IOV", "SR-IOV on in BIOS, NIC and host; the VM loses vMotion"}};
  for (const Kind& kind : kKinds) {
    Change change{"nic-mode", kind.title, {}, {kind.need}, {}, false};
    for (const std::string& vm : names_at(at.document, "/vms")) {
      const std::string own = fmt::format("/vms/{}/nics", vm);
      for (const std::string& nic : names_at(at.document, own)) {
        const std::string place = fmt::format("{}/{}", own, nic);
        const std::string now = text_at(at.document, place);
        if (now == kind.word || now == "passthrough") continue;
        change.overrides.push_back(set_text(place, kind.word));
      }
    }
    if (!change.overrides.empty()) changes.push_back(std::move(change));
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
