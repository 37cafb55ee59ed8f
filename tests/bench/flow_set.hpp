#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/units.hpp"

namespace vgsim::bench {

inline constexpr std::int64_t kLinkBytesPerSecond = 50'000'000'000;
inline constexpr std::int64_t kLinkLatencyNs = 500;

/// A flow that takes its share of its links from `inject_ns` on: its start and the latency of its
/// links.
struct Flow {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::int64_t bytes = 0;
  std::int64_t start_ns = 0;
  std::int64_t inject_ns = 0;
  std::optional<std::int64_t> cap;  // bytes per second
  std::vector<std::uint32_t> links;
  std::optional<double> finish_s;  // when it ends by another program
};

struct FlowSet {
  std::vector<std::int64_t> capacities;  // of the links, in bytes per second
  std::vector<Flow> flows;
};

/// `flows` flows between random hosts of the fat tree, of 1 to 256 MiB with uniform logarithms,
/// which start at random within `window_ns`.
[[nodiscard]] FlowSet random_flows(std::uint32_t flows, std::int64_t window_ns, std::uint64_t seed);

/// `senders` hosts send to one at the same time, 1 MiB, 2 MiB and so on: each end changes the rate
/// of all flows that are left.
[[nodiscard]] FlowSet incast(std::uint32_t senders);

/// When each flow ends, by the engine: a task for each flow. Throws Stalled when some never does.
[[nodiscard]] std::vector<SimTime> run(const FlowSet& set);

}  // namespace vgsim::bench
