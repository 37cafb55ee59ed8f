#pragma once

#include <map>
#include <optional>
#include <vector>

#include "progressive_filling.hpp"
#include "sim/network.hpp"

namespace vgsim::reference {

/// A flow of the reference simulation.
struct Flow {
  RouteId route{};
  Ratio amount;
  std::optional<Ratio> cap;
  std::int64_t weight = 1;
  Ratio start;  ///< in picoseconds
};

/// Rate over weight of each flow, by progressive filling.
inline std::vector<Ratio> levels(const Network& network, const std::vector<Flow>& flows) {
  FillProblem problem;
  for (std::uint32_t r = 0; r < network.resources.size(); ++r) {
    problem.free.emplace_back(network.resources.capacity(ResourceId{r}));
  }
  for (const Flow& flow : flows) {
    const std::size_t first = problem.crossings.size();
    for (const Crossing& c : network.routes.crossings(flow.route)) {
      problem.crossings.push_back({static_cast<std::size_t>(c.resource), c.coefficient});
    }
    std::optional<Ratio> cap;
    if (flow.cap) cap = *flow.cap / flow.weight;
    problem.flows.push_back({first, problem.crossings.size(), flow.weight, cap});
  }
  std::vector<Ratio> result;
  for (const Ratio& level : fill_progressively(problem)) result.push_back(level);
  return result;
}

/// Exact end of each flow in continuous time, in picoseconds; nothing for one that never ends.
/// Every event solves all rates anew, in rationals.
inline std::vector<std::optional<Ratio>> ends(const Network& network,
                                              const std::vector<Flow>& flows) {
  std::vector<std::optional<Ratio>> result(flows.size());
  std::vector<Ratio> left;
  for (const Flow& flow : flows) left.push_back(flow.amount * kPicosecondsPerSecond);
  Ratio now = 0;
  for (;;) {
    std::vector<Flow> active;
    std::vector<std::size_t> ids;
    std::optional<Ratio> next;
    const auto consider = [&](const Ratio& time) {
      if (!next || time < *next) next = time;
    };
    for (std::size_t i = 0; i < flows.size(); ++i) {
      if (result[i]) continue;
      if (flows[i].start > now) {
        consider(flows[i].start);
      } else if (left[i] == 0) {
        result[i] = now;
      } else {
        active.push_back(flows[i]);
        ids.push_back(i);
      }
    }
    const std::vector<Ratio> level = levels(network, active);
    for (std::size_t a = 0; a < ids.size(); ++a) {
      const Ratio rate = level[a] * active[a].weight;
      if (rate > 0) consider(now + left[ids[a]] / rate);
    }
    if (!next) return result;
    for (std::size_t a = 0; a < ids.size(); ++a) {
      left[ids[a]] -= level[a] * active[a].weight * (*next - now);
    }
    now = *next;
  }
}

}  // namespace vgsim::reference
