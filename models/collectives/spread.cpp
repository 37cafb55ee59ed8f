#include "models/collectives/spread.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string>

#include "models/collectives/stream.hpp"

namespace vgsim::collectives {
namespace {

const char* widest(const RankGroup& ranks) {
  Transport worst = Transport::kNvLink;
  for (const Leg& leg : ring_legs(ranks, 0)) worst = std::max(worst, leg.transport);
  if (worst >= Transport::kNetwork) return "network";
  return worst == Transport::kNvLink ? "nvlink" : "pcie";
}

SimTime scaled(SimTime time, double factor) {
  return SimTime{static_cast<std::int64_t>(static_cast<double>(time.count()) * factor)};
}

}  // namespace

Spread spread_of(const RankGroup& ranks, const calibration::Parameters& parameters) {
  if (!ranks.is_joined()) return {};
  const std::string joined = widest(ranks);
  const auto read = [&](const char* what) {
    return parameters.number(fmt::format("{}_{}", joined, what));
  };
  return {read("latency_spread_low"), read("latency_spread_high"), read("rate_spread_low"),
          read("rate_spread_high")};
}

TimeInterval interval_of(SimTime time, SimTime fixed, const Spread& spread) {
  const SimTime latency = std::min(fixed, time);
  const SimTime moving = time - latency;
  return {scaled(latency, 1.0 - spread.latency_low) + scaled(moving, 1.0 - spread.rate_low),
          scaled(latency, 1.0 + spread.latency_high) + scaled(moving, 1.0 + spread.rate_high)};
}

}  // namespace vgsim::collectives
