#include "models/collectives/spread.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "models/collectives/step_costs.hpp"
#include "models/collectives/stream.hpp"

namespace vgsim::collectives {
namespace {

/// Interpolates between two factors on a logarithmic scale.
double between(double from, double to, double share) {
  return std::exp(std::lerp(std::log(from), std::log(to), share));
}

SimTime scaled(SimTime time, double factor) {
  return SimTime{std::llround(static_cast<double>(time.count()) * factor)};
}

}  // namespace

Transport slowest_transport(const RankGroup& ranks) {
  Transport slowest = Transport::kNvLink;
  for (const Leg& leg : ring_legs(ranks, 0)) slowest = std::max(slowest, leg.transport);
  return slowest;
}

std::string rate_spread_of(const RankGroup& ranks) {
  return fmt::format("{}_rate_spread", parameter_word(slowest_transport(ranks)));
}

Spread spread_of(const RankGroup& ranks, const calibration::Parameters& parameters) {
  if (!ranks.is_joined()) return {};
  const std::string joined = parameter_word(slowest_transport(ranks));
  const auto read = [&](const char* part) {
    const std::string name = fmt::format("{}_{}_spread", joined, part);
    calibration::Uncertain spread = parameters.at(name).quantity;
    spread.value = parameters.number(name);  // records that it is used
    return spread;
  };
  return {read("latency"), read("middle"), read("rate")};
}

TimeInterval interval_of(SimTime time, SimTime fixed, const Spread& spread) {
  if (time == SimTime{0}) return {};
  const double share =
      static_cast<double>(std::min(fixed, time).count()) / static_cast<double>(time.count());
  const bool is_fast = share < 0.5;
  const calibration::Uncertain& from = is_fast ? spread.rate : spread.middle;
  const calibration::Uncertain& to = is_fast ? spread.middle : spread.latency;
  const double way = is_fast ? 2 * share : 2 * share - 1;
  return {scaled(time, between(from.low, to.low, way)),
          scaled(time, between(from.high, to.high, way))};
}

}  // namespace vgsim::collectives
