#include "models/training/step_graph.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "models/training/step_times.hpp"
#include "sim/engine.hpp"
#include "tests/support/ring_cluster.hpp"

namespace vgsim::training {
namespace step_graph_test {

using namespace literals;

/// Gradients of all ranks of a cluster.
class RingExchanger final : public Exchanger {
 public:
  explicit RingExchanger(collectives::Lowering& lowering) : lowering_(lowering) {}

  collectives::CollectiveTasks exchange(TaskGraph& graph, std::size_t, const Exchange& exchange,
                                        collectives::TaskLabel label) override {
    return lowering_.add(graph, exchange.collective, exchange.size, label);
  }
  collectives::CollectiveTasks send(TaskGraph&, std::size_t, std::size_t, Bytes,
                                    collectives::TaskLabel) override {
    throw std::logic_error("no stages");
  }

 private:
  collectives::Lowering& lowering_;
};

/// Two ranks on one link of 1 GB/s, and a fast one back; three layers whose backward passes take
/// 10, 20 and 30 ms.
struct TwoRanks {
  std::unique_ptr<test::RingCluster> cluster = test::ring_over({1'000'000'000, 1'000'000'000'000});
  collectives::PlacedNetwork placed = cluster->network();
  StepPlan step;

  TwoRanks() {
    StageWork work;
    ChunkPlan& chunk = work.chunks.emplace_back();
    chunk.forward.push_back({30_ms, {}, {}, {}, {}});
    const Exchange bucket{Axis::kData, collectives::Collective::kAllReduce, 20_MB, 1};
    for (const SimTime part : {10_ms, 20_ms, 30_ms}) {
      chunk.last_backward.push_back({part, {}, {}, {}, {bucket}});
    }
    work.optimizer = 5_ms;
    step.work = {work, work};
    step.units = {{0, {}, {}}, {1, {}, {}}};
    step.replicas = 2;
    step.groups = {{Axis::kData, {0, 1}}};
    step.optimizer = OptimizerStart::kOwnGradients;
    step.barrier = false;
  }

  StepTimes run(std::uint64_t iterations = 3) {
    collectives::Lowering lowering(cluster->ranks(), {}, placed);
    RingExchanger exchanger(lowering);
    const TrainingGraph training = build_training_graph(step, exchanger);
    RunOptions options;
    options.iterations = iterations;
    options.find_repeat = false;
    options.keep = std::size_t{training.graph.longest_lag()} + 2;
    const Timeline timeline = simulate(training.graph, placed.network(), options);
    return read_step_times(training, timeline);
  }
};

TEST(StepGraph, BucketsOverlapWithTheBackwardPassAsByHand) {
  // On two ranks each bucket of 20 MB moves 20 MB: 20 ms. Ready at 40, 60, 90 ms; reduced at 60,
  // 80, 110 ms; optimizer until 115 ms.
  const StepTimes times = TwoRanks().run();
  EXPECT_EQ(times.steady, 115_ms);
  EXPECT_EQ(times.breakdown.compute, 90_ms);
  EXPECT_EQ(times.breakdown.exposed.at(Axis::kData), 20_ms);
  EXPECT_EQ(times.hidden.front(), 40_ms);
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
  job.step.work[1].chunks.front().forward.front().compute = 130_ms;
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
  InputFeed feed;
  feed.host_to_device = FlowWork{route, Ratio(10'000'000), std::nullopt, 1};
  job.step.feeds = {{0, feed}};
  const StepTimes times = job.run();
  EXPECT_EQ(times.breakdown.data_wait, 0_ms);
}

TEST(StepGraph, AUnitWaitsForTheTurnsOfEachOfItsRanks) {
  // One rank has its GPU alone, the other one slice of 10 ms in 20. It computes forward for 30 ms
  // in three slices until 50, backward for 10 until 70, and its optimizer until 90. From then on an
  // iteration begins at the end of a slice and takes 60, 20 and 20.
  StageWork work;
  ChunkPlan& chunk = work.chunks.emplace_back();
  chunk.forward.push_back({30_ms, {}, {}, {}, {}});
  chunk.last_backward.push_back({10_ms, {}, {}, {}, {}});
  work.optimizer = 10_ms;
  StepPlan step;
  step.work = {work};
  step.units = {{0, {}, {{0, {}}, {1, {}}}}};
  auto cluster = test::ring_over({1'000'000'000, 1'000'000'000});
  auto placed = cluster->network();
  collectives::Lowering lowering(cluster->ranks(), {}, placed);
  RingExchanger exchanger(lowering);
  const TrainingGraph training = build_training_graph(step, exchanger);
  const Tenant always{SimTime{0}, std::nullopt};
  RunOptions options;
  options.slicing.devices = {{SlicePolicy::kFixedSlots, 10_ms, SimTime{0}, {always}, 1, 0},
                             {SlicePolicy::kFixedSlots, 10_ms, SimTime{0}, {always, always}, 2, 0}};
  options.slicing.slots.resize(training.graph.size());
  for (const TimeSlicedTask& task : training.time_sliced) {
    options.slicing.slots[index(task.task)] =
        SlicingPlan::Slot{static_cast<std::uint32_t>(task.seat), 0, task.lane};
  }
  options.iterations = options.keep = 4;
  const Timeline timeline = simulate(training.graph, placed.network(), options);
  const StepTimes times = read_step_times(training, timeline, true);
  EXPECT_EQ(times.first, 90_ms);
  EXPECT_EQ(times.steady, 100_ms);
  EXPECT_EQ(times.breakdown.compute, 80_ms);
  EXPECT_EQ(times.breakdown.optimizer, 20_ms);
}

}  // namespace step_graph_test
}  // namespace vgsim::training
