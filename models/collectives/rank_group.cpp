#include "models/collectives/rank_group.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include "models/collectives/guest_machine.hpp"
#include "models/collectives/nccl/local_nets.hpp"
#include "models/collectives/nccl/rules.hpp"
#include "models/vsphere/guest_view.hpp"

namespace vgsim::collectives {
namespace {

/// Without InfiniBand verbs NCCL uses sockets, which cannot access GPU memory.
void remove_rdma(std::vector<nccl::MachinePci>& pcis) {
  for (nccl::MachinePci& pci : pcis) {
    for (nccl::MachineNet& net : pci.nets) net.gdr = false;
    remove_rdma(pci.children);
  }
}

enum HopKind : std::uint32_t {
  kPeer,
  kExchange,
  kStaged,
  kByNic,
  kSend,
  kReceive,
  kToSwitch,
  kFromSwitch
};

/// Part of a hop's key: GPUDirect or not, and the reach.
std::size_t way(bool direct, Reach reach) {
  return (direct ? 1U : 0U) + (reach == Reach::kVirtualSwitch ? 2U : 0U);
}

}  // namespace

RankGroup::RankGroup(const std::vector<vsphere::GuestView>& views, std::vector<PlacedVm> vms)
    : views_(&views), vms_(std::move(vms)) {
  for (std::size_t v = 0; v < vms_.size(); ++v) {
    for (std::size_t g = 0; g < views[vms_[v].view].gpu_count(); ++g) {
      rank_vm_.push_back(v);
      rank_gpu_.push_back(g);
    }
  }
}

RankGroup::RankGroup(const topology::Topology& topology, const topology::Catalog& catalog,
                     const topology::Fabric& fabric, const std::vector<vsphere::GuestView>& views,
                     std::vector<PlacedVm> vms, NcclInput nccl)
    : RankGroup(views, std::move(vms)) {
  topology_ = &topology;
  fabric_ = &fabric;
  nccl_ = std::move(nccl);
  if (ranks() < 2) return;
  if (vms_.size() > 1) check_connected();
  decision_ = decide(catalog);
  if (decision().rank_node.size() != ranks()) {
    throw std::logic_error("the number of NCCL's GPUs differs from the number of ranks");
  }
  min_sm_ = std::numeric_limits<int>::max();
  const nccl::Rules rules = nccl::rules_of(nccl_.constants.version);
  for (const nccl::NodeKind& kind : decision().kinds) {
    const nccl::Graph& graph = kind.connected.graph;
    auto& nics = peer_nic_.emplace_back();
    for (std::size_t g = 0; g < graph.gpus.size() && !graph.nets.empty(); ++g) {
      const int net = nccl::preferred_net(graph, kind.connected.paths, g, 0, rules);
      nics.push_back(static_cast<Nic>(graph.nets.at(static_cast<std::size_t>(net)).dev));
    }
    auto& heads = nvls_heads_.emplace_back();
    for (std::size_t h = 0; kind.graphs.nvls && h < kind.graphs.nvls->channels.size(); ++h) {
      const auto head =
          static_cast<std::size_t>(kind.ranks[kind.graphs.nvls->channels[h].gpus.front()]);
      if (std::find(heads.begin(), heads.end(), head) == heads.end()) heads.push_back(head);
    }
    min_sm_ = std::min(min_sm_, kind.connected.graph.min_sm());
    auto& numbers = graph_gpu_.emplace_back();
    for (std::size_t g = 0; g < kind.ranks.size(); ++g) {
      const auto gpu = static_cast<std::size_t>(kind.ranks[g]);
      if (numbers.size() <= gpu) numbers.resize(gpu + 1, 0);
      numbers[gpu] = g;
    }
  }
}

std::shared_ptr<const nccl::Decision> RankGroup::decide(const topology::Catalog& catalog) const {
  std::vector<nccl::Machine> machines;
  for (const vsphere::GuestView& view : *views_) {
    machines.push_back(guest_machine(*topology_, catalog, view));
    if (!nccl_.settings.ib_disable.value_or(false)) continue;
    for (nccl::MachineCpu& cpu : machines.back().cpus) remove_rdma(cpu.pcis);
  }
  std::vector<std::size_t> hosts;
  for (const PlacedVm& vm : vms_) hosts.push_back(vm.view);
  try {
    return std::make_shared<const nccl::Decision>(
        nccl::decide(machines, hosts, nccl_.settings, nccl_.constants));
  } catch (const std::invalid_argument& error) {
    throw NotConnected(error.what());
  }
}

RankGroup RankGroup::on_hosts(const std::vector<std::size_t>& hosts) const {
  RankGroup moved = *this;
  for (std::size_t v = 0; v < moved.vms_.size(); ++v) moved.vms_[v].host = hosts.at(v);
  return moved;
}

void RankGroup::check_connected() const {
  for (const PlacedVm& vm : vms_) {
    const vsphere::GuestView& view = (*views_)[vm.view];
    if (view.vm().nics.empty()) {
      throw NotConnected(fmt::format("{} has no NIC, and the job spans {} VMs or hosts",
                                     view.vm().name, vms_.size()));
    }
    const vsphere::GuestView& first = (*views_)[vms_.front().view];
    for (std::size_t n = 0; n < view.vm().nics.size(); ++n) {
      if (fabric_->path({vm.host, view.vm().nics[n].host_nic},
                        {vms_.front().host, first.vm().nics[0].host_nic})) {
        continue;
      }
      throw NotConnected(fmt::format("the fabric does not join NIC {} of {} and NIC {} of {}",
                                     view.nic(n).name, view.vm().name, first.nic(0).name,
                                     first.vm().name));
    }
  }
}

const nccl::NodeKind& RankGroup::kind_of(std::size_t rank) const {
  return decision().kinds[decision().nodes[node_of(rank)].kind];
}

std::size_t RankGroup::graph_gpu(std::size_t rank) const {
  return graph_gpu_[decision().nodes[node_of(rank)].kind][rank_gpu_[rank]];
}

std::optional<std::size_t> RankGroup::graph_net(const nccl::NodeKind& kind, Nic nic) const {
  const auto& nets = kind.connected.graph.nets;
  for (std::size_t n = 0; n < nets.size(); ++n) {
    if (static_cast<Nic>(nets[n].dev) == nic) return n;
  }
  return std::nullopt;
}

Nic RankGroup::nic_of(std::size_t node, std::size_t net) const {
  return static_cast<Nic>(
      decision().kinds[decision().nodes[node].kind].connected.graph.nets.at(net).dev);
}

RankGroup::RingNics RankGroup::ring_nics(std::size_t node, int channel) const {
  const nccl::NodeKind& kind = decision().kinds[decision().nodes[node].kind];
  const int searched =
      decision().origin.at(static_cast<std::size_t>(channel)) % decision().search_channels;
  const int cross_nic =
      decision().swaps_rails_by_node ? kind.graphs.ring.cross_nic : decision().ring.cross_nic;
  const bool swapped = cross_nic == 2 && decision().search_channels % 2 == 0 && node % 2 == 1;
  const auto& found =
      kind.graphs.ring.channels[static_cast<std::size_t>(swapped ? searched ^ 1 : searched)];
  return {nic_of(node, found.first_net), nic_of(node, found.last_net)};
}

Nic RankGroup::tree_nic(std::size_t rank, int channel) const {
  const std::size_t node = node_of(rank);
  const nccl::NodeKind& kind = decision().kinds[decision().nodes[node].kind];
  const int searched =
      decision().origin.at(static_cast<std::size_t>(channel)) % decision().search_channels;
  const auto& found = kind.graphs.tree.channels[static_cast<std::size_t>(searched)];
  return nic_of(node, graph_gpu(rank) == found.gpus.front() ? found.first_net : found.last_net);
}

std::array<Leg, 2> RankGroup::to_network_and_back(std::size_t rank) const {
  const std::size_t host = host_of(rank);
  const Nic nic = peer_nic(rank);
  const Hop& out = sending(rank, nic, Reach::kNetwork);
  const Hop& in = receiving(rank, nic, Reach::kNetwork);
  return {
      Leg{out.transport, host, &out.crossings, {}, host, nullptr, out.latency, out.connection_rate},
      Leg{in.transport, host, &in.crossings, {}, host, nullptr, in.latency, in.connection_rate}};
}

bool RankGroup::on_nvswitch(std::size_t node) const {
  return !decision().kinds[decision().nodes[node].kind].connected.graph.nv_switches.empty();
}

std::size_t RankGroup::KeyHash::operator()(const Key& key) const {
  std::size_t hash = key.view * 8 + key.kind;
  for (const std::size_t part : {key.a, key.b, key.c, key.d}) hash = hash * 1'000'003 + part;
  return hash;
}

template <class Plan>
const Hop& RankGroup::cached(const Key& key, const Plan& plan) const {
  const std::lock_guard guard(*lock_);
  const auto found = hops_.find(key);
  if (found != hops_.end()) return found->second;
  const auto planner = planners_.try_emplace(key.view, *topology_, (*views_)[key.view]).first;
  return hops_.emplace(key, plan(planner->second)).first->second;
}

Leg RankGroup::inside(std::size_t from, std::size_t to) const {
  const PlacedVm& vm = vms_[rank_vm_[from]];
  const std::size_t a = rank_gpu_[from];
  const std::size_t b = rank_gpu_[to];
  const bool peers =
      kind_of(from).connected.transports[graph_gpu(from)][graph_gpu(to)] == nccl::Transport::kP2p;
  const Hop& hop =
      peers ? cached({vm.view, kPeer, a, b, 0, 0},
                     [&](const HopPlanner& planner) { return planner.peer_to_peer(a, b); })
            : cached({vm.view, kStaged, a, b, 0, 0},
                     [&](const HopPlanner& planner) { return planner.staged(a, b); });
  return {hop.transport, vm.host, &hop.crossings, {}, vm.host, nullptr, {}, {}};
}

Reach RankGroup::reach(const PlacedVm& a, Nic out, const PlacedVm& b, Nic in) const {
  const vsphere::VmNic& from = (*views_)[a.view].vm().nics[out];
  const vsphere::VmNic& to = (*views_)[b.view].vm().nics[in];
  const bool switched =
      a.host == b.host && from.host_nic == to.host_nic && from.is_adapter() && to.is_adapter();
  return switched ? Reach::kVirtualSwitch : Reach::kNetwork;
}

const Hop& RankGroup::sending(std::size_t rank, Nic out, Reach reach) const {
  const nccl::NodeKind& kind = kind_of(rank);
  const std::size_t gpu = graph_gpu(rank);
  const std::size_t net = graph_net(kind, out).value_or(0);
  const std::size_t relay = kind.connected.relay[gpu][net];
  const bool direct = kind.connected.gdr[relay][net].send;
  const std::optional<std::size_t> by =
      relay == gpu ? std::nullopt : std::optional(static_cast<std::size_t>(kind.ranks[relay]));
  const Key key{
      vms_[rank_vm_[rank]].view, kSend, rank_gpu_[rank], out, by.value_or(rank_gpu_[rank]),
      way(direct, reach)};
  return cached(key, [&](const HopPlanner& planner) {
    return planner.send(rank_gpu_[rank], out, direct, by, reach);
  });
}

const Hop& RankGroup::receiving(std::size_t rank, Nic in, Reach reach) const {
  const nccl::NodeKind& kind = kind_of(rank);
  const std::size_t net = graph_net(kind, in).value_or(0);
  const bool direct = kind.connected.gdr[graph_gpu(rank)][net].receive;
  const Key key{vms_[rank_vm_[rank]].view, kReceive, rank_gpu_[rank], in, 0, way(direct, reach)};
  return cached(key, [&](const HopPlanner& planner) {
    return planner.receive(in, rank_gpu_[rank], direct, reach);
  });
}

Leg RankGroup::across(std::size_t from, Nic out, std::size_t to, Nic in) const {
  const PlacedVm& a = vms_[rank_vm_[from]];
  const PlacedVm& b = vms_[rank_vm_[to]];
  const Reach far = rank_vm_[from] == rank_vm_[to] ? Reach::kNetwork : reach(a, out, b, in);
  const Hop& first = sending(from, out, far);
  const Hop& second = receiving(to, in, far);
  if (rank_vm_[from] == rank_vm_[to]) {
    const bool direct = first.transport == Transport::kNetwork;
    const Key key{a.view, kByNic, rank_gpu_[from], out, in * 256 + rank_gpu_[to], direct ? 1U : 0U};
    const Hop& hop = cached(key, [&](const HopPlanner& planner) {
      return planner.by_nic(rank_gpu_[from], out, in, rank_gpu_[to], direct);
    });
    return {hop.transport, a.host,      &hop.crossings,      {},        a.host,
            nullptr,       hop.latency, hop.connection_rate, hop.staged};
  }
  std::optional<BytesPerSecond> connection = first.connection_rate;
  if (!connection || (second.connection_rate && *second.connection_rate < *connection)) {
    connection = second.connection_rate;
  }
  const Transport slower = std::max(first.transport, second.transport);
  const bool by_tcp = nccl_.settings.ib_disable.value_or(false) && slower < Transport::kSocket;
  Leg leg{by_tcp ? Transport::kSocket : slower,
          a.host,
          &first.crossings,
          {},
          b.host,
          &second.crossings,
          first.latency + second.latency,
          connection,
          second.staged && !by_tcp,
          (*views_)[a.view].vm().nics[out].host_nic,
          (*views_)[b.view].vm().nics[in].host_nic};
  const topology::FabricPath path = path_of(leg, a.host, b.host);
  if (far == Reach::kNetwork) leg.fabric = path;
  return leg;
}

topology::FabricPath RankGroup::path_of(const Leg& leg, std::size_t from_host,
                                        std::size_t to_host) const {
  const auto path = fabric_->path({from_host, leg.from_nic}, {to_host, leg.to_nic});
  if (!path) throw NotConnected("the fabric does not join the NICs of two ranks");
  return *path;
}

Nic RankGroup::peer_nic(std::size_t rank) const {
  return peer_nic_[decision().nodes[node_of(rank)].kind].at(graph_gpu(rank));
}

std::size_t RankGroup::nvls_head(std::size_t node, std::size_t head) const {
  const nccl::NcclNode& found = decision().nodes[node];
  return static_cast<std::size_t>(found.first_rank) + nvls_heads_[found.kind].at(head);
}

RankGroup::PeerNics RankGroup::peer_nics(std::size_t from, std::size_t to) const {
  const Nic in = peer_nic(to);
  const nccl::NodeKind& kind = kind_of(from);
  const auto same_rail = graph_net(kind, in);
  const bool relayed =
      same_rail && kind.connected.relay[graph_gpu(from)][*same_rail] != graph_gpu(from);
  return {relayed ? in : peer_nic(from), in};
}

Leg RankGroup::peer(std::size_t from, std::size_t to) const {
  if (node_of(from) == node_of(to)) return inside(from, to);
  const PeerNics nics = peer_nics(from, to);
  return across(from, nics.out, to, nics.in);
}

topology::FabricPath RankGroup::exchange_path(std::size_t from, std::size_t to) const {
  const PlacedVm& a = vms_[rank_vm_[from]];
  const PlacedVm& b = vms_[rank_vm_[to]];
  if (node_of(from) == node_of(to) || rank_vm_[from] == rank_vm_[to]) return {};
  const PeerNics nics = peer_nics(from, to);
  if (reach(a, nics.out, b, nics.in) != Reach::kNetwork) return {};
  const auto path = fabric_->path({a.host, (*views_)[a.view].vm().nics[nics.out].host_nic},
                                  {b.host, (*views_)[b.view].vm().nics[nics.in].host_nic});
  return path.value_or(topology::FabricPath{});
}

Leg RankGroup::exchange(std::size_t from, std::size_t to) const {
  Leg leg = peer(from, to);
  const PlacedVm& vm = vms_[rank_vm_[from]];
  const HopPlanner planner(*topology_, (*views_)[vm.view]);
  if (leg.transport != Transport::kPcieRoot || !planner.meet_at_many_ports()) return leg;
  const std::size_t a = rank_gpu_[from];
  const std::size_t b = rank_gpu_[to];
  leg.leaving = &cached({vm.view, kExchange, a, b, 0, 0}, [&](const HopPlanner& plan) {
                   return plan.peer_to_peer(a, b, Partners::kMany);
                 }).crossings;
  return leg;
}

const std::vector<Crossing>& RankGroup::to_switch(std::size_t rank) const {
  const std::size_t gpu = rank_gpu_[rank];
  return cached({vms_[rank_vm_[rank]].view, kToSwitch, gpu, 0, 0, 0},
                [&](const HopPlanner& planner) { return planner.to_switch(gpu); })
      .crossings;
}

const std::vector<Crossing>& RankGroup::from_switch(std::size_t rank) const {
  const std::size_t gpu = rank_gpu_[rank];
  return cached({vms_[rank_vm_[rank]].view, kFromSwitch, gpu, 0, 0, 0},
                [&](const HopPlanner& planner) { return planner.from_switch(gpu); })
      .crossings;
}

}  // namespace vgsim::collectives
