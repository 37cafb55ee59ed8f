#include "tools/probe/cuda/host_memory.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "tools/probe/cuda/libraries/driver_api.hpp"
#include "tools/probe/cuda/mapped_region.hpp"
#include "tools/probe/device_layer.hpp"

namespace vgsim::probe::cuda {
namespace {

CUdeviceptr mapped_address(const Gpu& gpu, void* data) {
  gpu.make_current();
  CUdeviceptr address = 0;
  check(driver().host_device_pointer(&address, data, 0), "cuMemHostGetDevicePointer");
  return address;
}

class PinnedMemory : public HostMemory {
 public:
  PinnedMemory(GpuPtr gpu, std::size_t size) : gpu_(std::move(gpu)) {
    gpu_->make_current();
    const std::size_t allocated = std::max<std::size_t>(size, 1);
    check(driver().host_allocate(&data_, allocated,
                                 CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP),
          "cuMemHostAlloc");
    std::memset(data_, 1, allocated);
  }
  ~PinnedMemory() override {
    gpu_->try_make_current();
    driver().host_free(data_);
  }

  void* data() const override { return data_; }
  CUdeviceptr device_address() const override { return mapped_address(*gpu_, data_); }

 private:
  GpuPtr gpu_;
  void* data_ = nullptr;
};

/// Pinned memory of a chosen NUMA node, which the driver does not allocate itself.
class RegisteredMemory : public HostMemory {
 public:
  RegisteredMemory(GpuPtr gpu, std::size_t size, std::optional<std::size_t> numa_node)
      : gpu_(std::move(gpu)), region_(size, numa_node) {
    gpu_->make_current();
    check(driver().host_register(region_.data(), region_.size(),
                                 CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP),
          "cuMemHostRegister");
  }
  ~RegisteredMemory() override {
    gpu_->try_make_current();
    driver().host_unregister(region_.data());
  }

  void* data() const override { return region_.data(); }
  CUdeviceptr device_address() const override { return mapped_address(*gpu_, region_.data()); }

 private:
  GpuPtr gpu_;
  MappedRegion region_;
};

class PageableMemory : public HostMemory {
 public:
  PageableMemory(GpuPtr gpu, std::size_t size, std::optional<std::size_t> numa_node)
      : gpu_(std::move(gpu)), region_(size, numa_node) {}

  void* data() const override { return region_.data(); }
  CUdeviceptr device_address() const override {
    if (gpu_->attribute(CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS) == 0) {
      throw DeviceError("a kernel of this GPU cannot reach pageable memory");
    }
    return reinterpret_cast<CUdeviceptr>(region_.data());
  }

 private:
  GpuPtr gpu_;
  MappedRegion region_;
};

}  // namespace

std::unique_ptr<HostMemory> allocate_host_memory(GpuPtr gpu, const calibration::Place& place,
                                                 std::size_t size) {
  if (place.kind == calibration::Place::Kind::kPageable) {
    return std::make_unique<PageableMemory>(std::move(gpu), size, place.numa_node);
  }
  if (place.numa_node) {
    return std::make_unique<RegisteredMemory>(std::move(gpu), size, place.numa_node);
  }
  return std::make_unique<PinnedMemory>(std::move(gpu), size);
}

}  // namespace vgsim::probe::cuda
