#pragma once

#include "models/calibration/measurement.hpp"
#include "tools/probe/cuda/gpu.hpp"

namespace vgsim::probe::cuda {

/// The machine of these GPUs. Throws DeviceError.
[[nodiscard]] calibration::MeasuredMachine machine_facts(Gpus& gpus);

}  // namespace vgsim::probe::cuda
