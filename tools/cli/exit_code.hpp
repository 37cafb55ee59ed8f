#pragma once

namespace vgsim::cli {

/// Exit codes, like those of diff and grep. For all commands on scenarios bad input takes
/// precedence over a refusal, and a refusal over success.
enum ExitCode : int {
  kDone = 0,
  kExpectationFailed = 1,  ///< also: a requested layout is refused, or a VM cannot be placed
  kBadInput = 2,           ///< bad input or usage
  kInternalError = 3,      ///< a bug in the tool
  kLimitReached = 4,       ///< time, memory, events or the range of simulated time
  kReaderLeft = 141,       ///< as a shell reports a program ended by SIGPIPE
};

}  // namespace vgsim::cli
