#include <algorithm>

#include "models/collectives/stream.hpp"

namespace vgsim::collectives {

SimTime step_latency(const Leg& leg, nccl::Protocol protocol, nccl::Generation generation,
                     const StepCosts& costs) {
  const bool ll_over_nvlink =
      leg.transport == Transport::kNvLink && protocol == nccl::Protocol::kLl;
  const SimTime own =
      ll_over_nvlink
          ? costs.nvlink_ll_step[static_cast<std::size_t>(generation)]
          : costs.step[static_cast<std::size_t>(leg.transport)][static_cast<std::size_t>(protocol)];
  return costs.instant_links ? own : own + leg.fabric.latency + leg.latency;
}

bool waits_for_chunk(const Leg& leg, nccl::Protocol protocol) {
  return protocol == nccl::Protocol::kSimple || leg.transport >= Transport::kNetwork;
}

namespace {

/// The resources of a step. Two hosts of one class have separate links: each end belongs to one
/// host.
std::vector<Crossing> crossed_by(const Leg& leg, PlacedNetwork& placed) {
  PlacedNetwork::Route leaving(placed);
  leaving.cross(leg.from_host, *leg.leaving);
  leaving.cross(leg.fabric);
  if (leg.arriving != nullptr && leg.to_host == leg.from_host) {
    leaving.cross(leg.to_host, *leg.arriving);
  }
  std::vector<Crossing> crossed = std::move(leaving).crossings();
  if (leg.arriving == nullptr || leg.to_host == leg.from_host) return crossed;
  PlacedNetwork::Route arriving(placed);
  arriving.cross(leg.to_host, *leg.arriving);
  const std::vector<Crossing> other = std::move(arriving).crossings();
  crossed.insert(crossed.end(), other.begin(), other.end());
  return crossed;
}

}  // namespace

void add_stages(const std::vector<Leg>& legs, nccl::Protocol protocol, Ways ways,
                PlacedNetwork& placed, Stream& stream) {
  const std::int64_t times = ways == Ways::kTree ? 2 : 1;
  for (const Leg& leg : legs) {
    if (!waits_for_chunk(leg, protocol)) continue;
    const bool by_network = leg.transport >= Transport::kNetwork;
    if (by_network) stream.stages.push_back({{}, times});
    stream.stages.push_back(
        {crossed_by(leg, placed), times, by_network && ways == Ways::kTree, by_network});
  }
}

std::optional<Ratio> staged_read_rate(const Leg& leg, const StepCosts& costs,
                                      nccl::Generation generation) {
  const auto& rate = costs.staged_read_rate[static_cast<std::size_t>(generation)];
  if (!leg.staged || !rate) return std::nullopt;
  return leg.transport == Transport::kEfa ? *rate * costs.efa_staged_read_factor : *rate;
}

void note_network(const Leg& leg, const StepCosts& costs, nccl::Generation generation,
                  Stream& stream) {
  if (const auto rate = staged_read_rate(leg, costs, generation)) {
    stream.read_rate = std::min(stream.read_rate.value_or(*rate), *rate);
  }
  if (leg.transport != Transport::kSocket) return;
  stream.by_tcp = true;
  if (!leg.connection_rate) return;
  stream.connection_rate =
      std::min(stream.connection_rate.value_or(*leg.connection_rate), *leg.connection_rate);
}

void cross(PlacedNetwork::Route& route, const Leg& leg, std::int64_t times) {
  route.cross(leg.from_host, *leg.leaving, times);
  route.cross(leg.fabric, times);
  if (leg.arriving != nullptr) route.cross(leg.to_host, *leg.arriving, times);
}

}  // namespace vgsim::collectives
