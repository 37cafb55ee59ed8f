#pragma once

#include <cuda.h>

#include <cstddef>

#include "tools/probe/cuda/stream.hpp"

namespace vgsim::probe::cuda {

/// Queues a copy by load and store instructions of 16 bytes; the stream's GPU runs it.
void copy_by_kernel(const Stream& stream, CUfunction kernel, CUdeviceptr from, CUdeviceptr to,
                    std::size_t size);

/// The kernel of such copies.
[[nodiscard]] CUfunction copy_kernel(const Gpu& gpu);

}  // namespace vgsim::probe::cuda
