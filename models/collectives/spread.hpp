#pragma once

#include <string>

#include "models/calibration/parameters.hpp"
#include "models/calibration/uncertain.hpp"
#include "models/collectives/rank_group.hpp"
#include "sim/units.hpp"

namespace vgsim::collectives {

/// How far measurements lie from predictions, nine in ten, as factors on the time: {1, 0.8, 1.5} is
/// from a fifth less to a half more. They come from the residuals of measured machines, each
/// counted once, and hold what sets machines apart and what the fit and the measurement miss.
struct Spread {
  calibration::Uncertain latency{1, 1, 1};  ///< of times that are latency alone
  calibration::Uncertain middle{1, 1, 1};   ///< of which half is latency
  calibration::Uncertain rate{1, 1, 1};     ///< in which data moves all the time
};

/// The spread of collectives whose ranks are joined like these, by the slowest kind of transport
/// between neighbours of a ring.
[[nodiscard]] Spread spread_of(const RankGroup& ranks, const calibration::Parameters& parameters);

/// The parameter that says how far those lie in which data moves all the time.
[[nodiscard]] std::string rate_spread_of(const RankGroup& ranks);

/// The interval around a predicted time, nine in ten, of which `fixed` is latency: factors between
/// those of Spread by the share of latency, on a logarithmic scale.
struct TimeInterval {
  SimTime low{};
  SimTime high{};
};
[[nodiscard]] TimeInterval interval_of(SimTime time, SimTime fixed, const Spread& spread);

}  // namespace vgsim::collectives
