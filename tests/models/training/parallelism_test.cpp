// Groups of ranks and pipeline schedules, against closed forms.

#include "models/training/parallelism.hpp"

#include <gtest/gtest.h>

#include <set>

#include "models/training/pipeline_graph.hpp"
#include "sim/engine.hpp"

namespace vgsim::training {
namespace parallelism_test {

using namespace literals;

TEST(Parallelism, EveryRankIsInOneGroupOfEachAxis) {
  Parallelism p;
  p.tensor = 2;
  p.context = 2;
  p.data = 4;
  p.pipeline = 3;
  p.expert = 2;
  const std::pair<Axis, std::size_t> sizes[] = {{Axis::kTensor, 2},
                                                {Axis::kContext, 2},
                                                {Axis::kData, 8},
                                                {Axis::kExpert, 2},
                                                {Axis::kPipeline, 3}};
  for (const auto& [axis, size] : sizes) {
    std::set<std::size_t> seen;
    for (const auto& group : groups(p, axis)) {
      EXPECT_EQ(group.size(), size) << to_string(axis);
      seen.insert(group.begin(), group.end());
    }
    EXPECT_EQ(seen.size(), p.ranks()) << to_string(axis);
  }
  EXPECT_EQ(groups(p, Axis::kTensor).front(), (std::vector<std::size_t>{0, 1}))
      << "neighbours share matrix products";
}

TEST(Parallelism, StagesDoEachMicroBatchOnceEachWay) {
  for (const auto& [stages, chunks, micro_batches] :
       {std::tuple<std::size_t, std::size_t, std::int64_t>{4, 1, 8},
        {4, 1, 2},
        {4, 2, 8},
        {1, 1, 3},
        {2, 3, 4}}) {
    for (const Schedule schedule : {Schedule::k1f1b, Schedule::kGpipe}) {
      Parallelism p;
      p.pipeline = stages;
      p.virtual_stages = chunks;
      p.micro_batches = micro_batches;
      p.schedule = schedule;
      for (std::size_t s = 0; s < stages; ++s) {
        const auto order = pipeline_order(p, s);
        std::set<std::tuple<bool, std::size_t, std::size_t>> seen;
        for (const PipelineOp& op : order) seen.insert({op.forward, op.chunk, op.micro_batch});
        EXPECT_EQ(order.size(), 2 * chunks * static_cast<std::size_t>(micro_batches));
        EXPECT_EQ(seen.size(), order.size());
      }
    }
  }
}

/// An iteration of equal stages without transfers: forward 1, backward 2 for a micro-batch.
SimTime iteration(const Parallelism& p) {
  StageTimes stage;
  for (std::size_t c = 0; c < p.virtual_stages; ++c) {
    const auto chunks = static_cast<std::int64_t>(p.virtual_stages);
    stage.chunks.push_back({SimTime{(1_ms).count() / chunks}, SimTime{(2_ms).count() / chunks}});
  }
  const auto graph = build_pipeline(p, std::vector<StageTimes>(p.pipeline, stage), true);
  return simulate(graph.graph, Network{}, RunOptions{}).makespan;
}

TEST(Pipeline, TheBubbleIsPMinusOneOverMPlusPMinusOne) {
  for (const std::size_t stages : {1U, 2U, 4U, 8U}) {
    for (const std::int64_t micro_batches : {1, 2, 4, 8, 32}) {
      for (const Schedule schedule : {Schedule::k1f1b, Schedule::kGpipe}) {
        Parallelism p;
        p.pipeline = stages;
        p.micro_batches = micro_batches;
        p.schedule = schedule;
        const auto behind = static_cast<std::int64_t>(stages) - 1;
        EXPECT_EQ(iteration(p), 3_ms * (micro_batches + behind))
            << stages << " stages, " << micro_batches << " micro-batches";
      }
    }
  }
}

TEST(Pipeline, InterleavingDividesTheBubbleByTheChunksOfAStage) {
  // D. Narayanan et al., 2021, section 2.2: the bubble is (p - 1) / (v m) of the work.
  for (const std::size_t chunks : {2U, 4U}) {
    Parallelism p;
    p.pipeline = 4;
    p.virtual_stages = chunks;
    p.micro_batches = 8;
    EXPECT_EQ(iteration(p),
              3_ms * 8 + SimTime{(3_ms * 3).count() / static_cast<std::int64_t>(chunks)});
  }
}

TEST(Pipeline, LayersOnOneDeviceAfterTheOtherAreAPipelineOfOneMicroBatch) {
  Parallelism p;
  p.pipeline = 4;
  p.micro_batches = 1;
  EXPECT_EQ(iteration(p), 3_ms * 4) << "one device works, three wait";
}

TEST(Pipeline, AReductionHidesBehindTheLastBackwardPassWhereItOverlaps) {
  Parallelism p;
  StageTimes stage;
  stage.chunks.push_back({1_ms, 2_ms});
  stage.reduce = 3_ms;
  stage.optimizer = 1_ms;
  const auto with = [&](bool overlap) {
    return simulate(build_pipeline(p, {stage}, overlap).graph, Network{}, RunOptions{}).makespan;
  };
  EXPECT_EQ(with(false), 1_ms + 2_ms + 3_ms + 1_ms);
  EXPECT_EQ(with(true), 1_ms + 3_ms + 1_ms);
}

}  // namespace parallelism_test
}  // namespace vgsim::training
