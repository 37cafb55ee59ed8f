#include "tests/bench/flow_set.hpp"

#include <optional>
#include <utility>

#include "sim/engine.hpp"
#include "sim/portable_math.hpp"
#include "sim/random.hpp"
#include "tests/bench/fat_tree.hpp"

namespace vgsim::bench {
namespace {

constexpr double kLog256 = 5.545177444479562;

std::uint32_t below(std::uint32_t bound, std::uint64_t bits) {
  return static_cast<std::uint32_t>(bits % bound);
}

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
  Network network;
  TaskGraph graph;
  for (const std::int64_t capacity : set.capacities) network.resources.add(Ratio(capacity));
  for (const Flow& flow : set.flows) {
    std::vector<Crossing> crossings;
    for (const std::uint32_t link : flow.links) crossings.push_back({ResourceId{link}});
    Task task;
    task.delay = SimTime{flow.inject_ns} * 1000;
    task.flow = FlowWork{network.routes.add(std::move(crossings)), Ratio(flow.bytes),
                         flow.cap ? std::optional<Ratio>(*flow.cap) : std::nullopt, 1};
    graph.add(task);
  }
  const Timeline timeline = simulate(graph, network);
  std::vector<SimTime> ends;
  for (const TaskRecord& record : timeline.tasks) ends.push_back(record.end);
  return ends;
}

}  // namespace vgsim::bench
