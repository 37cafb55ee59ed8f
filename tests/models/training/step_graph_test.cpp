#include "models/training/step_graph.hpp"

#include <gtest/gtest.h>

#include "models/training/step_times.hpp"
#include "sim/engine.hpp"

namespace vgsim::training {
namespace {

using namespace literals;

/// Two ranks on one link of 1 GB/s; three layers whose backward passes take 10, 20 and 30 ms.
struct TwoRanks {
  Network network;
  collectives::RingPlan plan;
  StepPlan step;

  TwoRanks() {
    const ResourceId link = network.resources.add(Exact(1'000'000'000));
    plan.ranks = {{0, 0}, {1, 0}};
    const collectives::Hop hop{collectives::Transport::kNetwork, {{link, 1}}, {}, false};
    const collectives::Hop free{collectives::Transport::kNetwork, {}, {}, false};
    plan.channels.push_back({{0, 1}, {hop, free}});
    const ComputeTimes compute{30_ms, {10_ms, 20_ms, 30_ms, 0_ms}, 5_ms};
    step.compute = {compute, compute};
    step.feeds.resize(2);
    step.buckets = {{20_MB, 2}, {20_MB, 1}, {20_MB, 0}};
  }

  StepTimes run() {
    const collectives::RingAllReduce all_reduce(plan, {}, network.routes);
    const TrainingGraph training = build_training_graph(step, all_reduce, 3);
    const Timeline timeline = simulate(training.graph, network);
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
  EXPECT_TRUE(times.settled);
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
  // A batch of 50 MB over the same link takes 50 ms; it hides behind the computation of the batch
  // before, but gradients share the link with it.
  TwoRanks job;
  const RouteId route = job.network.routes.add({{ResourceId{0}, 1}});
  job.step.feeds[0].host_to_device = FlowWork{route, Exact(10'000'000), std::nullopt, 1};
  const StepTimes times = job.run();
  EXPECT_EQ(times.breakdown.data_wait, 0_ms);
}

}  // namespace
}  // namespace vgsim::training
