#pragma once

#include <cstdint>
#include <vector>

#include "tools/probe/cuda/device_memory.hpp"

namespace vgsim::probe::cuda {

/// The tensors of a network except its parameters, freed with the pool.
class TensorPool {
 public:
  TensorPool(GpuPtr gpu, Number number) : gpu_(std::move(gpu)), number_(number) {}

  /// `count` elements of the network's format. Throws DeviceError.
  [[nodiscard]] CUdeviceptr tensor(std::int64_t count) {
    return allocate(static_cast<std::size_t>(count) * size_of(number_));
  }

  /// `count` numbers of fp32.
  [[nodiscard]] CUdeviceptr floats(std::int64_t count) {
    return allocate(static_cast<std::size_t>(count) * sizeof(float));
  }

 private:
  [[nodiscard]] CUdeviceptr allocate(std::size_t size) {
    return memory_.emplace_back(gpu_, size).address();
  }

  GpuPtr gpu_;
  Number number_;
  std::vector<DeviceMemory> memory_;
};

}  // namespace vgsim::probe::cuda
