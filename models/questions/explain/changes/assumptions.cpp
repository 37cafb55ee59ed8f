#include <fmt/core.h>

#include <algorithm>

#include "models/collectives/nccl/read/releases.hpp"
#include "models/questions/explain/changes/change_context.hpp"
#include "models/questions/explain/changes/nccl_paths.hpp"
#include "models/scenario/read/library.hpp"

namespace vgsim::scenario {
namespace {

Change assumption(std::string id, std::string title) {
  Change change;
  change.id = std::move(id);
  change.title = std::move(title);
  change.is_assumption = true;
  return change;
}

void add_guest_topology(const ChangeContext& at, std::vector<Change>& changes) {
  Change change = assumption("assumed-guest-topology",
                             "guest topology assumed flat; with the host's PCIe tree");
  for (const auto& vm : layout_of(at).vms) {
    if (vm.value->spec.guest_topology.given) continue;
    change.overrides.push_back(set_text(place_of(kVms, vm, "/guest_topology"), "topo_file"));
  }
  add_if_any(std::move(change), changes);
}

void add_peer_to_peer(const ChangeContext& at, std::vector<Change>& changes) {
  for (const bool taken : {true, false}) {
    Change change = assumption(
        "assumed-peer-to-peer",
        fmt::format("peer-to-peer traffic over PCIe in VMs assumed {}allowed; if it is{}",
                    taken ? "" : "not ", taken ? " not" : ""));
    for (const auto& vm : layout_of(at).vms) {
      const auto& allowed = vm.value->spec.allow_p2p;
      if (allowed.given || *allowed != taken) continue;
      change.overrides.push_back(set_flag(place_of(kVms, vm, "/allow_p2p"), !taken));
    }
    add_if_any(std::move(change), changes);
  }
}

/// Access control that sends traffic of peers through the root complex, on hosts without a
/// hypervisor that do not state it: users rarely notice it.
void add_assumed_acs(const ChangeContext& at, const NcclPaths& paths,
                     std::vector<Change>& changes) {
  if (!paths.below_switches || !layout_of(at).vms.empty()) return;
  Change change = assumption("assumed-acs", "ACS assumed off; if it is on");
  for (const auto& host : layout_of(at).hosts) {
    if (host.value->spec.acs.given) continue;
    change.overrides.push_back(set_flag(place_of(kHosts, host, "/acs"), true));
  }
  add_if_any(std::move(change), changes);
}

/// The same for an IOMMU that translates. Linux turns on access control with it
/// (drivers/pci/pci.c, pci_request_acs).
void add_assumed_iommu(const ChangeContext& at, const NcclPaths& paths,
                       std::vector<Change>& changes) {
  if (!layout_of(at).vms.empty()) return;
  bool turns_on_acs = false;
  Change change = assumption("assumed-iommu", "IOMMU translation assumed off; if on");
  for (const auto& host : layout_of(at).hosts) {
    const auto& acs = host.value->spec.acs;
    const bool redirects = paths.below_switches && (*acs || !acs.given);
    if (host.value->settings.iommu != vsphere::Iommu::kUnstated) continue;
    if (!redirects && !paths.through_roots) continue;
    change.overrides.push_back(set_text(place_of(kHosts, host, "/iommu"), "translate"));
    if (acs.given) continue;
    turns_on_acs = true;
    change.overrides.push_back(set_flag(place_of(kHosts, host, "/acs"), true));
  }
  if (turns_on_acs) change.title += " with ACS";
  add_if_any(std::move(change), changes);
}

/// The assumed NVLinks of a host as text, unless none are assumed.
const std::string* taken_nvlinks(const topology::Topology& topology, const topology::Host& host) {
  using Kind = topology::OpenPoint::Kind;
  const auto taken = std::ranges::find(host.open, Kind::kTaken, &topology::OpenPoint::kind);
  if (taken == host.open.end()) return nullptr;
  for (const topology::Edge& edge : topology.edges_from(host.gpus.front())) {
    if (topology.link(edge).kind == topology::LinkKind::kNvLink) return &taken->text;
  }
  return nullptr;
}

/// NVLinks assumed from a board of the catalogue, in the cluster's words, for all hosts with that
/// board.
void add_board_nvlinks(const ChangeContext& at, std::vector<Change>& changes) {
  const Cluster& cluster = *at.prepared.layouts.front().placement.cluster;
  Change change = assumption("assumed-nvlinks", {});
  for (const ClusterHost& host : cluster.hosts) {
    const std::string* taken = taken_nvlinks(cluster.topology, cluster.topology.hosts[host.kind]);
    if (taken == nullptr) continue;
    const auto said = std::ranges::find_if(
        cluster.open, [&](const auto& point) { return point.text.ends_with(*taken); });
    if (change.title.empty()) change.title = said->text + "; without them";
    change.overrides.push_back(set_members(place_of(kHosts, host, "/nvlink"), {{"kind", "none"}}));
  }
  add_if_any(std::move(change), changes);
}

/// Assumed parts not stated in files, each once, with their hosts.
struct TakenOnHosts {
  const topology::TakenPart* part;
  std::vector<std::string> hosts;
};

std::vector<TakenOnHosts> taken_parts(const Cluster& cluster) {
  std::vector<TakenOnHosts> all;
  for (const ClusterHost& host : cluster.hosts) {
    for (const topology::TakenPart& part : cluster.topology.hosts[host.kind].taken) {
      auto same = std::ranges::find_if(
          all, [&](const TakenOnHosts& each) { return each.part->text == part.text; });
      if (same == all.end()) same = all.insert(all.end(), {&part, {}});
      same->hosts.push_back(host.name);
    }
  }
  return all;
}

/// The fastest current NIC of at most four times the rate, since dumps often lack the newest cards.
const topology::NicModel* other_nic(BytesPerSecond rate, const topology::Catalog& catalog) {
  constexpr std::int64_t kMostTimes = 4;
  const topology::NicModel* best = nullptr;
  for (const auto& [id, model] : catalog.nics) {
    const BytesPerSecond own = model.port_rate.value;
    if (!model.upgrade || own <= rate || own > rate * kMostTimes) continue;
    if (best == nullptr || own > best->port_rate.value) best = &model;
  }
  return best;
}

void add_nic_rate(const TakenOnHosts& taken, const ChangeContext& at,
                  std::vector<Change>& changes) {
  constexpr std::int64_t kGigabit = 125'000'000;
  const topology::NicModel* other = other_nic(taken.part->rate, *at.library.catalog);
  if (other == nullptr) return;
  Change change = assumption("assumed-nic-rate",
                             fmt::format("{}; if it is {} Gbit/s ({})", taken.part->text,
                                         other->port_rate.value.count() / kGigabit, other->id));
  for (const std::string& host : taken.hosts) {
    for (const std::string& device : taken.part->devices) {
      change.overrides.push_back(
          set_text(fmt::format("{}{}/devices/{}/nic", kHosts, host, device), other->id));
      change.overrides.back().may_make = true;
    }
  }
  add_if_any(std::move(change), changes);
}

/// The CPUs with the highest and the lowest memory bandwidth, of the stated vendor or of any.
void add_cpu(const TakenOnHosts& taken, const ChangeContext& at, std::vector<Change>& changes) {
  const auto& cpus = at.library.catalog->cpus;
  const auto own = cpus.find(taken.part->taken);
  if (own == cpus.end()) return;
  const topology::CpuModel* least = nullptr;
  const topology::CpuModel* most = nullptr;
  const auto rate = [](const topology::CpuModel* cpu) { return cpu->memory_bandwidth.value; };
  for (const auto& [id, cpu] : cpus) {
    const bool fits = taken.part->maker.empty() ? cpu.vendor == "intel" || cpu.vendor == "amd"
                                                : id.starts_with(taken.part->maker);
    if (!fits || cpu == own->second) continue;
    if (taken.part->maker.empty() && cpu.vendor == own->second.vendor) continue;
    if (least == nullptr || rate(&cpu) < rate(least)) least = &cpu;
    if (most == nullptr || rate(&cpu) > rate(most)) most = &cpu;
  }
  if (most == nullptr) return;
  std::vector<const topology::CpuModel*> others{most};
  if (least != most) others.push_back(least);
  for (const topology::CpuModel* cpu : others) {
    Change change =
        assumption("assumed-cpu", fmt::format("{}; if it is {}", taken.part->text, cpu->id));
    for (const std::string& host : taken.hosts) {
      change.overrides.push_back(set_text(kHosts + host + "/cpu", cpu->id));
    }
    add_if_any(std::move(change), changes);
  }
}

void add_taken_parts(const ChangeContext& at, std::vector<Change>& changes) {
  for (const TakenOnHosts& taken : taken_parts(*at.prepared.layouts.front().placement.cluster)) {
    if (taken.part->kind == topology::TakenPart::Kind::kNicRate) {
      add_nic_rate(taken, at, changes);
    } else {
      add_cpu(taken, at, changes);
    }
  }
}

/// Bridges on pairs of cards, for a catalogue server that supports them and without a setting in
/// the scenario.
void add_assumed_bridges(const ChangeContext& at, std::vector<Change>& changes) {
  Change change =
      assumption("assumed-bridges", "no NVLink bridges assumed; with one on each pair of GPUs");
  for (const auto& host : layout_of(at).hosts) {
    const topology::HostSpec& spec = host.value->spec;
    if (spec.nvlink_bridges || !spec.server || !spec.gpus) continue;
    const auto server = at.library.catalog->servers.find((*spec.server)->name);
    const bool takes_bridges = server != at.library.catalog->servers.end() &&
                               server->second.nvlink.kind == topology::NvLinkLayout::Kind::kBridge;
    if (!takes_bridges) continue;
    const auto model = at.library.catalog->gpus.find((*spec.gpus)->gpu);
    if (model == at.library.catalog->gpus.end() || model->second.nvlink_links == 0) continue;
    std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
    for (std::int64_t g = 0; g + 1 < static_cast<std::int64_t>((*spec.gpus)->count); g += 2) {
      pairs.emplace_back(g, g + 1);
    }
    if (pairs.empty()) continue;
    change.overrides.push_back(set_pairs(place_of(kHosts, host, "/nvlink_bridges"), pairs));
  }
  add_if_any(std::move(change), changes);
}

/// The default is the newest known release; clusters also run those of the preceding years.
void add_nccl_version(const ChangeContext& at, std::vector<Change>& changes) {
  const auto& releases = at.library.nccl;
  const JobSpec& job = *layout_of(at).job;
  if (job.nccl.version || *job.pattern != collectives::Pattern::kNccl) return;
  const auto name = [&](std::size_t before) {
    return collectives::nccl::to_string(releases[releases.size() - 1 - before].constants.version);
  };
  for (const std::size_t before : {1U, 3U, 5U, 8U}) {
    if (before >= releases.size()) continue;
    Change change = assumption(
        "assumed-nccl-version",
        fmt::format("NCCL version assumed to be {}; if it is {}", name(0), name(before)));
    change.overrides.push_back(set_text("/job/nccl/version", name(before)));
    changes.push_back(std::move(change));
  }
}

}  // namespace

std::vector<Change> assumptions_of(const ChangeContext& at) {
  std::vector<Change> changes;
  if (at.result.ranks < 2) return changes;
  const NcclPaths paths = nccl_paths(at);
  add_peer_to_peer(at, changes);
  add_assumed_acs(at, paths, changes);
  add_assumed_iommu(at, paths, changes);
  add_guest_topology(at, changes);
  add_board_nvlinks(at, changes);
  add_assumed_bridges(at, changes);
  add_taken_parts(at, changes);
  add_nccl_version(at, changes);
  return changes;
}

}  // namespace vgsim::scenario
