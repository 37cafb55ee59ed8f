#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "models/calibration/measurement.hpp"
#include "tools/probe/device_layer.hpp"
#include "tools/probe/plan.hpp"
#include "tools/probe/sampler.hpp"

namespace vgsim::probe {

struct ProbeSettings {
  bool quick = false;
  ProbeJob job;
  double limit_s = 540;  ///< for everything; further measurements are left out
};

/// Progress of a probe.
struct ProbeProgress {
  std::size_t done = 0;
  std::size_t of = 0;
  double share = 0;  ///< of the work or of the time, whichever is larger
  std::string next;  ///< the current measurement
};

/// Runs all measurements of plan(). Failures of devices, and measurements beyond the time
/// limit, are listed as left out. `show` is called before each measurement.
[[nodiscard]] calibration::Measurement probe(DeviceLayer& devices, const ProbeSettings& settings,
                                             const Clock& now,
                                             const std::function<void(const ProbeProgress&)>& show);

}  // namespace vgsim::probe
