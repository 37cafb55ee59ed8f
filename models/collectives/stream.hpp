#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "models/collectives/collective.hpp"
#include "models/collectives/nccl/constants.hpp"
#include "models/collectives/placed_network.hpp"
#include "models/collectives/rank_group.hpp"
#include "models/collectives/step_costs.hpp"

namespace vgsim::collectives {

struct NodeClasses;

/// A pipeline step that forwards whole chunks: the next step starts when a chunk is complete.
struct Stage {
  std::vector<Crossing> crossings;  ///< of a byte; empty: a thread block fills a NIC's buffer
  std::int64_t times = 1;           ///< steps with the same crossings
  /// Whether channels of the other tree use these links at other times: one tree sends towards its
  /// root while the other one receives.
  bool one_tree = false;
  bool by_network = false;  ///< over the network, where a TCP connection limits the rate
};

/// One pipelined activity of a channel. All links that it crosses move data at one rate.
struct Stream {
  RouteId route{};
  /// Bytes of payload on one crossing for each byte of the channel's buffer.
  Ratio share;
  /// Sum over the consecutive steps on the longest path of a byte.
  SimTime latency{};
  /// Steps on the longest path that wait for whole chunks, to fill the pipeline. The first chunk
  /// takes one step at a time, each at its own rate; then chunks arrive at the rate of the whole
  /// pipeline. A chunk has NCCL's chunk size, limited by `largest_chunk` of the channel's buffer.
  std::vector<Stage> stages;
  /// The same for identical steps: bytes of payload on one crossing before data arrives at the end
  /// of the longest path, for each byte of a chunk with protocol Simple.
  Ratio fill;
  Ratio largest_chunk{1};
  /// Share of the buffer that a thread block copies for its own rank while it sends nothing.
  Ratio copied;
  /// Idle time between two rounds of chunks; a round has `at_once` chunks.
  SimTime turnaround{};
  std::int64_t at_once = 1;
  bool by_tcp = false;  ///< some step uses a TCP connection of the channel
  /// Limit of a channel that reads from a NIC's buffer in host memory, in bytes/s on the wire.
  std::optional<Ratio> read_rate;
  /// Ranks whose thread sends each message of a ring over TCP; `rounds` messages each.
  std::vector<std::size_t> senders;
  std::optional<BytesPerSecond> connection_rate;  ///< of such a connection, if the NICs state it
  std::optional<Ratio> peer_rate;                 ///< limit of Send and Recv, in bytes/s
  SimTime line_latency{};                         ///< of a small Send and Recv, with protocol LL
  /// For a ring or tree: the longest round trip of a step, after which a connection's slot is free.
  SimTime slowest_step{};
  /// For chunk fidelity: the crossings of each step in the order of the ring, and how often each
  /// step runs.
  std::vector<RouteId> hops;
  std::uint32_t rounds = 0;
};

/// Parameters of a stream.
struct StreamRequest {
  Collective collective = Collective::kAllReduce;
  nccl::Protocol protocol = nccl::Protocol::kSimple;
  int channel = 0;
  bool with_hops = false;  ///< for a ring with chunk fidelity
};

/// The ranks of a channel's ring in its order, from rank 0 on.
[[nodiscard]] std::vector<std::size_t> ring_order(const RankGroup& ranks, int channel);

/// The legs of a channel's ring; the leg into rank 0 is the last.
[[nodiscard]] std::vector<Leg> ring_legs(const RankGroup& ranks, int channel);

/// Data around the ring of a channel. Each edge carries 2 (n-1)/n of the buffer in 2 (n-1) steps
/// for AllReduce, (n-1)/n in n-1 steps for AllGather and ReduceScatter; Broadcast and Reduce pass
/// the whole buffer along the n-1 edges of a chain. Source: P. Patarasuk, X. Yuan, Bandwidth
/// optimal all-reduce algorithms, JPDC 2009.
///
/// The chunk with the slowest path determines the latency: 2 sum(L) - min(L_i + L_i+1) for
/// AllReduce.
[[nodiscard]] Stream ring_stream(const RankGroup& ranks, const StreamRequest& request,
                                 const StepCosts& costs, PlacedNetwork& placed);

/// AllReduce up and down a tree of ranks: each edge carries the whole buffer in both directions.
[[nodiscard]] Stream tree_stream(const RankGroup& ranks, const StreamRequest& request,
                                 const StepCosts& costs, const NodeClasses& node_classes,
                                 PlacedNetwork& placed);

/// Reduction and broadcast in the NVSwitch (NVLink SHARP). Each of n GPUs sends and receives
/// (n+1)/n of the buffer for AllReduce: its contribution to every sum, and the sums that it is head
/// of.
[[nodiscard]] Stream nvls_stream(const RankGroup& ranks, const StreamRequest& request,
                                 const StepCosts& costs, const NodeClasses& node_classes,
                                 PlacedNetwork& placed);

/// NVLS inside the nodes, and a binary tree between heads with the same number.
[[nodiscard]] Stream nvls_tree_stream(const RankGroup& ranks, const StreamRequest& request,
                                      const StepCosts& costs, const NodeClasses& node_classes,
                                      PlacedNetwork& placed);

/// Reduction in the network's switches (SHARP): every node sends its sum once and receives the
/// result once, distributed over its NICs. Inside a node NVLS reduces if available; otherwise each
/// GPU scatters to the heads and gathers from them.
[[nodiscard]] Stream collnet_stream(const RankGroup& ranks, const StreamRequest& request,
                                    const StepCosts& costs, const NodeClasses& node_classes,
                                    PlacedNetwork& placed);

/// From one rank to another, outside the graphs: `share` of the buffer.
[[nodiscard]] Stream peer_stream(const Leg& leg, const Ratio& share, const StepCosts& costs,
                                 nccl::Generation generation, PlacedNetwork& placed);

/// Rate at which a channel reads what arrives over a leg, in bytes/s on the wire, if that is in a
/// NIC's buffer in host memory.
[[nodiscard]] std::optional<Ratio> staged_read_rate(const Leg& leg, const StepCosts& costs,
                                                    nccl::Generation generation);

/// Limit of Send and Recv between two ranks, in bytes/s, if thread blocks read all data from a
/// NIC's buffer in host memory.
[[nodiscard]] std::optional<Ratio> staged_peer_rate(const Leg& leg, const StepCosts& costs,
                                                    nccl::Generation generation);

/// Applies the leg's TCP connections and buffers in host memory to the stream.
void note_network(const Leg& leg, const StepCosts& costs, nccl::Generation generation,
                  Stream& stream);

/// Whether a step over a leg waits for a whole chunk. Protocol Simple forwards chunks. The other
/// protocols forward lines, but a network's proxy sends a slot when it is full. Source: NVIDIA/nccl
/// src/transport/net.cc.
[[nodiscard]] bool waits_for_chunk(const Leg& leg, nccl::Protocol protocol);

/// Adds the steps over these legs that wait for chunks, in one direction, or in both for a tree. A
/// network's proxy sends what a thread block wrote before. Source: NVIDIA/nccl
/// src/transport/net.cc.
enum class Ways : std::uint8_t { kThere, kTree };
void add_stages(const std::vector<Leg>& legs, nccl::Protocol protocol, Ways ways,
                PlacedNetwork& placed, Stream& stream);

/// The latency of a step over a leg.
[[nodiscard]] SimTime step_latency(const Leg& leg, nccl::Protocol protocol,
                                   nccl::Generation generation, const StepCosts& costs);

/// Adds the crossings of a leg to a route.
void cross(PlacedNetwork::Route& route, const Leg& leg, std::int64_t times = 1);

}  // namespace vgsim::collectives
