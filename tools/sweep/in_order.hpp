#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

namespace vgsim::sweep {

/// How far the threads of a run may be ahead of what was taken, in pieces per thread.
inline constexpr std::size_t kAheadPerJob = 64;

/// What a piece of work hands over.
struct Piece {
  std::string line;
  bool failed = false;
};

/// Calls `work` with first to count - 1 on `jobs` threads, and `take` on the calling thread with
/// what it returns, strictly in order. No piece begins that is `jobs` times kAheadPerJob or more
/// ahead of what was taken.
///
/// Ends early where `stop` says so (asked several times a second, and once it was true it must
/// stay so): pieces that end after that are dropped, for they may have been cut short. An exception
/// of `work` is thrown here when its turn comes, one of `take` at once; both after all threads have
/// ended. Returns how many were taken.
std::uint64_t run_in_order(std::uint64_t first, std::uint64_t count, std::size_t jobs,
                           const std::function<Piece(std::uint64_t)>& work,
                           const std::function<void(const Piece&)>& take,
                           const std::function<bool()>& stop);

/// How many threads this process may keep busy: the CPUs that a scheduler has left it.
[[nodiscard]] std::size_t usable_cpus();

}  // namespace vgsim::sweep
