#pragma once

namespace vgsim::cli {

/// What the program tells its caller, as diff and grep do. Every command that is asked about a
/// scenario keeps to the same: bad input goes before a refusal, a refusal before success.
enum ExitCode : int {
  kDone = 0,
  kExpectationFailed = 1,  ///< also: a layout that was asked for is refused, or a VM has no place
  kBadInput = 2,           ///< bad input or usage
  kInternalError = 3,      ///< a bug in the tool
  kLimitReached = 4,       ///< time, memory, events or the range of simulated time
  kReaderLeft = 141,       ///< what a shell says of a program that SIGPIPE ends
};

}  // namespace vgsim::cli
