#pragma once

#include <chrono>

namespace vgsim::probe::cuda {

/// Seconds of the host's clock since the object was made.
class HostClock {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace vgsim::probe::cuda
