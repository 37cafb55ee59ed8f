#pragma once

#include <string>
#include <tl/expected.hpp>

#include "models/calibration/device_work.hpp"

namespace vgsim::scenario {

struct Library;

/// Name under which a job names the network of a probe's training step.
inline constexpr const char* kProbeNetworkFile = "probe-network.json";

struct ProbeJob {
  std::string job;      ///< JSON, of a scenario with one GPU
  std::string network;  ///< text of kProbeNetworkFile
};

/// The training step as a job, or the reason why the model has none: the transformer of
/// calibration::probe_transformer, or the blocks of calibration::probe_cnn with the share of its
/// peak that ResNet-50 reaches.
[[nodiscard]] tl::expected<ProbeJob, std::string> job_of(const calibration::TrainingStep& step,
                                                         const Library& library);

}  // namespace vgsim::scenario
