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
  double limit_s = 540;  ///< for everything; what there is no time for is left out
};

/// How far a probe has come.
struct ProbeProgress {
  std::size_t done = 0;
  std::size_t of = 0;
  double share = 0;  ///< of the work or of the time, whichever is farther
  std::string next;  ///< what is measured now
};

/// Measures all that plan() says. What a device refuses, and what there is no time for, is listed
/// as left out. `show` is called before each piece of work.
[[nodiscard]] calibration::Measurement probe(DeviceLayer& devices, const ProbeSettings& settings,
                                             const Clock& now,
                                             const std::function<void(const ProbeProgress&)>& show);

}  // namespace vgsim::probe
