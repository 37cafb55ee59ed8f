#include <benchmark/benchmark.h>

#include "sim/fluid_network.hpp"
#include "sim/random.hpp"
#include "tests/bench/flow_set.hpp"

// One solution of the max-min problem, from nothing: flows between random hosts of the fat tree
// all start at once.

namespace vgsim::bench {
namespace {

/// Capacities of 1/2, 3/4, 1, 5/4 and 2 times the usual one.
void vary(std::vector<std::int64_t>& capacities) {
  constexpr std::int64_t kQuarters[] = {2, 3, 4, 5, 8};
  for (std::size_t i = 0; i < capacities.size(); ++i) {
    capacities[i] = kLinkBytesPerSecond / 4 * kQuarters[random_bits(1, i) % 5];
  }
}

void solve(benchmark::State& state, bool uneven) {
  FlowSet set = random_flows(static_cast<std::uint32_t>(state.range(0)), 1, 1);
  if (uneven) vary(set.capacities);
  std::int64_t crossings = 0;
  for (const Flow& flow : set.flows) crossings += static_cast<std::int64_t>(flow.links.size());
  for ([[maybe_unused]] auto _ : state) {
    state.PauseTiming();
    {
      FluidNetwork network;
      for (const std::int64_t capacity : set.capacities) network.add_resource(Ratio(capacity));
      for (const Flow& flow : set.flows) {
        std::vector<Crossing> route;
        for (const std::uint32_t link : flow.links) route.push_back({ResourceId{link}});
        network.start_flow(SimTime{0}, network.add_route(std::move(route)), Ratio(flow.bytes));
      }
      state.ResumeTiming();
      benchmark::DoNotOptimize(network.next_completion());
      state.PauseTiming();  // and take the network down outside of it
    }
    state.ResumeTiming();
  }
  state.SetItemsProcessed(state.iterations() * crossings);
}

BENCHMARK_CAPTURE(solve, even, false)
    ->Name("max_min/even")
    ->Arg(100)
    ->Arg(1'000)
    ->Arg(10'000)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(solve, uneven, true)
    ->Name("max_min/uneven")
    ->Arg(100)
    ->Arg(1'000)
    ->Arg(10'000)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace vgsim::bench
