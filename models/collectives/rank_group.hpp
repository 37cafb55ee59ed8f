#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <unordered_map>
#include <vector>

#include "models/collectives/hop.hpp"
#include "models/collectives/nccl/decision.hpp"
#include "models/collectives/nccl/tuning/algorithm_filter.hpp"
#include "topology/catalog/catalog.hpp"
#include "topology/fabric.hpp"

namespace vgsim::vsphere {
class GuestView;
}

namespace vgsim::collectives {

/// A VM of a job: one of the kinds that the topology holds, on one host of the cluster.
struct PlacedVm {
  std::size_t view = 0;  ///< index into the list of guest views
  std::size_t host = 0;  ///< of the cluster
};

/// How data moves from one rank to another.
struct Leg {
  Transport transport = Transport::kNvLink;
  std::size_t from_host = 0;
  const std::vector<Crossing>* leaving = nullptr;  ///< in from_host
  topology::FabricPath fabric;
  std::size_t to_host = 0;
  const std::vector<Crossing>* arriving = nullptr;  ///< in to_host; nothing inside a VM
  SimTime latency{};                                ///< what the NICs' kinds add
  std::optional<BytesPerSecond> connection_rate;    ///< of one TCP connection, where NICs say so
  bool staged = false;  ///< it arrives in host memory, from where a thread block copies it
  /// Where it leaves for the fabric and comes from it: NICs of the hosts.
  std::size_t from_nic = 0;
  std::size_t to_nic = 0;
};

/// Thrown when ranks cannot be joined: a VM without a NIC among several.
class NotConnected : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The release of NCCL that runs, and what its environment says.
struct NcclInput {
  nccl::Constants constants;
  nccl::Settings settings;
  nccl::AlgorithmFilter filter;
  bool nvls_sums = true;  ///< NVSwitches reduce data of the job's type

  bool operator==(const NcclInput&) const = default;
};

/// A NIC of a rank's VM, by its number there.
using Nic = std::size_t;

/// The ranks of a job and the ways between them, as NCCL would join them. Ranks are numbered VM by
/// VM, in each in the order of its GPUs. The topology, the fabric and the views must outlive it.
class RankGroup {
 public:
  /// A single rank that needs no ways.
  RankGroup() = default;

  /// Ranks that exchange nothing: no ways between them.
  RankGroup(const std::vector<vsphere::GuestView>& views, std::vector<PlacedVm> vms);

  /// Throws NotConnected.
  RankGroup(const topology::Topology& topology, const topology::Catalog& catalog,
            const topology::Fabric& fabric, const std::vector<vsphere::GuestView>& views,
            std::vector<PlacedVm> vms, NcclInput nccl);

  /// The same machines, as many and in the same order, on other hosts.
  [[nodiscard]] RankGroup on_hosts(const std::vector<std::size_t>& hosts) const;

  [[nodiscard]] std::size_t ranks() const { return rank_vm_.size(); }
  /// Whether there are ways between ranks.
  [[nodiscard]] bool is_joined() const { return !decision().nodes.empty(); }
  [[nodiscard]] const std::vector<PlacedVm>& vms() const { return vms_; }
  [[nodiscard]] const nccl::Decision& decision() const { return *decision_; }
  [[nodiscard]] const NcclInput& nccl() const { return nccl_; }
  [[nodiscard]] std::size_t vm_of(std::size_t rank) const { return rank_vm_[rank]; }
  [[nodiscard]] std::size_t gpu_of(std::size_t rank) const { return rank_gpu_[rank]; }
  [[nodiscard]] std::size_t host_of(std::size_t rank) const { return vms_[rank_vm_[rank]].host; }
  [[nodiscard]] std::size_t node_of(std::size_t rank) const {
    return static_cast<std::size_t>(decision().rank_node[rank]);
  }
  /// The oldest GPU's compute capability, times 10.
  [[nodiscard]] nccl::Generation generation() const { return topology::generation_of(min_sm_); }
  /// Whether all ranks reach each other through one NVSwitch.
  [[nodiscard]] bool on_nvswitch(std::size_t node) const;

