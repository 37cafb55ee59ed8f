#include "tools/probe/cuda/mapped_region.hpp"

#include <fmt/format.h>
#include <linux/mempolicy.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstring>

#include "tools/probe/device_layer.hpp"

namespace vgsim::probe::cuda {
namespace {

std::size_t whole_pages(std::size_t size) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return (std::max<std::size_t>(size, 1) + page - 1) / page * page;
}

void* map(std::size_t size) {
  void* data = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED) throw DeviceError(fmt::format("mmap: {}", std::strerror(errno)));
  return data;
}

/// 0, or the reason of the failure.
int bind(void* data, std::size_t size, std::size_t node) {
  constexpr std::size_t kBits = sizeof(unsigned long) * CHAR_BIT;
  std::array<unsigned long, 16> nodes{};
  if (node >= kBits * nodes.size()) return EINVAL;
  nodes[node / kBits] = 1UL << (node % kBits);
  // The kernel takes one bit less than the count that it is told.
  const long result =
      syscall(SYS_mbind, data, size, MPOL_BIND, nodes.data(), kBits * nodes.size() + 1, 0U);
  return result == 0 ? 0 : errno;
}

}  // namespace

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

}  // namespace vgsim::probe::cuda
