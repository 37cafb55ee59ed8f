#include "tests/bench/flow_set.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <stdexcept>

#include "sim/fluid_network.hpp"
#include "sim/portable_math.hpp"
#include "sim/random.hpp"
#include "tests/bench/fat_tree.hpp"

namespace vgsim::bench {
namespace {

constexpr double kLog256 = 5.545177444479562;

std::uint32_t below(std::uint32_t bound, std::uint64_t bits) {
  return static_cast<std::uint32_t>(bits % bound);
}

SimTime inject(const Flow& flow) { return SimTime{flow.inject_ns} * 1000; }

std::vector<std::size_t> by_injection(const std::vector<Flow>& flows) {
  std::vector<std::size_t> order(flows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return flows[a].inject_ns < flows[b].inject_ns;
  });
  return order;
}

/// A network in which flows are known by their place in a list.
class Carrier {
 public:
  explicit Carrier(const FlowSet& set) : set_(set), ends_(set.flows.size()) {
    for (const std::int64_t capacity : set.capacities) network_.add_resource(Exact(capacity));
    for (const Flow& flow : set.flows) {
      std::vector<Crossing> crossings;
      for (const std::uint32_t link : flow.links) crossings.push_back({ResourceId{link}});
      routes_.push_back(network_.add_route(std::move(crossings)));
    }
  }

  void start(SimTime now, std::size_t index) {
    const Flow& flow = set_.flows[index];
    const auto cap = flow.cap ? std::optional<Exact>(*flow.cap) : std::nullopt;
    const auto id =
        static_cast<std::size_t>(network_.start_flow(now, routes_[index], Exact(flow.bytes), cap));
    if (id >= index_of_.size()) index_of_.resize(id + 1);
    index_of_[id] = index;
  }

  [[nodiscard]] std::optional<SimTime> next_end() {
    const auto next = network_.next_completion();
    return next ? std::optional<SimTime>(next->at) : std::nullopt;
  }

  void end_flows(SimTime now) {
    for (const FlowId id : network_.complete(now)) {
      ends_[index_of_[static_cast<std::size_t>(id)]] = now;
      ++ended_;
    }
  }

  [[nodiscard]] bool all_ended() const { return ended_ == ends_.size(); }
  [[nodiscard]] const std::vector<SimTime>& ends() const { return ends_; }

 private:
  const FlowSet& set_;
  FluidNetwork network_;
  std::vector<RouteId> routes_;
  std::vector<std::size_t> index_of_;
  std::vector<SimTime> ends_;
  std::size_t ended_ = 0;
};

}  // namespace

FlowSet random_flows(std::uint32_t flows, std::int64_t window_ns, std::uint64_t seed) {
  FlowSet set;
  set.capacities.assign(kFatTreeLinks, kLinkBytesPerSecond);
  for (std::uint32_t i = 0; i < flows; ++i) {
    Flow& flow = set.flows.emplace_back();
    flow.from = below(kFatTreeHosts, random_bits(seed_of("from", seed), i));
    const std::uint32_t step = below(kFatTreeHosts - 1, random_bits(seed_of("to", seed), i));
    flow.to = (flow.from + 1 + step) % kFatTreeHosts;
    const double mebibytes = portable_exp(kLog256 * uniform(seed_of("size", seed), i));
    flow.bytes = static_cast<std::int64_t>(mebibytes * 1024) * 1024;
    const double start = uniform(seed_of("start", seed), i) * static_cast<double>(window_ns);
    flow.start_ns = static_cast<std::int64_t>(start);
    flow.links = fat_tree_route(flow.from, flow.to);
    flow.inject_ns = flow.start_ns + kLinkLatencyNs * static_cast<std::int64_t>(flow.links.size());
  }
  return set;
}

FlowSet incast(std::uint32_t senders) {
  FlowSet set;
  set.capacities.assign(senders + 1, kLinkBytesPerSecond);
  for (std::uint32_t i = 0; i < senders; ++i) {
    Flow& flow = set.flows.emplace_back();
    flow.from = i;
    flow.to = senders;
    flow.bytes = std::int64_t{i + 1} << 20;
    flow.inject_ns = 2 * kLinkLatencyNs;
    flow.links = {i, senders};
  }
  return set;
}

std::vector<SimTime> run(const FlowSet& set) {
  Carrier carrier(set);
  const std::vector<std::size_t> order = by_injection(set.flows);
  std::size_t started = 0;
  while (!carrier.all_ended()) {
    const std::optional<SimTime> end = carrier.next_end();
    if (!end && started == order.size()) throw std::runtime_error("some flows never end");
    SimTime now = started < order.size() ? inject(set.flows[order[started]]) : *end;
    if (end && *end <= now) {
      now = *end;
      carrier.end_flows(now);
    }
    for (; started < order.size() && inject(set.flows[order[started]]) == now; ++started) {
      carrier.start(now, order[started]);
    }
  }
  return carrier.ends();
}

}  // namespace vgsim::bench
