#include "tools/cli/limit_guard.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <fstream>
#include <stop_token>

#include "tools/cli/exit_code.hpp"
#include "tools/cli/output.hpp"
#include "topology/input/units/unit_strings.hpp"

namespace vgsim::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds kBetweenLooks{5};

/// Resident bytes of this process; 0 if unknown.
std::uint64_t memory_in_use() {
  std::ifstream file("/proc/self/statm");
  std::uint64_t whole = 0;
  std::uint64_t resident = 0;
  file >> whole >> resident;
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGE_SIZE));
}

[[noreturn]] void give_up(const std::string& message) {
  write_message(message);
  ::_exit(kLimitReached);
}

void watch(const std::stop_token& done, const GuardedLimits& limits, Clock::time_point begin) {
  while (!done.stop_requested()) {
    if (limits.time && Clock::now() - begin > *limits.time) {
      give_up("vgsim: out of real time (--time-limit)\n");
    }
    if (limits.memory && memory_in_use() > *limits.memory) {
      const auto limit = Bytes{static_cast<std::int64_t>(*limits.memory)};
      give_up(fmt::format("vgsim: more memory in use than {} (--memory-limit)\n",
                          input::format_bytes(limit)));
    }
    std::this_thread::sleep_for(kBetweenLooks);
  }
}

}  // namespace

LimitGuard::LimitGuard(const GuardedLimits& limits) {
  GuardedLimits held = limits;
  if (held.memory && *held.memory < kLeastGuardedMemory) held.memory.reset();
  if (!held.time && !held.memory) return;
  thread_ = std::jthread(
      [held, begin = Clock::now()](const std::stop_token& done) { watch(done, held, begin); });
}

}  // namespace vgsim::cli
