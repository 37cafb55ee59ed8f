#include "tools/probe/cuda/host_memory.hpp"

#include <fmt/format.h>
#include <linux/mempolicy.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstddef>
#include <cstring>
#include <optional>
#include <utility>

#include "tools/probe/cuda/libraries/driver_api.hpp"
#include "tools/probe/device_layer.hpp"

namespace vgsim::probe::cuda {
namespace {

/// Whole pages of memory of this process, written once.
class MappedRegion {
 public:
  /// Bound to the pages of a NUMA node if given. Throws DeviceError.
  MappedRegion(std::size_t size, std::optional<std::size_t> numa_node);
  MappedRegion(const MappedRegion&) = delete;
  MappedRegion& operator=(const MappedRegion&) = delete;
  ~MappedRegion();

  [[nodiscard]] void* data() const { return data_; }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  std::size_t size_;
  void* data_;
};

std::size_t whole_pages(std::size_t size) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return (std::max<std::size_t>(size, 1) + page - 1) / page * page;
}

void* map(std::size_t size) {
  void* data = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED) throw DeviceError(fmt::format("mmap: {}", std::strerror(errno)));
  return data;
}

/// Returns 0 or the errno.
int bind(void* data, std::size_t size, std::size_t node) {
  constexpr std::size_t kBits = sizeof(unsigned long) * CHAR_BIT;
  std::array<unsigned long, 16> nodes{};
  if (node >= kBits * nodes.size()) return EINVAL;
  nodes[node / kBits] = 1UL << (node % kBits);
  // The kernel ignores the last bit of the given count.
  const long result =
      syscall(SYS_mbind, data, size, MPOL_BIND, nodes.data(), kBits * nodes.size() + 1, 0U);
  return result == 0 ? 0 : errno;
}

MappedRegion::MappedRegion(std::size_t size, std::optional<std::size_t> numa_node)
    : size_(whole_pages(size)), data_(map(size_)) {
  const int error = numa_node ? bind(data_, size_, *numa_node) : 0;
  if (error != 0) {
    munmap(data_, size_);
    throw DeviceError(fmt::format("mbind to NUMA node {}: {}", *numa_node, std::strerror(error)));
  }
  std::memset(data_, 1, size_);
}

MappedRegion::~MappedRegion() { munmap(data_, size_); }

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

/// Pinned memory on a given NUMA node, which the driver cannot allocate itself.
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
