#pragma once

#include <csignal>

namespace vgsim::sweep {

/// During its lifetime SIGINT and SIGTERM request the end of the sweep. Repeated signals have
/// no further effect, as some senders send theirs twice. At most one object at a time.
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

/// The signal that requested the end since the StopSignals were made; 0: none.
[[nodiscard]] int stop_signal();
[[nodiscard]] bool is_stop_asked();

}  // namespace vgsim::sweep
