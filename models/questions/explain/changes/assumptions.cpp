#include <fmt/core.h>

#include <algorithm>

#include "models/questions/explain/changes/situation.hpp"

namespace vgsim::scenario {
namespace {

Change assumption(std::string id, std::string title) {
  Change change;
  change.id = std::move(id);
  change.title = std::move(title);
  change.is_assumption = true;
  return change;
}

void add_guest_topology(const Situation& at, std::vector<Change>& changes) {
  Change change = assumption("assumed-guest-topology",
                             "guest topology, taken as flat; with the host's PCIe tree");
  for (const auto& vm : layout_of(at).vms) {
    if (vm.value->spec.guest_topology.given) continue;
    change.overrides.push_back(set_text(place_of(kVms, vm, "/guest_topology"), "topo_file"));
  }
  add_if_any(std::move(change), changes);
}

void add_peer_to_peer(const Situation& at, std::vector<Change>& changes) {
  for (const bool taken : {true, false}) {
    Change change = assumption(
        "assumed-peer-to-peer",
        fmt::format("peer-to-peer traffic over PCIe in VMs, taken as {}allowed; if it is{}",
                    taken ? "" : "not ", taken ? " not" : ""));
    for (const auto& vm : layout_of(at).vms) {
      const auto& allowed = vm.value->spec.allow_p2p;
      if (allowed.given || *allowed != taken) continue;
      change.overrides.push_back(set_flag(place_of(kVms, vm, "/allow_p2p"), !taken));
    }
    add_if_any(std::move(change), changes);
  }
}

/// What was taken for the NVLinks of a host, where some were taken and not none: in words.
const std::string* taken_nvlinks(const topology::Topology& topology, const topology::Host& host) {
  using Kind = topology::OpenPoint::Kind;
  const auto taken = std::ranges::find(host.open, Kind::kTaken, &topology::OpenPoint::kind);
  if (taken == host.open.end()) return nullptr;
  for (const topology::Edge& edge : topology.edges_from(host.gpus.front())) {
    if (topology.link(edge).kind == topology::LinkKind::kNvLink) return &taken->text;
  }
  return nullptr;
}

/// NVLinks that were taken from the board of the catalogue. Said as the cluster says it, of all
/// hosts with that board.
void add_board_nvlinks(const Situation& at, std::vector<Change>& changes) {
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

}  // namespace

std::vector<Change> assumptions_of(const Situation& at) {
  std::vector<Change> changes;
  if (at.result.ranks < 2) return changes;
  add_guest_topology(at, changes);
  add_peer_to_peer(at, changes);
  add_board_nvlinks(at, changes);
  return changes;
}

}  // namespace vgsim::scenario
