#include "models/collectives/stream.hpp"

namespace vgsim::collectives {

Stream peer_stream(const Leg& leg, const Ratio& share, const StepCosts& costs,
                   PlacedNetwork& placed) {
  PlacedNetwork::Route route(placed);
  cross(route, leg);
  Stream stream;
  stream.share = share;
  stream.latency = step_latency(leg, nccl::Protocol::kSimple, costs);
  stream.route = std::move(route).of_each_host();
  return stream;
}

}  // namespace vgsim::collectives
