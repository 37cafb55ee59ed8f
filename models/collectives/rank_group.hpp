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

/// A VM of a job: one of the VM kinds in the topology, on one host of the cluster.
struct PlacedVm {
  std::size_t view = 0;  ///< index into the list of guest views
  std::size_t host = 0;  ///< of the cluster
};

/// The path of data from one rank to another.
struct Leg {
  Transport transport = Transport::kNvLink;
  std::size_t from_host = 0;
  const std::vector<Crossing>* leaving = nullptr;  ///< in from_host
  topology::FabricPath fabric;
  std::size_t to_host = 0;
  const std::vector<Crossing>* arriving = nullptr;  ///< in to_host; nullptr inside a VM
  SimTime latency{};                                ///< added by the kinds of the NICs
  std::optional<BytesPerSecond> connection_rate;    ///< of one TCP connection, if the NICs state it
  bool staged = false;  ///< data arrives in host memory, and a thread block copies it
  /// The NICs at which data leaves for the fabric and arrives from it.
  std::size_t from_nic = 0;
  std::size_t to_nic = 0;
};

/// Thrown if ranks cannot communicate: a VM without a NIC in a job of several VMs.
class NotConnected : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The NCCL release and its environment.
struct NcclInput {
  nccl::Constants constants;
  nccl::Settings settings;
  nccl::AlgorithmFilter filter;
  bool nvls_sums = true;  ///< NVSwitches can reduce the job's data type

  bool operator==(const NcclInput&) const = default;
};

/// Index of a NIC in a rank's VM.
using Nic = std::size_t;

/// The ranks of a job and the paths between them as NCCL connects them. Ranks are numbered by VM,
/// then by GPU of the VM. The topology, the fabric and the views must outlive it.
class RankGroup {
 public:
  /// A single rank without paths.
  RankGroup() = default;

  /// Ranks without communication.
  RankGroup(const std::vector<vsphere::GuestView>& views, std::vector<PlacedVm> vms);

  /// Throws NotConnected.
  RankGroup(const topology::Topology& topology, const topology::Catalog& catalog,
            const topology::Fabric& fabric, const std::vector<vsphere::GuestView>& views,
            std::vector<PlacedVm> vms, NcclInput nccl);

  /// The same number of machines of the same kinds on other hosts.
  [[nodiscard]] RankGroup on_hosts(const std::vector<std::size_t>& hosts) const;

  [[nodiscard]] std::size_t ranks() const { return rank_vm_.size(); }
  /// Whether there are paths between ranks.
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
  /// The generation of the oldest GPU.
  [[nodiscard]] nccl::Generation generation() const { return topology::generation_of(min_sm_); }
  /// Whether all ranks reach each other through one NVSwitch.
  [[nodiscard]] bool on_nvswitch(std::size_t node) const;

  /// Between ranks of one NCCL node.
  [[nodiscard]] Leg inside(std::size_t from, std::size_t to) const;
  /// Between ranks of different NCCL nodes.
  [[nodiscard]] Leg across(std::size_t from, Nic out, std::size_t to, Nic in) const;
  /// The fabric path of the same leg between two other hosts. Throws NotConnected.
  [[nodiscard]] topology::FabricPath path_of(const Leg& leg, std::size_t from_host,
                                             std::size_t to_host) const;
  /// Between any two ranks outside the graphs, through the NICs that NCCL uses for Send and Recv.
  [[nodiscard]] Leg peer(std::size_t from, std::size_t to) const;
  /// The same for a concurrent exchange of every rank with every other.
  [[nodiscard]] Leg exchange(std::size_t from, std::size_t to) const;
  /// The fabric links between two peers.
  [[nodiscard]] topology::FabricPath exchange_path(std::size_t from, std::size_t to) const;
  /// The rate of a fabric link, in bytes/s.
  [[nodiscard]] std::uint64_t fabric_rate(const topology::FabricLink& link) const {
    return static_cast<std::uint64_t>(fabric_->rate(link).count());
  }
  /// The NVLinks of a rank to or from the NVSwitch, for a reduction or broadcast there.
  [[nodiscard]] const std::vector<Crossing>& to_switch(std::size_t rank) const;
  [[nodiscard]] const std::vector<Crossing>& from_switch(std::size_t rank) const;

  /// The NICs of a node on a channel of the ring.
  struct RingNics {
    Nic in = 0;
    Nic out = 0;
  };
  [[nodiscard]] RingNics ring_nics(std::size_t node, int channel) const;
  /// The NIC of a rank in the tree of a channel.
  [[nodiscard]] Nic tree_nic(std::size_t rank, int channel) const;
  /// The rank of a node that is NVLS head number `head`.
  [[nodiscard]] std::size_t nvls_head(std::size_t node, std::size_t head) const;
  /// From a rank's NIC to a switch that reduces, and back.
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
  /// The index of a rank's GPU in the graph of its node.
  [[nodiscard]] std::size_t graph_gpu(std::size_t rank) const;
  [[nodiscard]] std::optional<std::size_t> graph_net(const nccl::NodeKind& kind, Nic nic) const;
  [[nodiscard]] const Hop& sending(std::size_t rank, Nic out, Reach reach) const;
  [[nodiscard]] const Hop& receiving(std::size_t rank, Nic in, Reach reach) const;
  /// Whether these NICs of two VMs on one host are on one virtual switch.
  [[nodiscard]] Reach reach(const PlacedVm& a, Nic out, const PlacedVm& b, Nic in) const;
  [[nodiscard]] Nic peer_nic(std::size_t rank) const;
  /// The NICs with which peers in different nodes send and receive.
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
  /// Caches, never iterated over. Concurrent runs can share a group.
  std::shared_ptr<std::mutex> lock_ = std::make_shared<std::mutex>();
  mutable std::unordered_map<Key, Hop, KeyHash> hops_;
  mutable std::map<std::size_t, HopPlanner> planners_;  ///< by view
};

}  // namespace vgsim::collectives
