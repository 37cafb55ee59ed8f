#pragma once

#include <string>

#include "models/calibration/parameters.hpp"
#include "models/calibration/uncertain.hpp"
#include "models/collectives/rank_group.hpp"
#include "models/collectives/transport.hpp"
#include "sim/units.hpp"

namespace vgsim::collectives {

/// The 90 % interval of measured over predicted times: {1, 0.8, 1.5} is from 20 % less to 50 %
/// more. It comes from the residuals of measured machines, each counted once, and includes
/// differences between machines, errors of the fit and errors of measurement.
struct Spread {
  calibration::Uncertain latency{1, 1, 1};  ///< for times without data transfer
  calibration::Uncertain middle{1, 1, 1};   ///< for times that are half latency
  calibration::Uncertain rate{1, 1, 1};     ///< for times that are data transfer alone
};

/// The spread of collectives on these ranks, by the slowest transport between neighbours of a ring.
[[nodiscard]] Spread spread_of(const RankGroup& ranks, const calibration::Parameters& parameters);

/// Of the hops of the first ring; of ranks that are joined.
[[nodiscard]] Transport slowest_transport(const RankGroup& ranks);

/// The name of the parameter with the spread of transfer times.
[[nodiscard]] std::string rate_spread_of(const RankGroup& ranks);

/// The 90 % interval of a predicted time. `fixed` is its latency: factors are interpolated between
/// those of Spread by the share of latency, on a logarithmic scale.
struct TimeInterval {
  SimTime low{};
  SimTime high{};
};
[[nodiscard]] TimeInterval interval_of(SimTime time, SimTime fixed, const Spread& spread);

}  // namespace vgsim::collectives
