#pragma once

#include <cuda.h>

#include <cstddef>
#include <cstdint>

#include "sim/units.hpp"
#include "tools/probe/cuda/stream.hpp"

namespace vgsim::probe::cuda {

/// Throws DeviceError for a size below 0.
[[nodiscard]] std::size_t checked_size(Bytes size);

/// The formats of numbers that fill_random() writes.
enum class Number { kFp32, kFp16, kBf16, kFp8 };

[[nodiscard]] std::size_t size_of(Number number);

/// Memory of a GPU.
class DeviceMemory {
 public:
  /// Throws DeviceError.
  DeviceMemory(GpuPtr gpu, std::size_t size);
  DeviceMemory(DeviceMemory&& other) noexcept;
  DeviceMemory& operator=(DeviceMemory&&) = delete;
  ~DeviceMemory();

  [[nodiscard]] CUdeviceptr address() const { return address_; }
  [[nodiscard]] void* pointer() const;

 private:
  GpuPtr gpu_;
  CUdeviceptr address_ = 0;
};

/// Queues offset + scale x, x a pseudo-random number in [-1, 1] that only depends on its index.
void fill_random(const Stream& stream, CUdeviceptr at, Number number, std::int64_t count,
                 float scale = 1, float offset = 0);

/// Queues zeros.
void clear(const Stream& stream, CUdeviceptr at, std::size_t size);

}  // namespace vgsim::probe::cuda
