#include <benchmark/benchmark.h>

#include "sim/portable_math.hpp"
#include "sim/random.hpp"
#include "sim/tick_queue.hpp"

// The hold model (Jones, An empirical comparison of priority-queue and event-set implementations,
// CACM 29(4), 1986): a queue of constant size from which the next item is taken and put back later.

namespace vgsim::bench {
namespace {

constexpr std::size_t kSteps = 1 << 16;  // draws are made beforehand and used again and again

std::vector<SimTime> steps_of(double (*draw)(std::uint64_t)) {
  std::vector<SimTime> steps;
  for (std::uint64_t i = 0; i < kSteps; ++i) {
    steps.emplace_back(static_cast<std::int64_t>(draw(i)) + 1);
  }
  return steps;
}

/// With a mean of a microsecond.
double exponential(std::uint64_t i) { return -1e6 * portable_log(uniform(1, i)); }

/// Nine of ten in nanoseconds, one in milliseconds: messages next to compute phases.
double bimodal(std::uint64_t i) { return (uniform(2, i) < 0.9 ? 1e3 : 1e9) * uniform(3, i); }

/// All the same: machines in step.
double lockstep(std::uint64_t /*i*/) { return 1e6; }

void hold(benchmark::State& state, double (*draw)(std::uint64_t)) {
  const std::vector<SimTime> steps = steps_of(draw);
  TickQueue<std::uint32_t> queue;
  std::size_t next = 0;
  for (std::int64_t i = 0; i < state.range(0); ++i) {
    queue.push(steps[next++ % kSteps], static_cast<std::uint32_t>(i));
  }
  std::vector<std::uint32_t> items;
  std::int64_t held = 0;
  for ([[maybe_unused]] auto _ : state) {
    const SimTime now = queue.next();
    items.clear();
    queue.take(items);
    for (const std::uint32_t item : items) queue.push(now + steps[next++ % kSteps], item);
    held += static_cast<std::int64_t>(items.size());
  }
  state.SetItemsProcessed(held);
}

void sizes(benchmark::internal::Benchmark* bench) {
  bench->Arg(1'000)->Arg(100'000)->Arg(1'000'000);
}

BENCHMARK_CAPTURE(hold, exponential, exponential)->Name("tick_queue/exponential")->Apply(sizes);
BENCHMARK_CAPTURE(hold, bimodal, bimodal)->Name("tick_queue/bimodal")->Apply(sizes);
BENCHMARK_CAPTURE(hold, lockstep, lockstep)->Name("tick_queue/lockstep")->Apply(sizes);

}  // namespace
}  // namespace vgsim::bench
