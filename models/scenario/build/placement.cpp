#include "models/scenario/build/placement.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "models/collectives/pattern_size.hpp"
#include "models/scenario/build/host_roles.hpp"
#include "models/scenario/read/library.hpp"
#include "models/training/compute_noise.hpp"
#include "models/vsphere/gpu_sharing.hpp"
#include "sim/engine.hpp"
#include "topology/input/units/unit_strings.hpp"

namespace vgsim::scenario {

using collectives::Fidelity;
using collectives::PlacedNetwork;

namespace {

std::vector<collectives::PlacedVm> add_views(const Cluster& cluster,
                                             const std::vector<JobMachine>& machines,
                                             std::vector<vsphere::GuestView>& views) {
  std::map<std::pair<std::size_t, std::vector<std::size_t>>, std::size_t> view_of_kind;
  std::vector<collectives::PlacedVm> vms;
  for (const JobMachine& taken : machines) {
    const Machine& machine = cluster.machines[taken.machine];
    const auto [it, is_new] = view_of_kind.try_emplace({machine.kind, taken.gpus}, views.size());
    if (is_new) {
      views.emplace_back(cluster.topology,
                         vsphere::with_gpus(cluster.kinds[machine.kind], taken.gpus));
    }
    vms.push_back({it->second, machine.host});
  }
  return vms;
}

}  // namespace

collectives::RankGroup join(const Cluster& cluster, const Library& library,
                            const std::vector<JobMachine>& machines,
                            const collectives::NcclInput* nccl,
                            std::vector<vsphere::GuestView>& views) {
  std::vector<collectives::PlacedVm> vms = add_views(cluster, machines, views);
  if (nccl == nullptr) return {views, std::move(vms)};
  return {cluster.topology, *library.catalog, cluster.fabric, views, std::move(vms), *nccl};
}

namespace {

/// Whether ranks exchange results of layers distributed over them.
bool spreads_layers(const Placement& placement) {
  if (!placement.job.training) return false;
  const auto& layers = placement.job.training->network->layers;
  return std::any_of(layers.begin(), layers.end(), [](const auto& layer) { return layer.sharded; });
}

/// Whether the job has all-to-all traffic.
bool sends_to_all(const Placement& placement) {
  const auto& bare = placement.job.collective;
  return spreads_layers(placement) ||
         (bare && bare->collective == collectives::Collective::kAllToAll);
}

/// Key of a class of hosts: their kind, the job's VMs in them and the roles of their nodes.
Roles roles_of(const Placement& placement) {
  Roles roles(placement.cluster->hosts.size());
  for (std::size_t h = 0; h < roles.size(); ++h) {
    roles[h].push_back(static_cast<int>(placement.cluster->hosts[h].kind));
  }
  for (const collectives::PlacedVm& vm : placement.vms()) {
    roles[vm.host].push_back(static_cast<int>(vm.view));
  }
  const collectives::nccl::Decision& decision = placement.ranks().decision();
  if (decision.nodes.size() < 2) return roles;
  std::vector<std::size_t> host_of_node;
  for (const collectives::nccl::NcclNode& node : decision.nodes) {
    host_of_node.push_back(placement.vms()[node.host].host);
  }
  const Roles of_node = roles_of_nodes(decision, host_of_node);
  for (std::size_t n = 0; n < of_node.size(); ++n) {
    Roles::value_type& role = roles[host_of_node[n]];
    role.insert(role.end(), of_node[n].begin(), of_node[n].end());
  }
  return roles;
}

/// The leaves of a host's NICs, and their spines.
void add_place(const Cluster& cluster, std::size_t host, std::vector<int>& role) {
  const std::size_t nics = cluster.topology.hosts[cluster.hosts[host].kind].nics.size();
  for (std::size_t n = 0; n < nics; ++n) {
    role.push_back(static_cast<int>(cluster.fabric.leaf_of({host, n})));
  }
  role.push_back(static_cast<int>(host % std::max<std::size_t>(cluster.fabric.plan().spines, 1)));
}

}  // namespace

Shared<collectives::ExchangeClasses> find_exchange(const Placement& placement) {
  if (!sends_to_all(placement) || !placement.ranks().is_joined()) return nullptr;
  Roles roles = roles_of(placement);
  collectives::HostGroups groups{numbered(roles), {}};
  for (std::size_t h = 0; h < roles.size(); ++h) add_place(*placement.cluster, h, roles[h]);
  groups.same_place = numbered(roles);
  return std::make_shared<collectives::ExchangeClasses>(
      collectives::exchange_classes(placement.ranks(), groups));
}

std::vector<std::size_t> host_classes(const Placement& placement, Aggregation aggregation) {
  if (aggregation == Aggregation::kNone)
    return PlacedNetwork::every_host_alone(placement.cluster->hosts.size());
  if (placement.exchange) return placement.exchange->of_host;
  return numbered(roles_of(placement));
}

RankClass rank_class(const Placement& placement, std::size_t rank) {
  return {placement.ranks().vm_of(rank), placement.ranks().gpu_of(rank), 1};
}

std::vector<RankClass> ranks_of(const Placement& placement, Aggregation aggregation) {
  const std::vector<std::size_t> classes = host_classes(placement, aggregation);
  std::vector<RankClass> ranks;
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> first;  // by class and view: in ranks
  for (std::size_t v = 0; v < placement.vms().size(); ++v) {
    const collectives::PlacedVm& vm = placement.vms()[v];
    const std::size_t gpus = placement.views()[vm.view].gpu_count();
    if (aggregation == Aggregation::kBySymmetry) {
      const auto [it, is_new] = first.try_emplace({classes[vm.host], vm.view}, ranks.size());
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

/// Remaining capacity of each faulty link over time; of concurrent faults the worst counts.
std::map<ResourceId, std::map<SimTime, Ratio>> capacity_shares(const std::vector<Fault>& faults,
                                                               const PlacedNetwork& network) {
  std::map<ResourceId, std::vector<const Fault*>> by_link;
  for (const Fault& fault : faults) {
    for (const auto built : fault.links) {
      by_link[network.resource_in(fault.host, built)].push_back(&fault);
    }
  }
  std::map<ResourceId, std::map<SimTime, Ratio>> result;
  for (const auto& [id, list] : by_link) {
    std::map<SimTime, Ratio>& shares = result[id];
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

PlacedNetwork place_network(const Placement& placement, Aggregation aggregation) {
  PlacedNetwork network = place_network(placement, host_classes(placement, aggregation));
  if (placement.exchange && aggregation == Aggregation::kBySymmetry)
    network.set_equivalent_links(placement.exchange->links);
  return network;
}

PlacedNetwork place_network(const Placement& placement, std::vector<std::size_t> classes) {
  const Cluster& cluster = *placement.cluster;
  std::vector<std::size_t> kinds;
  for (const ClusterHost& host : cluster.hosts) kinds.push_back(host.kind);
  PlacedNetwork network(cluster.topology, cluster.fabric, kinds, std::move(classes),
                        placement.capacities.of_link);
  for (const auto& [id, changes] : capacity_shares(placement.job.faults, network)) {
    const Ratio capacity = network.network().resources.capacity(id);
    for (const auto& [at, share] : changes) {
      network.network().capacity_changes.push_back({at, id, capacity * share});
    }
  }
  return network;
}

namespace {

bool belongs_to(const vsphere::VirtualMachine& vm, topology::LinkResourceIndex built) {
  return vm.vcpus == built ||
         std::any_of(vm.nics.begin(), vm.nics.end(), [&](const vsphere::VmNic& nic) {
           return nic.costs.out == built || nic.costs.in == built;
         });
}

/// Converts a name of a VM's part to another host: "train01/vCPUs" to "train07/vCPUs".
std::optional<std::string> name_in_vm(const Cluster& cluster, std::size_t host,
                                      topology::LinkResourceIndex built) {
  for (const Machine& machine : cluster.machines) {
    const vsphere::VirtualMachine& kind = cluster.kinds[machine.kind];
    if (machine.host != host || !belongs_to(kind, built)) continue;
    return machine.name + cluster.topology.resources[built].name.substr(kind.name.size());
  }
  return std::nullopt;
}

}  // namespace

std::string link_name(const Placement& placement, const PlacedNetwork& network, ResourceId id) {
  const Cluster& cluster = *placement.cluster;
  const collectives::PlacedLink& link = network.link(id);
  if (!link.built) return cluster.fabric.name(link.fabric);
  const topology::LinkResource& built = cluster.topology.resources[*link.built];
  if (auto name = name_in_vm(cluster, link.host, *link.built)) return *std::move(name);
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
  return placement.cluster->gpu_name(placement.machine_of_vm[rank.vm], rank.gpu);
}

Fidelity fidelity_of(const Placement& placement, const RunSettings& settings) {
  return settings.fidelity.value_or(placement.job.fidelity);
}

bool has_time_slices(const Placement& placement) {
  if (!placement.job.training) return false;
  const Cluster& cluster = *placement.cluster;
  return std::any_of(placement.views().begin(), placement.views().end(), [&](const auto& view) {
    for (std::size_t g = 0; g < view.gpu_count(); ++g) {
      if (vsphere::has_time_slices(cluster.inventory, cluster.kinds, view.vm(), g)) return true;
    }
    return false;
  });
}

bool has_remote_clients(const Placement& placement) {
  return std::any_of(placement.views().begin(), placement.views().end(),
                     [](const auto& view) { return view.vm().remote_client.has_value(); });
}

Aggregation aggregation_without_jitter(const Placement& placement, const RunSettings& settings) {
  const auto& bare = placement.job.collective;
  const bool even = !bare || bare->collective == collectives::Collective::kAllReduce ||
                    bare->collective == collectives::Collective::kAllGather ||
                    bare->collective == collectives::Collective::kReduceScatter ||
                    bare->collective == collectives::Collective::kAllToAll;
  const bool by_nccl = placement.job.pattern == collectives::Pattern::kNccl;
  const bool alike = settings.use_symmetry && !has_remote_clients(placement) &&
                     !has_time_slices(placement) && even && by_nccl &&
                     placement.communicators->beside.empty() &&
                     (placement.exchange || !sends_to_all(placement)) &&
                     fidelity_of(placement, settings) == Fidelity::kFluid;
  return alike ? Aggregation::kBySymmetry : Aggregation::kNone;
}

Aggregation aggregation_of(const Placement& placement, const RunSettings& settings) {
  const bool varies = placement.job.variability.compute_sigma != 0.0;
  // Equivalent ranks that vary have to meet in each iteration; a record shows each.
  const bool meets = placement.job.training && placement.job.training->data_parallel_only &&
                     placement.job.exchanges() && !settings.record;
  return varies && !meets ? Aggregation::kNone : aggregation_without_jitter(placement, settings);
}

void check_memory(const Placement& placement, const RunSettings& settings,
                  Aggregation aggregation) {
  const std::uint64_t transfers =
      collectives::transfers_of(placement.job.pattern, placement.ranks());
  const auto& most = settings.limits.max_events;
  if (most && transfers > *most) {
    throw LimitExceeded(fmt::format(
        "the scenario is too large: each of the {} transfers of an AllReduce by pattern "
        "{} needs at least one event, and the limit is {} (--max-events)",
        transfers, collectives::pattern_words()[std::size_t(placement.job.pattern)], *most));
  }
  if (!settings.memory_limit) return;
  // Measured on 12,800 to 100,000 ranks with jitter: 0.23 kB a task of a rank and its dependencies,
  // 0.6 kB a link; on 8,000: 1.2 kB a task with a flow.
  constexpr std::uint64_t kBytesPerTask = 250;
  constexpr std::uint64_t kBytesPerFlow = 1200;
  constexpr std::uint64_t kBytesPerLink = 600;
  const Cluster& cluster = *placement.cluster;
  const std::uint64_t ranks = ranks_of(placement, aggregation).size();
  std::uint64_t buckets = 1;
  if (const auto& training = placement.job.training) {
    const std::int64_t bytes = training->network->parameters() * training->gradient_bytes.count();
    if (!training->buckets.single) {
      buckets += static_cast<std::uint64_t>(
          bytes / std::max<std::int64_t>(training->buckets.cap.count(), 1));
    }
  }
  const auto channels =
      static_cast<std::uint64_t>(std::max(placement.ranks().decision().channels, 1));
  const std::uint64_t edges = fidelity_of(placement, settings) == Fidelity::kChunk
                                  ? placement.ranks().ranks() * channels
                                  : channels;
  const std::uint64_t links = aggregation == Aggregation::kBySymmetry
                                  ? cluster.topology.resources.size()
                                  : cluster.topology.resources.size() /
                                        cluster.topology.hosts.size() * cluster.hosts.size();
  const std::uint64_t pairs = sends_to_all(placement) ? ranks * (placement.ranks().ranks()) : 0;
  const std::uint64_t tasks = ranks * (buckets + 5);
  const std::uint64_t flows = buckets * std::max(edges, transfers) + pairs;
  const std::uint64_t estimate =
      tasks * kBytesPerTask + flows * kBytesPerFlow + links * kBytesPerLink;
  if (estimate <= *settings.memory_limit) return;
  const auto size = [](std::uint64_t bytes) {
    return input::format_bytes(Bytes{static_cast<std::int64_t>(bytes)});
  };
  throw LimitExceeded(
      fmt::format("the scenario is too large: {} tasks over {} links need about {} of memory, and "
                  "the limit is {} (--memory-limit)",
                  tasks + flows, links, size(estimate), size(*settings.memory_limit)));
}

double straggling(const Placement& placement, const RankClass& rank) {
  const auto& stragglers = placement.job.variability.stragglers;
  if (stragglers.empty()) return 1.0;
  const std::string gpu = rank_name(placement, rank);
  const Machine& machine = placement.cluster->machines[placement.machine_of_vm[rank.vm]];
  const std::string& host = placement.cluster->hosts[machine.host].name;
  double factor = 1.0;
  for (const auto& [name, times] : stragglers) {
    if (name == gpu || name == host || name == machine.name) factor *= times;
  }
  return factor;
}

double wait_for_slowest(const Placement& placement, const Library& library) {
  const bool said = placement.job.variability.compute_sigma > 0;
  const bool meet = placement.job.exchanges();
  if (placement.cluster->idealised.ideal_computing || said || !meet) return 1.0;
  const training::TrainingJob& job = *placement.job.training;
  return training::slowest_factor(placement.ranks().ranks(), job.parallelism.micro_batches,
                                  job.network->batch_spread, library.parameters);
}

}  // namespace vgsim::scenario
