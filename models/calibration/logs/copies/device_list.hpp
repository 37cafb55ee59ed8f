#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "models/calibration/measurement.hpp"

/// The GPUs that a log lists.
namespace vgsim::calibration::logs {

/// A higher GPU index, or more columns of a table, indicates a damaged file.
inline constexpr std::size_t kMaxGpus = 1024;

struct Device {
  std::size_t index = 0;
  MeasuredGpu gpu;
};

/// The device lists of a file that can contain several runs, each with its list. The first list is
/// used; the others must be equal. A list ends where indices do not increase.
class DeviceList {
 public:
  /// `offset`: position of the device in the file. Returns the beginning of the list that ends here
  /// if it differs from the first list.
  std::optional<std::size_t> add(Device device, std::size_t offset);

  /// Ends the last list. Returns the same as add().
  std::optional<std::size_t> end();

  /// The GPUs of the first list by index; empty for skipped indices.
  [[nodiscard]] std::vector<MeasuredGpu> gpus() const;

 private:
  std::vector<Device> first_;
  std::vector<Device> present_;  ///< the current list
  std::size_t offset_ = 0;       ///< of the current list
};

}  // namespace vgsim::calibration::logs
