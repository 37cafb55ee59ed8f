#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <thread>

namespace vgsim::cli {

/// Limits of a command; none by default.
struct GuardedLimits {
  std::optional<std::chrono::nanoseconds> time;  ///< wall-clock time, from now on
  /// Resident bytes. Less than kLeastGuardedMemory, the program's own size, applies to
  /// estimates only.
  std::optional<std::uint64_t> memory;
};

inline constexpr std::uint64_t kLeastGuardedMemory = std::uint64_t{40} << 20;

/// Ends the program with a message and kLimitReached when it exceeds a limit, in any state.
/// Code with specific limits ends earlier, with a better message. Polls every few
/// milliseconds.
class LimitGuard {
 public:
  explicit LimitGuard(const GuardedLimits& limits);

 private:
  std::jthread thread_;  ///< stopped and joined by its destructor
};

}  // namespace vgsim::cli
