#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "models/calibration/measurement.hpp"

/// The GPUs that a log lists.
namespace vgsim::calibration::logs {

/// A higher index of a GPU, or more columns of a table, can only be damage.
inline constexpr std::size_t kMaxGpus = 1024;

struct Device {
  std::size_t index = 0;
  MeasuredGpu gpu;
};

/// The devices of a file in which several runs may follow one another, each with its list. The
/// first list counts; the others must be the same. A list ends where the indices do not rise.
class DeviceList {
 public:
  /// `offset`: where the file names the device. The answer is set if a list ends here that is not
  /// the same as the first: it tells where that list begins.
  std::optional<std::size_t> add(Device device, std::size_t offset);

  /// Ends the last list. The answer is as that of add().
  std::optional<std::size_t> end();

  /// The GPUs of the first list by index. One that the list skips is empty.
  [[nodiscard]] std::vector<MeasuredGpu> gpus() const;

 private:
  std::vector<Device> first_;
  std::vector<Device> present_;  ///< the list that has not ended
  std::size_t offset_ = 0;       ///< of the list that has not ended
};

}  // namespace vgsim::calibration::logs
