#include "tools/sweep/stop_signals.hpp"

#include <atomic>

namespace vgsim::sweep {
namespace {

/// A signal handler has no argument except the number, so it sets a global variable.
std::atomic<int> asked_by = 0;
static_assert(std::atomic<int>::is_always_lock_free, "else a handler must not touch it");

void on_signal(int signal) { asked_by = signal; }

}  // namespace

StopSignals::StopSignals() {
  asked_by = 0;
  struct sigaction action {};
  action.sa_handler = &on_signal;
  action.sa_flags = SA_RESTART;
  ::sigaction(SIGINT, &action, &interrupt_);
  ::sigaction(SIGTERM, &action, &terminate_);
}

StopSignals::~StopSignals() {
  ::sigaction(SIGINT, &interrupt_, nullptr);
  ::sigaction(SIGTERM, &terminate_, nullptr);
}

int stop_signal() { return asked_by; }

bool is_stop_asked() { return asked_by != 0; }

}  // namespace vgsim::sweep
