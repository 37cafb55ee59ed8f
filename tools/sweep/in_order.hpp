#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace vgsim::sweep {

/// How many items per thread may be finished ahead of the one that `take` gets next.
inline constexpr std::size_t kAheadPerJob = 64;

/// The result of an item.
struct WorkResult {
  std::string line;
  bool failed = false;
};

/// Calls `work` with first to count - 1 on `jobs` threads, and `take` on the calling thread
/// with the results, strictly in order. At most `jobs` times kAheadPerJob items are ahead of
/// the one taken next.
///
/// Ends early when `stop` returns true (it is called several times a second, and must stay
/// true): results that are finished after that are discarded, as they may be incomplete. An
/// exception of `work` is rethrown here in the order of its item, one of `take` at once; both
/// after all threads have ended. Returns how many were taken.
std::uint64_t run_in_order(std::uint64_t first, std::uint64_t count, std::size_t jobs,
                           const std::function<WorkResult(std::uint64_t)>& work,
                           const std::function<void(const WorkResult&)>& take,
                           const std::function<bool()>& stop);

/// CPUs that this process may use (affinity mask).
[[nodiscard]] std::size_t usable_cpus();

}  // namespace vgsim::sweep
