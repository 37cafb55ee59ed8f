#pragma once

#include <cuda.h>

#include <cstddef>
#include <memory>
#include <optional>

#include "models/calibration/device_work.hpp"
#include "tools/probe/cuda/gpu.hpp"

namespace vgsim::probe::cuda {

/// Host memory whose pages have been touched.
class HostMemory {
 public:
  HostMemory() = default;
  HostMemory(const HostMemory&) = delete;
  HostMemory& operator=(const HostMemory&) = delete;
  virtual ~HostMemory() = default;

  [[nodiscard]] virtual void* data() const = 0;

  /// Its address for kernels of the GPU. Throws DeviceError if it is not mapped.
  [[nodiscard]] virtual CUdeviceptr device_address() const = 0;
};

/// Pinned or pageable memory for copies of `gpu`, bound to a NUMA node if given. Throws
/// DeviceError.
[[nodiscard]] std::unique_ptr<HostMemory> allocate_host_memory(GpuPtr gpu,
                                                               const calibration::Place& place,
                                                               std::size_t size);

}  // namespace vgsim::probe::cuda
