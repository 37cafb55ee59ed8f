#pragma once

#include <cstddef>
#include <functional>

#include "models/calibration/measurement.hpp"
#include "tools/probe/device_layer.hpp"

namespace vgsim::probe {

/// Seconds since some moment.
using Clock = std::function<double()>;

struct SamplingSettings {
  double budget_s = 1.0;   ///< for warm-up and samples together; at least the least are taken
  double sample_s = 1e-3;  ///< short work is repeated until a sample takes that long
  std::size_t least = 7;   ///< samples
  std::size_t most = 41;   ///< samples
  double drift = 0.01;     ///< of the median from some samples to the next: it is steady below
};

/// Times the work: first runs that do not count, until clocks and caches are warm (the median of
/// some runs differs from that of those before by no more than `drift`, or than their noise), then
/// samples; where their second half differs from the first, and time is left, others instead. What
/// a sample takes is that of one repeat. Throws DeviceError.
[[nodiscard]] calibration::Timing sample(PreparedWork& work, const SamplingSettings& settings,
                                         const Clock& now);

}  // namespace vgsim::probe
