#pragma once

#include <cstddef>
#include <optional>

namespace vgsim::probe::cuda {

/// Whole pages of memory of this process, written once.
class MappedRegion {
 public:
  /// On the pages of one NUMA node where it is given. Throws DeviceError.
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

}  // namespace vgsim::probe::cuda
