#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/engine.hpp"

namespace vgsim::bench {

/// An AllReduce by a ring of N hosts around one switch, each of its 2 N (N - 1) messages as a
/// separate flow: a host sends its next chunk once it has sent the one before and received its
/// neighbour's. No two flows share a link at a time.
struct Ring {
  Network network;
  TaskGraph graph;
  std::size_t messages = 0;
  /// When the last flow ends: 2 (N - 1) times the latency of two links and the time of a chunk.
  SimTime expected{};
};

/// What the tasks of the graph are.
enum class RingTasks {
  messages,  ///< each message
  hosts,     ///< each host, with its messages as rounds
};

/// `bytes` must be a multiple of `hosts`, which must be at least 2.
[[nodiscard]] Ring ring_all_reduce(std::uint32_t hosts, std::int64_t bytes, RingTasks tasks);

}  // namespace vgsim::bench
