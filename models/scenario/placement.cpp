#include "models/scenario/placement.hpp"

#include <algorithm>
#include <map>

namespace vgsim::scenario {

using collectives::PlacedNetwork;
using Form = PlacedNetwork::Form;

std::vector<RankClass> ranks_of(const Placement& placement, Form form) {
  std::vector<RankClass> ranks;
  std::map<std::size_t, std::size_t> first_of_view;  // index into ranks
  for (std::size_t v = 0; v < placement.vms.size(); ++v) {
    const std::size_t view = placement.vms[v].view;
    const std::size_t gpus = placement.views[view].gpu_count();
    if (form == Form::folded) {
      const auto [it, is_new] = first_of_view.try_emplace(view, ranks.size());
      if (!is_new) {
        for (std::size_t g = 0; g < gpus; ++g) ++ranks[it->second + g].count;
        continue;
      }
    }
    for (std::size_t g = 0; g < gpus; ++g) ranks.push_back({v, g, 1});
  }
  return ranks;
}

namespace {

/// What remains of each link that fails, from which time on: of several faults at once the worst
/// counts.
std::map<ResourceId, std::map<SimTime, Exact>> capacity_shares(const std::vector<Fault>& faults,
                                                               const PlacedNetwork& network) {
  std::map<ResourceId, std::vector<const Fault*>> by_link;
  for (const Fault& fault : faults) {
    for (const auto built : fault.links) {
      by_link[network.resource_in(fault.host, built)].push_back(&fault);
    }
  }
  std::map<ResourceId, std::map<SimTime, Exact>> result;
  for (const auto& [id, list] : by_link) {
    std::map<SimTime, Exact>& shares = result[id];
    for (const Fault* fault : list) {
      shares[fault->at] = 1;
      if (fault->until) shares[*fault->until] = 1;
    }
    for (auto& [at, share] : shares) {
      for (const Fault* fault : list) {
        const bool active = fault->at <= at && (!fault->until || at < *fault->until);
        if (active && fault->share < share) share = fault->share;
      }
    }
  }
  return result;
}

}  // namespace

PlacedNetwork place_network(const Placement& placement, Form form) {
  const Cluster& cluster = placement.cluster;
  std::vector<std::size_t> kinds;
  for (const ClusterHost& host : cluster.hosts) kinds.push_back(host.kind);
  PlacedNetwork network(cluster.topology, cluster.fabric, std::move(kinds), cluster.capacity, form);
  for (const auto& [id, changes] : capacity_shares(placement.job.faults, network)) {
    const Exact capacity = network.network().resources.capacity(id);
    for (const auto& [at, share] : changes) {
      network.network().capacity_changes.push_back({at, id, capacity * share});
    }
  }
  return network;
}

std::string link_name(const Placement& placement, const PlacedNetwork& network, ResourceId id) {
  const Cluster& cluster = placement.cluster;
  const collectives::PlacedLink& link = network.link(id);
  if (!link.built) return cluster.fabric.name(link.fabric);
  const topology::LinkResource& built = cluster.topology.resources[*link.built];
  std::string name = cluster.name_in(link.host, built.name);
  if (built.kind != topology::LinkKind::kNicPort) return name;
  const auto& nics = cluster.topology.hosts[cluster.hosts[link.host].kind].nics;
  for (std::size_t n = 0; n < nics.size(); ++n) {
    if (nics[n].out != *link.built && nics[n].in != *link.built) continue;
    const std::string word = "network";
    name.replace(name.find(word, nics[n].out == *link.built ? name.rfind(word) : 0), word.size(),
                 "leaf" + std::to_string(cluster.fabric.leaf_of({link.host, n}) + 1));
  }
  return name;
}

std::string rank_name(const Placement& placement, const RankClass& rank) {
  return placement.cluster.gpu_name(placement.machine_of_vm[rank.vm], rank.gpu);
}

}  // namespace vgsim::scenario
