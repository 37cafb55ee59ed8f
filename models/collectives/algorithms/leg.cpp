#include "models/collectives/stream.hpp"

namespace vgsim::collectives {

SimTime step_latency(const Leg& leg, nccl::Protocol protocol, const StepCosts& costs) {
  return costs.step[static_cast<std::size_t>(leg.transport)][static_cast<std::size_t>(protocol)] +
         leg.fabric.latency + leg.latency;
}

void cross(PlacedNetwork::Route& route, const Leg& leg, std::int64_t times) {
  route.cross(leg.from_host, *leg.leaving, times);
  route.cross(leg.fabric, times);
  if (leg.arriving != nullptr) route.cross(leg.to_host, *leg.arriving, times);
}

}  // namespace vgsim::collectives
