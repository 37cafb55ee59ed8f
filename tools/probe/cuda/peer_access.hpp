#pragma once

#include "tools/probe/cuda/gpu.hpp"

namespace vgsim::probe::cuda {

/// Lets each of two GPUs reach the memory of the other. Throws DeviceError where they cannot.
void enable_peer_access(const Gpu& one, const Gpu& other);

/// Copies between the two go through host memory from here on.
void disable_peer_access(const Gpu& one, const Gpu& other);

}  // namespace vgsim::probe::cuda
