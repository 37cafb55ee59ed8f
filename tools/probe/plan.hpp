#pragma once

#include <string>
#include <vector>

#include "models/calibration/device_work.hpp"
#include "models/calibration/measurement.hpp"

namespace vgsim::probe {

/// A job of several processes.
struct ProbeJob {
  std::size_t ranks = 1;
  std::size_t machines = 1;
};

/// The measurements of a machine, in order: copies between host and GPUs, one GPU and all at
/// once, by NUMA node; copies between GPUs, with peer access and without, in one and both
/// directions; device memory; kernel launches; matrix products; training steps; collectives
/// over pairs, quads and all GPUs, with each algorithm and protocol; for a job on several
/// machines, collectives over all its ranks. `quick`: fewer sizes, pairs and precisions.
[[nodiscard]] std::vector<calibration::DeviceWork> plan(const calibration::MeasuredMachine& machine,
                                                        const ProbeJob& job, bool quick);

}  // namespace vgsim::probe
