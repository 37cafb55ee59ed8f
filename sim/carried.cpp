#include "sim/carried.hpp"

namespace vgsim {

std::vector<Ratio> carried_over(const Network& network,
                                const std::vector<RatioSum>& amount_by_route) {
  std::vector<RatioSum> sums(network.resources.size());
  for (std::size_t r = 0; r < amount_by_route.size(); ++r) {
    const Ratio amount = amount_by_route[r].ratio();
    if (amount.is_zero()) continue;
    for (const auto& [resource, coefficient] : network.routes.crossings(static_cast<RouteId>(r))) {
      sums[static_cast<std::size_t>(resource)].add(amount, coefficient);
    }
  }
  std::vector<Ratio> carried;
  carried.reserve(sums.size());
  for (std::size_t i = 0; i < sums.size(); ++i) {
    const bool again = i > 0 && sums[i].has_same_terms(sums[i - 1]);
    carried.push_back(again ? carried.back() : sums[i].ratio());
  }
  return carried;
}

std::vector<Ratio> carried_over(const Network& network, const TaskGraph& graph,
                                std::span<const std::uint64_t> rounds) {
  std::vector<RatioSum> by_route(network.routes.size());
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    const FlowWork* flow = graph.flow(static_cast<TaskId>(i));
    if (flow == nullptr) continue;
    by_route[static_cast<std::size_t>(flow->route)].add(flow->amount,
                                                        static_cast<std::int64_t>(rounds[i]));
  }
  return carried_over(network, by_route);
}

}  // namespace vgsim
