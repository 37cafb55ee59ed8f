#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "models/calibration/measurement.hpp"
#include "models/calibration/uncertain.hpp"

namespace vgsim::calibration {

/// What copies over some routes at the same time take: latency + size / rate. Of fewer than three
/// sizes: the rate of the largest alone.
struct LinkFit {
  std::vector<Route> routes;
  bool by_kernel = false;
  bool peer_access = true;
  std::optional<Uncertain> latency_s;  ///< nothing where fewer than three sizes were measured
  Uncertain rate;                      ///< of each route, in bytes per second
  std::size_t sizes = 0;
};

/// Fits each route, or routes that were measured together, over the sizes of its copies, robustly
/// (robust_fit()); in the order in which they were measured.
[[nodiscard]] std::vector<LinkFit> fit_links(const Measurement& measurement);

}  // namespace vgsim::calibration
