#include "models/collectives/stream.hpp"

namespace vgsim::collectives {
namespace {

/// Channels to a peer over the network. Source: NVIDIA/nccl src/graph/paths.cc, which starts from
/// two for each NIC; open case mn-2x1-H100-roce400-nogdr-sr, 14.0 GB/s while AllReduce's two
/// channels on the same machines copy 7 GB/s each.
constexpr std::int64_t kPeerChannels = 2;

}  // namespace

std::optional<Ratio> staged_peer_rate(const Leg& leg, const StepCosts& costs,
                                      nccl::Generation generation) {
  const auto of_channel = staged_read_rate(leg, costs, generation);
  return of_channel ? std::optional(*of_channel * kPeerChannels) : std::nullopt;
}

Stream peer_stream(const Leg& leg, const Ratio& share, const StepCosts& costs,
                   nccl::Generation generation, PlacedNetwork& placed) {
  PlacedNetwork::Route route(placed);
  cross(route, leg);
  Stream stream;
  stream.share = share;
  stream.latency = step_latency(leg, nccl::Protocol::kSimple, generation, costs);
  stream.line_latency = step_latency(leg, nccl::Protocol::kLl, generation, costs);
  stream.peer_rate = staged_peer_rate(leg, costs, generation);
  stream.route = std::move(route).of_each_host();
  return stream;
}

}  // namespace vgsim::collectives
