#include "tools/probe/cuda/copy_kernel.hpp"

#include <cstdint>

#include "tools/probe/cuda/kernel_launch.hpp"

namespace vgsim::probe::cuda {

void copy_by_kernel(const Stream& stream, CUfunction kernel, CUdeviceptr from, CUdeviceptr to,
                    std::size_t size) {
  constexpr std::int64_t kBytesPerThread = 64;
  const auto bytes = static_cast<std::int64_t>(size);
  launch(stream, kernel, blocks_for(stream.gpu(), (bytes + kBytesPerThread - 1) / kBytesPerThread),
         {kThreads}, from, to, bytes);
}

CUfunction copy_kernel(const Gpu& gpu) { return gpu.kernel("copy"); }

}  // namespace vgsim::probe::cuda
