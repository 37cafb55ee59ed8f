#pragma once

#include <string>

#include "tools/probe/cuda/gpu.hpp"

namespace vgsim::probe::cuda {

/// "2.28.9"; empty where NCCL is not there.
[[nodiscard]] std::string nccl_version();

/// The XML that NCCL writes of the machine for a communicator over all GPUs; empty where it does
/// not get that far.
[[nodiscard]] std::string nccl_topology(Gpus& gpus);

}  // namespace vgsim::probe::cuda
