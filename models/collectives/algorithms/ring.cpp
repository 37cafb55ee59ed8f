#include <algorithm>
#include <optional>

#include "models/collectives/stream.hpp"

namespace vgsim::collectives {
namespace {

/// Share of a chunk that the last rank has yet to receive when its neighbour has sent all of it. A
/// chunk is forwarded in two slices. Source: NCCL's tables of A100, H100, B200 and GB200
/// (tests/nccl-tables), half a slice; assumed for networks as well.
const Ratio kFilled = Ratio(1) / 4;

/// Latency of the longest path of a chunk around a ring, which skips as few steps as possible.
struct RingLatency {
  SimTime round{};
  SimTime fastest{};       ///< step
  SimTime fastest_pair{};  ///< of adjacent steps
};

RingLatency latency_of(const std::vector<SimTime>& steps) {
  RingLatency result{SimTime{0}, steps.front(), steps.front() + steps.back()};
  for (std::size_t i = 0; i < steps.size(); ++i) {
    result.round += steps[i];
    result.fastest = std::min(result.fastest, steps[i]);
    result.fastest_pair = std::min(result.fastest_pair, steps[i] + steps[(i + 1) % steps.size()]);
  }
  return result;
}

}  // namespace

std::vector<std::size_t> ring_order(const RankGroup& ranks, int channel) {
  const std::vector<int> searched = ranks.decision().ring_order(channel);
  std::vector<std::size_t> order(searched.begin(), searched.end());
  std::rotate(order.begin(), std::find(order.begin(), order.end(), std::size_t{0}), order.end());
  return order;
}

std::vector<Leg> ring_legs(const RankGroup& ranks, int channel) {
  const std::vector<std::size_t> order = ring_order(ranks, channel);
  std::vector<Leg> legs;
  legs.reserve(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::size_t from = order[i];
    const std::size_t to = order[(i + 1) % order.size()];
    const std::size_t a = ranks.node_of(from);
    const std::size_t b = ranks.node_of(to);
    if (a == b) {
      legs.push_back(ranks.inside(from, to));
      continue;
    }
    legs.push_back(
        ranks.across(from, ranks.ring_nics(a, channel).out, to, ranks.ring_nics(b, channel).in));
  }
  return legs;
}

Stream ring_stream(const RankGroup& ranks, const StreamRequest& request, const StepCosts& costs,
                   PlacedNetwork& placed) {
  std::vector<Leg> legs = ring_legs(ranks, request.channel);
  const auto n = static_cast<std::int64_t>(legs.size());
  const bool is_chain =
      request.collective == Collective::kBroadcast || request.collective == Collective::kReduce;
  if (is_chain) legs.pop_back();
  std::vector<SimTime> steps;
  Stream stream;
  for (const Leg& leg : legs) {
    steps.push_back(step_latency(leg, request.protocol, ranks.generation(), costs));
    note_network(leg, costs, ranks.generation(), stream);
  }
  if (stream.by_tcp) {
    const std::vector<std::size_t> order = ring_order(ranks, request.channel);
    for (std::size_t i = 0; i < legs.size(); ++i) {
      if (legs[i].transport == Transport::kSocket) stream.senders.push_back(order[i]);
    }
  }
  const RingLatency latency = latency_of(steps);
  stream.slowest_step = *std::max_element(steps.begin(), steps.end());
  stream.fill = kFilled;
  stream.largest_chunk = Ratio(1) / n;
  // Each rank copies its own part to the result, and the slowest rank limits the rate. Data in host
  // memory is read over a link that the route contains; with a limit of reading from a NIC's buffer
  // there, the measured rate includes the copies.
  const bool copies = std::any_of(legs.begin(), legs.end(), [](const Leg& leg) {
    return leg.transport != Transport::kHostStaging;
  });
  if (copies && !is_chain && !stream.read_rate) stream.copied = Ratio(1) / n;
  switch (request.collective) {
    case Collective::kAllReduce:
      stream.share = Ratio(2 * (n - 1)) / n;
      stream.latency = latency.round * 2 - latency.fastest_pair;
      stream.rounds = static_cast<std::uint32_t>(2 * (n - 1));
      break;
    case Collective::kBroadcast:
    case Collective::kReduce:
      stream.share = 1;
      stream.latency = latency.round;
      stream.fill = 0;
      stream.largest_chunk = 1;
      break;
    default:
      stream.share = Ratio(n - 1) / n;
      stream.latency = latency.round - latency.fastest;
      stream.rounds = static_cast<std::uint32_t>(n - 1);
  }
  if (request.with_hops && !is_chain) {
    for (const Leg& leg : legs) {
      PlacedNetwork::Route hop(placed);
      cross(hop, leg);
      stream.hops.push_back(std::move(hop).of_each_host());
    }
  }
  PlacedNetwork::Route whole(placed);
  for (const Leg& leg : legs) cross(whole, leg);
  stream.route = std::move(whole).through_all_hosts();
  if (is_chain) add_stages(legs, request.protocol, Ways::kThere, placed, stream);
  return stream;
}

}  // namespace vgsim::collectives
