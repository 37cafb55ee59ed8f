#pragma once

#include <thread>

#include "tools/cli/guarded_limits.hpp"

namespace vgsim::cli {

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
