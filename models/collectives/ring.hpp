#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "models/calibration/parameters.hpp"
#include "models/collectives/hop.hpp"
#include "models/collectives/placed_network.hpp"
#include "models/collectives/ring_search.hpp"
#include "models/vsphere/guest_view.hpp"
#include "sim/exact.hpp"
#include "sim/network.hpp"
#include "sim/task_graph.hpp"
#include "topology/fabric.hpp"

namespace vgsim::collectives {

/// A VM of a job: one of the kinds that the topology holds, on one host of the cluster.
struct PlacedVm {
  std::size_t view = 0;  ///< index into the list of guest views
  std::size_t host = 0;  ///< of the cluster
};

/// How data moves from one rank of a ring to the next.
struct RingHop {
  Transport transport = Transport::kNvLink;
  std::size_t from_host = 0;
  const std::vector<Crossing>* leaving = nullptr;  ///< in from_host
  topology::FabricPath fabric;
  std::size_t to_host = 0;
  const std::vector<Crossing>* arriving = nullptr;  ///< in to_host; nothing inside a VM
};

/// How the ranks of a job are joined for a ring collective: several rings side by side, each
/// through all VMs one after the other. No channels for a single rank.
class RingPlan {
 public:
  [[nodiscard]] std::size_t ranks() const { return ranks_; }
  [[nodiscard]] std::size_t channels() const { return channels_; }
  [[nodiscard]] const std::vector<PlacedVm>& vms() const { return vms_; }

  /// The hops of a channel in the order of the ring; as many as ranks. Each points into the plan.
  template <class Visit>
  void each_hop(std::size_t channel, const Visit& visit) const {
    for (std::size_t v = 0; v < vms_.size(); ++v) {
      const RingNode& node = nodes_[vms_[v].view];
      const NodeChannel& own = found_[vms_[v].view].channels[channel];
      for (std::size_t i = 0; i + 1 < own.order.size(); ++i) {
        visit(inside(v, node.between[own.order[i]][own.order[i + 1]]));
      }
      if (vms_.size() == 1) {
        visit(inside(v, node.between[own.order.back()][own.order.front()]));
      } else {
        visit(between(v, (v + 1) % vms_.size(), channel));
      }
    }
  }

 private:
  friend RingPlan plan_rings(const topology::Topology& topology, const topology::Fabric& fabric,
                             const std::vector<vsphere::GuestView>& views,
                             const std::vector<PlacedVm>& vms, const std::vector<Exact>& capacity,
                             std::size_t max_channels);

  [[nodiscard]] RingHop inside(std::size_t vm, const Hop& hop) const;
  [[nodiscard]] RingHop between(std::size_t from_vm, std::size_t to_vm, std::size_t channel) const;

  std::vector<PlacedVm> vms_;
  std::vector<RingNode> nodes_;                      ///< by view
  std::vector<NodeChannels> found_;                  ///< by view
  std::vector<std::vector<std::size_t>> host_nics_;  ///< by view: of the VM's NICs
  const topology::Fabric* fabric_ = nullptr;
  std::size_t ranks_ = 0;
  std::size_t channels_ = 0;
};

/// Latencies of a collective's steps, by transport.
struct StepLatencies {
  SimTime launch{};
  SimTime nvlink{};
  SimTime pcie{};
  SimTime host_staging{};
  SimTime network{};

  [[nodiscard]] static StepLatencies from(const calibration::Parameters& parameters);
  [[nodiscard]] SimTime of(const RingHop& hop) const;
};

/// Thrown when ranks cannot be joined: a VM without a NIC among several.
class NotConnected : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Finds the rings over all GPUs of the VMs, in the order of the list. `capacity` is what each
/// resource of the topology can carry, in bytes/s. The fabric and the views must outlive the plan.
/// Throws NotConnected.
[[nodiscard]] RingPlan plan_rings(const topology::Topology& topology,
                                  const topology::Fabric& fabric,
                                  const std::vector<vsphere::GuestView>& views,
                                  const std::vector<PlacedVm>& vms,
                                  const std::vector<Exact>& capacity, std::size_t max_channels);

/// How closely a collective is followed.
enum class Fidelity : std::uint8_t {
  kFluid,  ///< one fluid activity per channel
  kChunk,  ///< every step of every chunk on every edge
};

/// A ring AllReduce as it stands in a task graph: done when `end` is done.
struct CollectiveTasks {
  TaskId begin{};
  TaskId end{};
};

/// How the tasks of a collective are labelled (see Task).
struct TaskLabel {
  std::uint32_t category = 0;
  std::uint32_t subject = 0;
};

/// Ring AllReduce of one buffer over a plan.
///
/// Each channel takes its share of the buffer, S / C, in N chunks, which go round the ring in
/// 2 (N - 1) steps: in each, every edge passes on one chunk, which it received in the step before.
///
/// Chunk by chunk, an edge is a task of 2 (N - 1) rounds that the edge before it feeds. A round
/// is the flow of a chunk, which arrives one latency of the hop later.
///
/// Fluid, a channel is one flow over all of its edges, since in a pipelined ring every edge moves
/// at the same rate, that carries 2 (N - 1) / N of S / C over each. It begins after the launch and
/// the latencies of the 2 (N - 1) hops that a chunk makes; of all chunks the one with the slowest
/// way counts: 2 sum(L) - min(L_i + L_i+1). For equal hops both are the closed form 2 (N - 1) (L +
/// S / (C N B)). Source: P. Patarasuk, X. Yuan, Bandwidth optimal all-reduce algorithms, JPDC 2009.
/// For unequal hops they differ by no more than the time to fill the pipeline: a chunk on the fast
/// edges, which the fluid holds back at once, runs ahead by up to one round of the ring.
class RingAllReduce {
 public:
  /// Adds the routes of all channels, or of all their edges, to `placed`, which must be spread out
  /// for Fidelity::kChunk (std::invalid_argument).
  RingAllReduce(const RingPlan& plan, const StepLatencies& latencies, PlacedNetwork& placed,
                Fidelity fidelity = Fidelity::kFluid);

  /// Adds the tasks for `size` bytes. A single rank needs none: begin and end are one empty task.
  [[nodiscard]] CollectiveTasks add(TaskGraph& graph, Bytes size, TaskLabel label) const;

  /// Bytes that each channel carries over each of its edges.
  [[nodiscard]] Exact bytes_per_edge(Bytes size) const;

 private:
  struct Edge {
    RouteId route{};
    SimTime latency{};
  };
  struct Channel {
    RouteId route{};          ///< through all edges
    SimTime fill{};           ///< latencies of the hops on the slowest chunk's way
    std::vector<Edge> edges;  ///< chunk by chunk
  };

  void add_channel(const RingPlan& plan, std::size_t channel, const StepLatencies& latencies,
                   PlacedNetwork& placed);
  [[nodiscard]] TaskId add_fluid(TaskGraph& graph, const Channel& channel, Bytes size,
                                 const Task& task, TaskId begin) const;
  void add_chunks(TaskGraph& graph, const Channel& channel, Bytes size, const Task& task,
                  TaskId begin, std::vector<TaskId>& last) const;

  std::size_t ranks_;
  SimTime launch_;
  Fidelity fidelity_;
  std::vector<Channel> channels_;
};

}  // namespace vgsim::collectives
