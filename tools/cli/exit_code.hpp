#pragma once

namespace vgsim::cli {

/// What the program tells its caller, as diff and grep do.
enum ExitCode : int {
  kDone = 0,
  kExpectationFailed = 1,
  kBadInput = 2,       ///< bad input or usage
  kInternalError = 3,  ///< a bug in the tool
  kLimitReached = 4,   ///< time, memory, events or the range of simulated time
  kReaderLeft = 141,   ///< what a shell says of a program that SIGPIPE ends
};

}  // namespace vgsim::cli
