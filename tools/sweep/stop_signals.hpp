#pragma once

#include <csignal>

namespace vgsim::sweep {

/// While it lives, SIGINT and SIGTERM only ask the sweep to end. Some senders send theirs twice, so
/// more of them change nothing. At most one at a time.
class StopSignals {
 public:
  StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;
  ~StopSignals();

 private:
  struct sigaction interrupt_ {};
  struct sigaction terminate_ {};
};

/// The signal that asked the sweep to end since the StopSignals were made; 0 if none did.
[[nodiscard]] int stop_signal();
[[nodiscard]] bool is_stop_asked();

}  // namespace vgsim::sweep
