#pragma once

#include <cstdint>

/// Numbers of simulated iterations.
namespace vgsim::scenario {

/// Minimum, also for shorter epochs, so that a steady state is reached.
inline constexpr std::uint64_t kFewestIterations = 3;
/// Limits of the search for a periodic steady state; iterations of jobs that shard their model are
/// larger.
inline constexpr std::uint64_t kMostIterations = 512;
inline constexpr std::uint64_t kMostShardedIterations = 64;
/// Limits for iterations with random differences: tasks, and iterations.
inline constexpr std::uint64_t kTasksToDraw = 4'000'000;
inline constexpr std::uint64_t kMostDrawn = 16;

}  // namespace vgsim::scenario
