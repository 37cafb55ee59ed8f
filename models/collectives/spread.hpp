#pragma once

#include "models/calibration/parameters.hpp"
#include "models/collectives/hop.hpp"
#include "models/collectives/rank_group.hpp"
#include "sim/units.hpp"

namespace vgsim::collectives {

/// How far measurements lie from predictions, nine in ten: shares of the time that latencies take
/// and of the time that data moves. They come from the residuals of measured machines.
struct Spread {
  double latency_low = 0;  ///< 0.2: as little as 20 % less
  double latency_high = 0;
  double rate_low = 0;
  double rate_high = 0;
};

/// The spread of collectives whose ranks are joined like these: by NVLink alone, by PCIe or host
/// memory as well, or over the network.
[[nodiscard]] Spread spread_of(const RankGroup& ranks, const calibration::Parameters& parameters);

/// The 90 % interval around a predicted time, of which `fixed` is latency.
struct TimeInterval {
  SimTime low{};
  SimTime high{};
};
[[nodiscard]] TimeInterval interval_of(SimTime time, SimTime fixed, const Spread& spread);

}  // namespace vgsim::collectives