  /// Between ranks of one NCCL node.
  [[nodiscard]] Leg inside(std::size_t from, std::size_t to) const;
  /// Between ranks of different ones.
  [[nodiscard]] Leg across(std::size_t from, Nic out, std::size_t to, Nic in) const;
  /// What the fabric adds to the same leg between two other hosts. Throws NotConnected.
  [[nodiscard]] topology::FabricPath path_of(const Leg& leg, std::size_t from_host,
                                             std::size_t to_host) const;
  /// Between any two ranks outside of the graphs, by the NICs that NCCL takes for Send and Recv.
  [[nodiscard]] Leg peer(std::size_t from, std::size_t to) const;
  /// The same where every rank sends to every other at once.
  [[nodiscard]] Leg exchange(std::size_t from, std::size_t to) const;
  /// The fabric links between the two where they are peers.
  [[nodiscard]] topology::FabricPath exchange_path(std::size_t from, std::size_t to) const;
  /// What a link of the fabric carries, in bytes/s.
  [[nodiscard]] std::uint64_t fabric_rate(const topology::FabricLink& link) const {
    return static_cast<std::uint64_t>(fabric_->rate(link).count());
  }
  /// A rank's part of a reduction or broadcast in the NVSwitch: its NVLinks, out or in.
  [[nodiscard]] const std::vector<Crossing>& to_switch(std::size_t rank) const;
  [[nodiscard]] const std::vector<Crossing>& from_switch(std::size_t rank) const;

  /// The NICs by which data comes into a node on a channel of the ring, and leaves it.
  struct RingNics {
    Nic in = 0;
    Nic out = 0;
  };
  [[nodiscard]] RingNics ring_nics(std::size_t node, int channel) const;
  /// The NIC by which a rank takes part in the tree of a channel.
  [[nodiscard]] Nic tree_nic(std::size_t rank, int channel) const;
  /// The rank of a node that is head number `head` of NVLS.
  [[nodiscard]] std::size_t nvls_head(std::size_t node, std::size_t head) const;
  /// From a rank out of its NIC, and in again: to a switch that reduces, and from it.
  [[nodiscard]] std::array<Leg, 2> to_network_and_back(std::size_t rank) const;

 private:
  struct Key {
    std::size_t view = 0;
    std::uint32_t kind = 0;  ///< of hop
    std::size_t a = 0, b = 0, c = 0, d = 0;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const;
  };
  void check_connected() const;
  [[nodiscard]] std::shared_ptr<const nccl::Decision> decide(
      const topology::Catalog& catalog) const;
  [[nodiscard]] Nic nic_of(std::size_t node, std::size_t net) const;
  [[nodiscard]] const nccl::NodeKind& kind_of(std::size_t rank) const;
  /// The number of a rank's GPU in the graph of its node.
  [[nodiscard]] std::size_t graph_gpu(std::size_t rank) const;
  [[nodiscard]] std::optional<std::size_t> graph_net(const nccl::NodeKind& kind, Nic nic) const;
  [[nodiscard]] const Hop& sending(std::size_t rank, Nic out, Reach reach) const;
  [[nodiscard]] const Hop& receiving(std::size_t rank, Nic in, Reach reach) const;
  /// Whether two VMs of one host have these NICs on one virtual switch.
  [[nodiscard]] Reach reach(const PlacedVm& a, Nic out, const PlacedVm& b, Nic in) const;
  [[nodiscard]] Nic peer_nic(std::size_t rank) const;
  /// By which NICs peers in different nodes send and receive.
  struct PeerNics {
    Nic out = 0;
    Nic in = 0;
  };
  [[nodiscard]] PeerNics peer_nics(std::size_t from, std::size_t to) const;
  template <class Plan>
  const Hop& cached(const Key& key, const Plan& plan) const;

  const topology::Topology* topology_ = nullptr;
  const topology::Fabric* fabric_ = nullptr;
  const std::vector<vsphere::GuestView>* views_ = nullptr;
  std::vector<PlacedVm> vms_;
  NcclInput nccl_;
  std::shared_ptr<const nccl::Decision> decision_ = std::make_shared<const nccl::Decision>();
  std::vector<std::size_t> rank_vm_;
  std::vector<std::size_t> rank_gpu_;
  std::vector<std::vector<std::size_t>> graph_gpu_;   ///< by kind of node and GPU of the view
  std::vector<std::vector<Nic>> peer_nic_;            ///< by kind of node and GPU of its graph
  std::vector<std::vector<std::size_t>> nvls_heads_;  ///< by kind of node: ranks in its machine
  int min_sm_ = 0;
  /// Found when they are first asked for; never walked through. Runs that have a group in common
  /// may go on at the same time.
  std::shared_ptr<std::mutex> lock_ = std::make_shared<std::mutex>();
  mutable std::unordered_map<Key, Hop, KeyHash> hops_;
  mutable std::map<std::size_t, HopPlanner> planners_;  ///< by view
};

}  // namespace vgsim::collectives
