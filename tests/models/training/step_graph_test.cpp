#include "models/training/step_graph.hpp"

#include <gtest/gtest.h>

#include "models/training/step_times.hpp"
#include "sim/engine.hpp"
#include "tests/support/ring_cluster.hpp"

namespace vgsim::training {
namespace step_graph_test {

using namespace literals;

/// Two ranks on one link of 1 GB/s, and a fast one back; three layers whose backward passes take
/// 10, 20 and 30 ms.
struct TwoRanks {
  std::unique_ptr<test::RingCluster> cluster = test::ring_over({1'000'000'000, 1'000'000'000'000});
  collectives::PlacedNetwork placed = cluster->network();
  StepPlan step;

  TwoRanks() {
    const ComputeTimes compute{30_ms, {10_ms, 20_ms, 30_ms, 0_ms}, 5_ms};
    step.compute = {compute, compute};
    step.feeds.resize(2);
    step.buckets = {{20_MB, 2}, {20_MB, 1}, {20_MB, 0}};
  }

  StepTimes run(std::uint64_t iterations = 3) {
    collectives::Lowering lowering(cluster->ranks(), {}, placed);
    const TrainingGraph training = build_training_graph(step, lowering);
    RunOptions options;
    options.iterations = iterations;
    options.find_repeat = false;
    options.keep = std::size_t{training.graph.longest_lag()} + 2;
    const Timeline timeline = simulate(training.graph, placed.network(), options);
    return read_step_times(training, timeline);
  }
};

TEST(StepGraph, BucketsOverlapWithTheBackwardPassAsByHand) {
  // Of two ranks each bucket of 20 MB moves 20 MB: 20 ms. Ready at 40, 60, 90 ms; reduced at 60,
  // 80, 110 ms; optimizer until 115 ms.
  const StepTimes times = TwoRanks().run();
  EXPECT_EQ(times.steady, 115_ms);
  EXPECT_EQ(times.breakdown.compute, 90_ms);
  EXPECT_EQ(times.breakdown.exposed_communication, 20_ms);
  EXPECT_EQ(times.breakdown.optimizer, 5_ms);
  for (const std::uint64_t iterations : {2U, 4U, 10U}) {
    EXPECT_EQ(TwoRanks().run(iterations).steady, 115_ms) << "as all but the first";
  }
}

TEST(StepGraph, WithoutOverlapBucketsFollowTheBackwardPass) {
  TwoRanks job;
  job.step.overlap = false;
  EXPECT_EQ(job.run().steady, 90_ms + 60_ms + 5_ms);
}

TEST(StepGraph, ASlowRankHoldsUpAll) {
  TwoRanks job;
  job.step.compute[1].forward = 130_ms;
  const StepTimes times = job.run();
  EXPECT_EQ(times.steady, 215_ms);
}

TEST(StepGraph, TheCriticalPathCoversTheIteration) {
  const StepTimes times = TwoRanks().run();
  SimTime sum{};
  for (const auto& segment : times.critical_path) sum += segment.end - segment.begin;
  EXPECT_EQ(sum, times.steady);
}

TEST(StepGraph, InputIsFetchedAheadOfItsUse) {
  // A batch of 10 MB over the same link takes 10 ms; it hides behind the computation of the batch
  // before, but gradients share the link with it.
  TwoRanks job;
  const ResourceId link = job.placed.resource_in(0, job.cluster->port(0).out);
  const RouteId route = job.placed.network().routes.add({{link, 1}});
  job.step.feeds[0].host_to_device = FlowWork{route, Ratio(10'000'000), std::nullopt, 1};
  const StepTimes times = job.run();
  EXPECT_EQ(times.breakdown.data_wait, 0_ms);
}

}  // namespace step_graph_test
}  // namespace vgsim::training
