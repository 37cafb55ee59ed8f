#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/calibration/parameters.hpp"
#include "models/collectives/hop.hpp"
#include "models/vsphere/guest_view.hpp"
#include "sim/exact.hpp"
#include "sim/network.hpp"
#include "sim/task_graph.hpp"

namespace vgsim::collectives {

/// A rank: one GPU of one VM.
struct Rank {
  std::size_t vm = 0;   ///< index into the list of guest views
  std::size_t gpu = 0;  ///< of that VM
};

/// One ring through all ranks. hops[i] leads from order[i] to order[i + 1], the last one back.
struct RingChannel {
  std::vector<std::size_t> order;  ///< rank numbers
  std::vector<Hop> hops;
};

/// How the ranks are joined for a ring collective: several rings side by side. No channels for a
/// single rank.
struct RingPlan {
  std::vector<Rank> ranks;
  std::vector<RingChannel> channels;
};

/// Latencies of a collective's steps, by transport.
struct StepLatencies {
  SimTime launch{};
  SimTime nvlink{};
  SimTime pcie{};
  SimTime host_staging{};
  SimTime network{};

  [[nodiscard]] static StepLatencies from(const calibration::Parameters& parameters);
  [[nodiscard]] SimTime of(const Hop& hop) const;
};

/// Thrown when ranks cannot be joined: a VM without a NIC among several.
class NotConnected : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Finds the rings over all GPUs of the VMs, in the order of the list, with ranks in that order.
/// `capacity` is what each resource of the topology can carry, in bytes/s.
[[nodiscard]] RingPlan plan_rings(const topology::Topology& topology,
                                  const std::vector<vsphere::GuestView>& views,
                                  const std::vector<Exact>& capacity, std::size_t max_channels);

/// A ring AllReduce as it stands in a task graph: done when `end` is done.
struct CollectiveTasks {
  TaskId begin{};
  TaskId end{};
};

/// How the tasks of a collective are labelled (see Task).
struct TaskLabel {
  std::uint32_t category = 0;
  std::uint32_t subject = 0;
  std::uint32_t group = 0;
};

/// Ring AllReduce of one buffer over a plan: one fluid activity per channel.
///
/// In a pipelined ring every edge moves at the same rate, so a channel is one flow over all of
/// its edges that carries 2 (N - 1) / N of the channel's share of the buffer, S / C, over each.
/// It begins after the launch and the latencies of the 2 (N - 1) hops that a chunk makes; of all
/// chunks the one with the slowest way counts: 2 sum(L) - min(L_i + L_i+1). For equal hops that
/// is the closed form 2 (N - 1) (L + S / (N B)). Source: P. Patarasuk, X. Yuan, Bandwidth optimal
/// all-reduce algorithms, JPDC 2009.
class RingAllReduce {
 public:
  /// Adds one route per channel to `routes`. The plan must outlive this.
  RingAllReduce(const RingPlan& plan, const StepLatencies& latencies, RouteTable& routes);

  /// Adds the tasks for `size` bytes. A single rank needs none: begin and end are one empty task.
  [[nodiscard]] CollectiveTasks add(TaskGraph& graph, Bytes size, TaskLabel label) const;

  /// Bytes that each channel carries over each of its edges.
  [[nodiscard]] Exact bytes_per_edge(Bytes size) const;

 private:
  struct Channel {
    RouteId route{};
    SimTime fill{};  ///< latencies of the hops on the slowest chunk's way
  };

  std::size_t ranks_;
  SimTime launch_;
  std::vector<Channel> channels_;
};

}  // namespace vgsim::collectives
