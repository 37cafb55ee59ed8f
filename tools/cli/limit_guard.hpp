#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <thread>

namespace vgsim::cli {

/// What a command may take; nothing where it may take all there is.
struct GuardedLimits {
  std::optional<std::chrono::nanoseconds> time;  ///< of real time, from now on
  /// Bytes in use. Less than kLeastGuardedMemory, which the program takes by itself, is held
  /// against estimates alone.
  std::optional<std::uint64_t> memory;
};

inline constexpr std::uint64_t kLeastGuardedMemory = std::uint64_t{40} << 20;

/// Ends the program with a message and kLimitReached where it takes more, whatever it is at: what
/// looks after limits itself ends earlier, and says more. Looks every few milliseconds.
class LimitGuard {
 public:
  explicit LimitGuard(const GuardedLimits& limits);

 private:
  std::jthread thread_;  ///< stopped and joined at the end
};

}  // namespace vgsim::cli
