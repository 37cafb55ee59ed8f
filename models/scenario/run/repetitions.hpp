#pragma once

#include <cstdint>

/// How often an iteration is run.
namespace vgsim::scenario {

/// Always, so that a steady one is seen where an epoch has fewer.
inline constexpr std::uint64_t kFewestIterations = 3;
/// After these a state that never came back is not waited for any longer; iterations of jobs that
/// shard their model are larger.
inline constexpr std::uint64_t kMostIterations = 512;
inline constexpr std::uint64_t kMostShardedIterations = 64;
/// Where iterations differ at random: as many as these tasks allow, but no more than kMostDrawn.
inline constexpr std::uint64_t kTasksToDraw = 4'000'000;
inline constexpr std::uint64_t kMostDrawn = 16;

}  // namespace vgsim::scenario
