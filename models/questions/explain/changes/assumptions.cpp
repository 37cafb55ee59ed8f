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

/// NVLinks that were taken from the board of the catalogue.
void add_board_nvlinks(const Situation& at, std::vector<Change>& changes) {
  using Kind = topology::OpenPoint::Kind;
  const Cluster& cluster = *at.prepared.layouts.front().placement.cluster;
  const auto said = std::ranges::find(cluster.open, Kind::kTaken, &topology::OpenPoint::kind);
  if (said == cluster.open.end()) return;
  Change change = assumption("assumed-nvlinks", said->text + "; without them");
  for (const ClusterHost& host : cluster.hosts) {
    const auto& open = cluster.topology.hosts[host.kind].open;
    const bool taken = !open.empty() && open.front().kind == Kind::kTaken;
    if (!taken) continue;
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
