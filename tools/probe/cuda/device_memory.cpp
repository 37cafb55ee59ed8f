#include "tools/probe/cuda/device_memory.hpp"

#include <algorithm>
#include <utility>

#include "tools/probe/cuda/kernel_launch.hpp"
#include "tools/probe/cuda/libraries/driver_api.hpp"
#include "tools/probe/device_layer.hpp"

namespace vgsim::probe::cuda {
namespace {

const char* fill_kernel(Number number) {
  switch (number) {
    case Number::kFp32:
      return "fill_fp32";
    case Number::kFp16:
      return "fill_fp16";
    case Number::kBf16:
      return "fill_bf16";
    case Number::kFp8:
      return "fill_fp8";
  }
  throw DeviceError("numbers of an unknown format");
}

}  // namespace

std::size_t checked_size(Bytes size) {
  if (size.count() < 0) throw DeviceError("a size below 0");
  return static_cast<std::size_t>(size.count());
}

std::size_t size_of(Number number) {
  if (number == Number::kFp32) return 4;
  return number == Number::kFp8 ? 1 : 2;
}

// The driver refuses allocations of size 0.
DeviceMemory::DeviceMemory(GpuPtr gpu, std::size_t size) : gpu_(std::move(gpu)) {
  gpu_->make_current();
  check(driver().allocate(&address_, std::max<std::size_t>(size, 1)), "cuMemAlloc");
}

DeviceMemory::DeviceMemory(DeviceMemory&& other) noexcept
    : gpu_(std::move(other.gpu_)), address_(std::exchange(other.address_, 0)) {}

DeviceMemory::~DeviceMemory() {
  if (address_ == 0) return;
  gpu_->try_make_current();
  driver().free(address_);
}

void* DeviceMemory::pointer() const { return reinterpret_cast<void*>(address_); }

void fill_random(const Stream& stream, CUdeviceptr at, Number number, std::int64_t count,
                 float scale, float offset) {
  launch(stream, stream.gpu().kernel(fill_kernel(number)), blocks_for(stream.gpu(), count),
         {kThreads}, at, count, scale, offset);
}

void clear(const Stream& stream, CUdeviceptr at, std::size_t size) {
  check(driver().set_bytes(at, 0, size, stream.handle()), "cuMemsetD8Async");
}

}  // namespace vgsim::probe::cuda
