#include <benchmark/benchmark.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "tests/bench/flow_file.hpp"
#include "tests/bench/flow_set.hpp"
#include "tests/bench/ring.hpp"

namespace vgsim::bench {
namespace {

void carry(benchmark::State& state, const FlowSet& set) {
  for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(run(set));
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(set.flows.size()));
}

void generated(benchmark::State& state, std::uint32_t flows, std::int64_t window_ns) {
  carry(state, random_flows(flows, window_ns, 1));
}

/// A set that others have computed, below $VGSIM_SHARED or beside the checkout.
void oracle(benchmark::State& state, const std::string& name) {
  const char* shared = std::getenv("VGSIM_SHARED");
  const std::filesystem::path folder =
      std::filesystem::path(shared != nullptr ? shared : VGSIM_SHARED) / "oracle" / "flows";
  const std::filesystem::path flows = folder / (name + "_flows.csv");
  const std::filesystem::path links = folder / (name + "_links.csv");
  if (!std::filesystem::exists(flows)) {
    state.SkipWithError(("no " + flows.string() + "; set VGSIM_SHARED").c_str());
    return;
  }
  carry(state,
        read_flow_set(flows, std::filesystem::exists(links) ? std::optional<std::string>(links)
                                                            : std::nullopt));
}

void many_to_one(benchmark::State& state) {
  carry(state, incast(static_cast<std::uint32_t>(state.range(0))));
}

void ring(benchmark::State& state, RingTasks tasks) {
  const Ring ring = ring_all_reduce(static_cast<std::uint32_t>(state.range(0)), 1 << 30, tasks);
  for ([[maybe_unused]] auto _ : state) {
    benchmark::DoNotOptimize(simulate(ring.graph, ring.network));
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(ring.messages));
}

void ring_sizes(benchmark::internal::Benchmark* bench) {
  bench->Arg(8)->Arg(64)->Arg(256)->Unit(benchmark::kMillisecond);
}

BENCHMARK_CAPTURE(generated, rand1k, 1'000, 1'000'000)
    ->Name("flows/rand1k/generated")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(generated, rand10k, 10'000, 10'000'000)
    ->Name("flows/rand10k/generated")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(oracle, rand1k, "rand1k_ft3_uniform")
    ->Name("flows/rand1k/oracle")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(oracle, rand1k_hetero, "rand1k_ft3_hetero")
    ->Name("flows/rand1k_hetero/oracle")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(oracle, rand1k_oversub4, "rand1k_ft2_oversub4")
    ->Name("flows/rand1k_oversub4/oracle")
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(oracle, rand10k, "rand10k_ft3_uniform")
    ->Name("flows/rand10k/oracle")
    ->Unit(benchmark::kMillisecond);
BENCHMARK(many_to_one)->Name("flows/incast")->Arg(64)->Arg(512)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(ring, messages, RingTasks::messages)->Name("ring/messages")->Apply(ring_sizes);
BENCHMARK_CAPTURE(ring, rounds, RingTasks::hosts)->Name("ring/rounds")->Apply(ring_sizes);

}  // namespace
}  // namespace vgsim::bench
