#pragma once

#include <string>

#include "tools/probe/cuda/gpu.hpp"

namespace vgsim::probe::cuda {

/// "2.28.9"; empty without NCCL.
[[nodiscard]] std::string nccl_version();

/// The XML that NCCL writes for a communicator over all GPUs; empty on failure.
[[nodiscard]] std::string nccl_topology(Gpus& gpus);

}  // namespace vgsim::probe::cuda
