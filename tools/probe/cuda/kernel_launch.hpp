#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "tools/probe/cuda/libraries/driver_api.hpp"
#include "tools/probe/cuda/stream.hpp"

namespace vgsim::probe::cuda {

struct Extent {
  unsigned x = 1;
  unsigned y = 1;
};

/// Threads per block of grid-stride kernels.
inline constexpr unsigned kThreads = 256;

/// Blocks of a grid-stride kernel for `count` threads: no more than fill the GPU.
[[nodiscard]] inline Extent blocks_for(const Gpu& gpu, std::int64_t count) {
  constexpr std::int64_t kBlocksPerMultiprocessor = 8;
  const std::int64_t wanted = (count + kThreads - 1) / kThreads;
  const std::int64_t most = kBlocksPerMultiprocessor * gpu.multiprocessors();
  return {static_cast<unsigned>(std::clamp<std::int64_t>(wanted, 1, most)), 1};
}

/// Queues a kernel. The types of the arguments must equal those of its parameters, CUdeviceptr
/// for pointers. The stream's context must be current.
template <class... Arguments>
void launch(const Stream& stream, CUfunction kernel, Extent grid, Extent block,
            Arguments... arguments) {
  std::array<void*, sizeof...(Arguments)> addresses{&arguments...};
  check(driver().launch(kernel, grid.x, grid.y, 1, block.x, block.y, 1, 0, stream.handle(),
                        addresses.data(), nullptr),
        "cuLaunchKernel");
}

}  // namespace vgsim::probe::cuda
