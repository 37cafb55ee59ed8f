#include "tools/files/temporary.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <mutex>
#include <utility>

namespace vgsim::files {
namespace {

constexpr std::array<int, 4> kSignals{SIGHUP, SIGINT, SIGQUIT, SIGTERM};

// A signal handler has no argument but the number, so the names that it removes are global.
std::array<std::atomic<const char*>, 16> names;
static_assert(std::atomic<const char*>::is_always_lock_free, "else a handler must not touch it");

void clean_up(int signal) {
  for (std::atomic<const char*>& slot : names) {
    if (const char* name = slot.exchange(nullptr)) ::unlink(name);
  }
  ::signal(signal, SIG_DFL);
  ::raise(signal);  // once the handler has returned
}

/// Keeps handlers that are already installed.
void take_signals() {
  for (const int signal : kSignals) {
    struct sigaction now {};
    if (::sigaction(signal, nullptr, &now) != 0 || now.sa_handler != SIG_DFL) continue;
    struct sigaction action {};
    action.sa_handler = &clean_up;
    ::sigaction(signal, &action, nullptr);
  }
}

}  // namespace

Temporary::Temporary(std::string name) : name_(std::move(name)) {
  static std::once_flag taken;
  std::call_once(taken, take_signals);
  for (std::atomic<const char*>& slot : names) {
    const char* free = nullptr;
    if (!slot.compare_exchange_strong(free, name_.c_str())) continue;
    slot_ = &slot;
    break;
  }
}

Temporary::~Temporary() {
  if (slot_ != nullptr) slot_->store(nullptr);
  ::unlink(name_.c_str());
}

std::string temporary_name(const std::string& file) {
  std::uint64_t random = 0;
  if (::getentropy(&random, sizeof random) != 0) {
    random =
        static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
  }
  return fmt::format("{}.{:012x}.tmp", file, random & 0xffff'ffff'ffffU);
}

}  // namespace vgsim::files
