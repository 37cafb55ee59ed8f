#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace vgsim::cli {

/// Limits of a command; none by default.
struct GuardedLimits {
  std::optional<std::chrono::nanoseconds> time;  ///< wall-clock time, from now on
  /// Resident bytes. Less than kLeastGuardedMemory, the program's own size, applies to
  /// estimates only.
  std::optional<std::uint64_t> memory;
};

inline constexpr std::uint64_t kLeastGuardedMemory = std::uint64_t{40} << 20;

}  // namespace vgsim::cli
