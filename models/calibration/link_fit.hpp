#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "models/calibration/measurement.hpp"
#include "models/calibration/uncertain.hpp"

namespace vgsim::calibration {

/// The time of concurrent copies over some routes: latency + size / rate. With fewer than three
/// sizes: the rate of the largest size.
struct LinkFit {
  std::vector<Route> routes;
  bool by_kernel = false;
  bool peer_access = true;
  std::optional<Uncertain> latency_s;  ///< nothing with fewer than three sizes
  Uncertain rate;                      ///< of each route, in bytes/s
  std::size_t sizes = 0;
};

/// Fits each route, or each set of routes measured together, over its sizes with robust_fit(), in
/// the order of measurement.
[[nodiscard]] std::vector<LinkFit> fit_links(const Measurement& measurement);

}  // namespace vgsim::calibration
