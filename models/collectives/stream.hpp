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

struct NodeForms;

/// A step of a pipeline that hands on whole chunks: the next begins when all of one is there.
struct Stage {
  std::vector<Crossing> crossings;  ///< of a byte; none: a thread block fills a NIC's buffer
  std::int64_t times = 1;           ///< steps that cross as much
  /// The channels of the other tree load what is crossed at other times: while those of one send
  /// up to its root, those of the other receive.
  bool one_tree = false;
};

/// One pipelined activity of a channel: since it is pipelined, all links that it crosses move data
/// at one rate.
struct Stream {
  RouteId route{};
  /// Bytes of payload that one crossing carries, per byte of the buffer that the channel works on.
  Ratio share;
  /// Of the steps that lie one after the other on the longest way of a byte.
  SimTime latency{};
  /// To fill the pipeline: the steps on the longest way that wait for all of a chunk. While the
  /// first chunk takes one of them the others move nothing, so each goes at its own rate; from the
  /// last on, chunks arrive at the rate of the whole. A chunk is what NCCL cuts, but no more than
  /// `largest_chunk` of the channel's buffer.
  std::vector<Stage> stages;
  /// The same of steps that are all alike: bytes of payload that one crossing carries before data
  /// arrives at the end of the longest way, per byte of a chunk of protocol Simple.
  Ratio fill;
  Ratio largest_chunk{1};
  /// Of the buffer, what a thread block copies for its own rank while it sends nothing.
  Ratio copied;
  /// What passes between two rounds of chunks while nothing moves; a round takes `at_once` of them.
  SimTime turnaround{};
  std::int64_t at_once = 1;
  bool copies_host_memory = false;  ///< what it copies comes from a NIC's buffer in host memory
  bool by_tcp = false;              ///< some step goes over a TCP connection of the channel
  std::optional<BytesPerSecond> connection_rate;  ///< of such a connection, where NICs say so
  std::optional<Ratio> peer_rate;                 ///< of Send and Recv at most, in bytes/s
  /// Of a ring or tree. The slots of a connection are free again when it was taken there and back.
  SimTime slowest_step{};
  /// To follow a ring chunk by chunk: what each step crosses, in the order of the ring, and how
  /// often each runs.
  std::vector<RouteId> hops;
  std::uint32_t rounds = 0;
};

/// What is to be built.
struct StreamRequest {
  Collective collective = Collective::kAllReduce;
  nccl::Protocol protocol = nccl::Protocol::kSimple;
  int channel = 0;
  bool with_hops = false;  ///< of a ring, to follow it chunk by chunk
};

/// The legs of the ring of a channel, the one into rank 0 last.
[[nodiscard]] std::vector<Leg> ring_legs(const RankGroup& ranks, int channel);

/// Data round the ring of a channel. Each edge of AllReduce carries 2 (n-1)/n of the buffer in
/// 2 (n-1) steps, of AllGather and ReduceScatter (n-1)/n in n-1; Broadcast and Reduce pass all of
/// it along the n-1 edges of a chain. Source: P. Patarasuk, X. Yuan, Bandwidth optimal all-reduce
/// algorithms, JPDC 2009.
///
/// Of all chunks the one with the slowest way counts: for AllReduce 2 sum(L) - min(L_i + L_i+1).
[[nodiscard]] Stream ring_stream(const RankGroup& ranks, const StreamRequest& request,
                                 const StepCosts& costs, PlacedNetwork& placed);

/// AllReduce up a tree of ranks and down again: each edge carries the whole buffer both ways.
[[nodiscard]] Stream tree_stream(const RankGroup& ranks, const StreamRequest& request,
                                 const StepCosts& costs, const NodeForms& forms,
                                 PlacedNetwork& placed);

/// Reduction and broadcast by the NVSwitch (NVLink SHARP). With n GPUs, each GPU of AllReduce sends
/// and receives (n+1)/n of the buffer: its part of every sum, and the sums that it is head of.
[[nodiscard]] Stream nvls_stream(const RankGroup& ranks, const StreamRequest& request,
                                 const StepCosts& costs, const NodeForms& forms,
                                 PlacedNetwork& placed);

/// NVLS inside the nodes, and a binary tree between the heads with the same number in each.
[[nodiscard]] Stream nvls_tree_stream(const RankGroup& ranks, const StreamRequest& request,
                                      const StepCosts& costs, const NodeForms& forms,
                                      PlacedNetwork& placed);

/// Reduction by the network's switches (SHARP): every node sends its sum once and receives the
/// result once, spread over its NICs. Inside the nodes NVLS does the same where it can; else each
/// GPU scatters to the heads and gathers from them.
[[nodiscard]] Stream collnet_stream(const RankGroup& ranks, const StreamRequest& request,
                                    const StepCosts& costs, const NodeForms& forms,
                                    PlacedNetwork& placed);

/// From one rank to another, outside of all graphs: `share` of the buffer.
[[nodiscard]] Stream peer_stream(const Leg& leg, const Ratio& share, const StepCosts& costs,
                                 nccl::Generation generation, PlacedNetwork& placed);

/// What Send and Recv between two ranks reach, in bytes/s, where blocks copy all of it out of a
/// NIC's buffer in host memory.
[[nodiscard]] std::optional<Ratio> staged_peer_rate(const Leg& leg, const StepCosts& costs,
                                                    nccl::Generation generation);

/// Takes over what a leg says of TCP connections.
void note_tcp(const Leg& leg, Stream& stream);

/// Whether a step over a leg waits for all of a chunk. Protocol Simple hands on chunks; the others
/// go line by line, but a network's proxy sends what is in a slot when it is full. Source:
/// NVIDIA/nccl src/transport/net.cc.
[[nodiscard]] bool waits_for_chunk(const Leg& leg, nccl::Protocol protocol);

/// The steps over these legs that wait for chunks: of a tree there and back, else there alone. A
/// network's proxy sends what a thread block has written before. Source: NVIDIA/nccl
/// src/transport/net.cc.
enum class Ways : std::uint8_t { kThere, kTree };
void add_stages(const std::vector<Leg>& legs, nccl::Protocol protocol, Ways ways,
                PlacedNetwork& placed, Stream& stream);

/// The latency of a step over a leg.
[[nodiscard]] SimTime step_latency(const Leg& leg, nccl::Protocol protocol,
                                   nccl::Generation generation, const StepCosts& costs);

/// Lets a route cross a leg.
void cross(PlacedNetwork::Route& route, const Leg& leg, std::int64_t times = 1);

}  // namespace vgsim::collectives
