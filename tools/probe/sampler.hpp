#pragma once

#include <cstddef>
#include <functional>

#include "models/calibration/measurement.hpp"
#include "tools/probe/device_layer.hpp"

namespace vgsim::probe {

/// Seconds since an arbitrary moment.
using Clock = std::function<double()>;

struct SamplingSettings {
  double budget_s = 1.0;   ///< for warm-up and samples; at least `least` samples are taken
  double sample_s = 1e-3;  ///< short work is repeated until a sample takes that long
  std::size_t least = 7;   ///< samples
  std::size_t most = 41;   ///< samples
  double drift = 0.01;     ///< relative change of the median below which it is steady
};

/// Times the work: uncounted runs until clocks and caches are warm (the median changes by no
/// more than `drift` or the noise), then samples; if their second half differs from the first,
/// and time is left, new samples replace them. A sample is the time of one repetition. Throws
/// DeviceError.
[[nodiscard]] calibration::Timing sample(PreparedWork& work, const SamplingSettings& settings,
                                         const Clock& now);

}  // namespace vgsim::probe
