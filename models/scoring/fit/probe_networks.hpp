#pragma once

#include <string>

#include "models/calibration/device_work.hpp"

namespace vgsim::scenario {

/// Name of the network of a probe's training step in a job.
inline constexpr const char* kProbeNetworkFile = "probe-network.json";

struct ProbeJob {
  std::string job;      ///< JSON, of a scenario with one GPU
  std::string network;  ///< content of kProbeNetworkFile
};

/// The training step as a job: the transformer of calibration::probe_transformer, or the blocks of
/// calibration::probe_cnn.
[[nodiscard]] ProbeJob job_of(const calibration::TrainingStep& step);

}  // namespace vgsim::scenario
