// Groups of ranks and pipeline schedules, against closed forms.

#include "models/training/parallelism.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "models/training/step_graph.hpp"
#include "models/training/step_times.hpp"
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

TEST(Parallelism, CopiesAreSharedOutAmongNeighboursAndSummedBetweenEqualParts) {
  Parallelism p;
  p.data = 8;
  p.shard_size = 4;
  p.reshard_size = 2;
  using Groups = std::vector<std::vector<std::size_t>>;
  EXPECT_EQ(groups(p, Axis::kShard), (Groups{{0, 1, 2, 3}, {4, 5, 6, 7}}));
  EXPECT_EQ(groups(p, Axis::kReplica), (Groups{{0, 4}, {1, 5}, {2, 6}, {3, 7}}));
  EXPECT_EQ(groups(p, Axis::kReshard), (Groups{{0, 1}, {2, 3}, {4, 5}, {6, 7}}));
  for (const Axis axis : {Axis::kShard, Axis::kReplica, Axis::kReshard}) {
    EXPECT_EQ(groups(p, axis).front().size(), group_size(p, axis));
  }
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
        for (const PipelineOp& op : order) {
          seen.insert({op.pass == Pass::kForward, op.chunk, op.micro_batch});
        }
        EXPECT_EQ(order.size(), 2 * chunks * static_cast<std::size_t>(micro_batches));
        EXPECT_EQ(seen.size(), order.size());
      }
    }
  }
}

/// Every exchange takes a fixed time, independent of its participants.
class FixedTimes final : public Exchanger {
 public:
  SimTime of_exchange{};
  SimTime of_send{};

  collectives::CollectiveTasks exchange(TaskGraph& graph, std::size_t, const Exchange& exchange,
                                        collectives::TaskLabel label) override {
    return add(graph, of_exchange * exchange.times, label);
  }
  collectives::CollectiveTasks send(TaskGraph& graph, std::size_t, std::size_t, Bytes,
                                    collectives::TaskLabel label) override {
    return add(graph, of_send, label);
  }

 private:
  static collectives::CollectiveTasks add(TaskGraph& graph, SimTime time,
                                          collectives::TaskLabel label) {
    const TaskId task = graph.add({time, std::nullopt, label.category, label.subject, 1});
    return {task, task, time};
  }
};

StepSegment computing(SimTime time) {
  StepSegment piece;
  piece.compute = time;
  return piece;
}

/// Lists all replicas of each stage of the plan.
void list_units(StepPlan& plan) {
  plan.units.clear();
  for (std::size_t s = 0; s < plan.work.size(); ++s) {
    for (std::size_t r = 0; r < plan.replicas; ++r) plan.units.push_back({s, {}, {}});
  }
}

StepTimes times_of(const StepPlan& plan, SimTime of_exchange = {}, SimTime of_send = {}) {
  FixedTimes exchanger;
  exchanger.of_exchange = of_exchange;
  exchanger.of_send = of_send;
  const TrainingGraph training = build_training_graph(plan, exchanger);
  return read_step_times(training, simulate(training.graph, Network{}, RunOptions{}));
}

/// Equal stages: 1 forward and 2 backward for a micro-batch.
StepPlan equal_stages(const Parallelism& p) {
  const auto chunks = static_cast<std::int64_t>(p.virtual_stages);
  ChunkPlan chunk;
  chunk.forward.push_back(computing(SimTime{(1_ms).count() / chunks}));
  chunk.backward.push_back(computing(SimTime{(2_ms).count() / chunks}));
  chunk.last_backward = chunk.backward;
  StepPlan plan;
  plan.parallelism = p;
  plan.work.resize(p.pipeline);
  for (StageWork& stage : plan.work) stage.chunks.assign(p.virtual_stages, chunk);
  list_units(plan);
  return plan;
}

SimTime iteration(const Parallelism& p) { return times_of(equal_stages(p)).steady; }

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

TEST(Pipeline, GradientsOfWeightsFillTheBubbleOfTheZeroBubbleSchedule) {
  // P. Qi et al., Zero Bubble Pipeline Parallelism, 2023, table 2: the bubble of ZB-H1 is (p - 1)
  // (T_F + T_B - T_W).
  for (const auto& [forward, backward, weights] :
       {std::tuple{1_ms, 1_ms, 1_ms}, {10_ms, 10_ms, 8_ms}, {10_ms, 12_ms, 8_ms}}) {
    for (const std::int64_t stages : {2, 4, 8}) {
      for (const std::int64_t rounds : {2, 3, 5}) {
        Parallelism p;
        p.pipeline = static_cast<std::size_t>(stages);
        p.micro_batches = stages * rounds;
        p.schedule = Schedule::kZeroBubble;
        StepPlan plan = equal_stages(p);
        for (StageWork& stage : plan.work) {
          ChunkPlan& chunk = stage.chunks.front();
          chunk.forward = {computing(forward)};
          chunk.backward = chunk.last_backward = {computing(backward)};
          chunk.weights = chunk.last_weights = {computing(weights)};
        }
        EXPECT_EQ(times_of(plan).steady, (forward + backward + weights) * p.micro_batches +
                                             (forward + backward - weights) * (stages - 1))
            << stages << " stages, " << p.micro_batches << " micro-batches";
      }
    }
  }
}

TEST(Pipeline, StagesDoNotWaitForTheReductionsOfOthers) {
  // All stages reduce after their last micro-batch; the first stage ends last.
  Parallelism p;
  p.pipeline = 4;
  p.micro_batches = 8;
  StepPlan plan = equal_stages(p);
  plan.overlap = false;
  for (std::size_t s = 0; s < p.pipeline; ++s) {
    plan.groups.push_back({Axis::kData, {s}});
    plan.work[s].chunks.front().last_backward.front().reduced = {
        {Axis::kData, collectives::Collective::kAllReduce, Bytes{1}, 1}};
  }
  EXPECT_EQ(times_of(plan, 5_ms).steady, 3_ms * (8 + 3) + 5_ms);
}

TEST(Pipeline, LayersOnOneDeviceAfterTheOtherAreAPipelineOfOneMicroBatch) {
  Parallelism p;
  p.pipeline = 4;
  p.micro_batches = 1;
  EXPECT_EQ(iteration(p), 3_ms * 4) << "one device works, three wait";
}

TEST(Pipeline, WaitsForOtherStagesAreTheBubble) {
  Parallelism p;
  p.pipeline = 4;
  p.micro_batches = 8;
  const Breakdown parts = times_of(equal_stages(p)).breakdown;
  EXPECT_EQ(parts.compute, 3_ms * 8);
  EXPECT_EQ(parts.waiting, 3_ms * 3);
  EXPECT_EQ(parts.total, parts.compute + parts.waiting);
}

/// The schedule of 1F1B computed directly: the start of each piece of work, as in a table.
SimTime by_hand(const std::vector<SimTime>& forward, SimTime send, std::size_t micro_batches) {
  const std::size_t stages = forward.size();
  Parallelism p;
  p.pipeline = stages;
  p.micro_batches = static_cast<std::int64_t>(micro_batches);
  std::vector<std::vector<PipelineOp>> order;
  for (std::size_t s = 0; s < stages; ++s) order.push_back(pipeline_order(p, s));
  constexpr SimTime kNever{-1};
  std::vector<std::vector<SimTime>> there(stages, std::vector<SimTime>(micro_batches, kNever));
  auto back = there;
  std::vector<SimTime> free(stages, SimTime{0});
  std::vector<std::size_t> next(stages, 0);
  for (bool moves = true; moves;) {
    moves = false;
    for (std::size_t s = 0; s < stages; ++s) {
      while (next[s] < order[s].size()) {
        const PipelineOp& op = order[s][next[s]];
        const bool goes = op.pass == Pass::kForward;
        const bool first = goes ? s == 0 : s + 1 == stages;
        const SimTime from = goes
                                 ? (first ? SimTime{0} : there[s - 1][op.micro_batch])
                                 : (first ? there[s][op.micro_batch] : back[s + 1][op.micro_batch]);
        if (from == kNever) break;
        const SimTime arrives = first ? from : from + send;
        free[s] = std::max(free[s], arrives) + forward[s] * (goes ? 1 : 2);
        (goes ? there : back)[s][op.micro_batch] = free[s];
        ++next[s];
        moves = true;
      }
    }
  }
  return *std::max_element(free.begin(), free.end());
}

TEST(Pipeline, UnequalStagesTakeWhatATableOfThemTakes) {
  for (const auto& forward :
       {std::vector<SimTime>{1_ms, 2_ms, 1_ms}, std::vector<SimTime>{3_ms, 1_ms, 1_ms, 2_ms},
        std::vector<SimTime>{1_ms, 1_ms, 5_ms, 1_ms}}) {
    for (const std::size_t micro_batches : {1U, 3U, 8U, 20U}) {
      for (const SimTime send : {0_ms, SimTime{(1_ms).count() / 4}}) {
        Parallelism p;
        p.pipeline = forward.size();
        p.micro_batches = static_cast<std::int64_t>(micro_batches);
        StepPlan plan = equal_stages(p);
        for (std::size_t s = 0; s < forward.size(); ++s) {
          ChunkPlan& chunk = plan.work[s].chunks.front();
          chunk.forward = {computing(forward[s])};
          chunk.backward = chunk.last_backward = {computing(forward[s] * 2)};
          plan.work[s].sent = Bytes{1};
        }
        EXPECT_EQ(times_of(plan, {}, send).steady, by_hand(forward, send, micro_batches));
      }
    }
  }
}

/// Two ranks that shard all parameters of `layers` layers. Each layer computes 2 forward and 4
/// backward.
StepPlan sharded(std::size_t layers) {
  Parallelism p;
  p.data = 2;
  p.sharding = Sharding::kParameters;
  const Exchange gather{Axis::kData, collectives::Collective::kAllGather, Bytes{1}, 1};
  const Exchange scatter{Axis::kData, collectives::Collective::kReduceScatter, Bytes{1}, 1};
  ChunkPlan chunk;
  for (std::size_t l = 0; l < layers; ++l) {
    chunk.forward.push_back(computing(2_ms));
    chunk.forward.back().gathered = {gather};
    chunk.backward.push_back(computing(4_ms));
    chunk.backward.back().gathered = {gather};
    chunk.backward.back().reduced = {scatter};
  }
  chunk.last_backward = chunk.backward;
  StepPlan plan;
  plan.parallelism = p;
  plan.work = {StageWork{{chunk}, Bytes{0}, 1_ms, {}, {}}};
  list_units(plan);
  plan.groups = {CommunicatorGroup{Axis::kData, {0}}};
  return plan;
}

TEST(ShardedStep, GathersHideBehindTheLayerBeforeAndTheLastReductionBehindNothing) {
  // The first gather and the last scatter are exposed, and nothing else.
  const StepTimes times = times_of(sharded(5), 1_ms);
  EXPECT_EQ(times.steady, 1_ms + 5 * 2_ms + 5 * 4_ms + 1_ms + 1_ms);
  EXPECT_EQ(times.breakdown.exposed.at(Axis::kData), 2_ms);
  EXPECT_EQ(times.hidden.front(), (3 * 5 - 2) * 1_ms);
}

TEST(ShardedStep, WhereTrafficTakesLongerItsStreamSetsThePace) {
  // 10 gathers and 5 scatters one after the other; the optimizer follows.
  EXPECT_EQ(times_of(sharded(5), 9_ms).steady, 15 * 9_ms + 1_ms);
}

TEST(ShardedStep, AReductionHidesBehindTheBackwardPassWhereItOverlaps) {
  StepPlan plan = sharded(3);
  for (ChunkPlan& chunk : plan.work.front().chunks) {
    for (auto* pieces : {&chunk.forward, &chunk.backward, &chunk.last_backward}) {
      for (StepSegment& piece : *pieces) piece.gathered.clear();
    }
  }
  EXPECT_EQ(times_of(plan, 3_ms).steady, 3 * 2_ms + 3 * 4_ms + 3_ms + 1_ms);
  plan.overlap = false;
  EXPECT_EQ(times_of(plan, 3_ms).steady, 3 * 2_ms + 3 * 4_ms + 3 * 3_ms + 1_ms);
}

TEST(ShardedStep, GroupsOfAnAxisExchangeAtTheSameTime) {
  // Two copies, each on one rank: sums between copies overlap the same sums of other layers.
  StepPlan plan = sharded(3);
  const SimTime one = times_of(plan, 1_ms).steady;
  plan.replicas = 2;
  list_units(plan);
  plan.groups = {CommunicatorGroup{Axis::kData, {0}}, CommunicatorGroup{Axis::kData, {1}}};
  EXPECT_EQ(times_of(plan, 1_ms).steady, one);
}

TEST(ShardedStep, ShardedParametersMayWaitForTheirReductions) {
  StepPlan plan = sharded(3);
  plan.overlap = false;
  // The first gather and all three scatters are exposed.
  EXPECT_EQ(times_of(plan, 1_ms).steady, 1_ms + 3 * 2_ms + 3 * 4_ms + 3 * 1_ms + 1_ms);
}

TEST(ShardedStep, KeysAndValuesGoRoundBesideScores) {
  StepPlan plan = sharded(1);
  plan.parallelism.context = 2;
  plan.groups = {CommunicatorGroup{Axis::kContext, {0}}};
  StepSegment there = computing(5_ms);
  there.beside = {{3_ms, {{Axis::kContext, collectives::Collective::kSendRecv, Bytes{1}, 4}}}};
  ChunkPlan& chunk = plan.work.front().chunks.front();
  chunk.forward = {there};
  chunk.backward = chunk.last_backward = {computing(4_ms)};
  // Four exchanges of 0.5 ms are hidden by 3 ms of scores; of four exchanges of 1 ms, three are.
  EXPECT_EQ(times_of(plan, SimTime{(1_ms).count() / 2}).steady, 5_ms + 4_ms + 1_ms);
  EXPECT_EQ(times_of(plan, 1_ms).steady, 6_ms + 4_ms + 1_ms);
  EXPECT_EQ(times_of(plan, 1_ms).breakdown.exposed.at(Axis::kContext), 1_ms);
}

TEST(ShardedStep, PartsWithExchangesBesideThemFollowEachOther) {
  StepPlan plan = sharded(1);
  plan.groups = {CommunicatorGroup{Axis::kTensor, {0}}};
  const Exchange sum{Axis::kTensor, collectives::Collective::kReduceScatter, Bytes{1}, 1};
  StepSegment there = computing(9_ms);
  there.beside = {{2_ms, {sum}}, {4_ms, {sum}}};
  ChunkPlan& chunk = plan.work.front().chunks.front();
  chunk.forward = {there};
  chunk.backward = chunk.last_backward = {computing(1_ms)};
  // Of exchanges of 3 ms, 1 ms is exposed beyond the part of 2 ms.
  EXPECT_EQ(times_of(plan, 3_ms).steady, 3_ms + 3_ms + 4_ms + 1_ms + 1_ms);
}

TEST(ShardedStep, TheSlowestOfTwoReplicasSetsThePaceAndIsShown) {
  Parallelism p;
  p.data = 2;
  StepPlan plan = equal_stages(p);
  plan.replicas = 2;
  list_units(plan);
  plan.units[1].slower = {1.5, 1.5, 1.5};
  plan.groups = {CommunicatorGroup{Axis::kData, {0, 1}}};
  plan.work.front().chunks.front().last_backward.front().reduced = {
      {Axis::kData, collectives::Collective::kAllReduce, Bytes{1}, 1}};
  const StepTimes times = times_of(plan, 2_ms);
  EXPECT_EQ(times.unit, 1u);
  EXPECT_EQ(times.steady, SimTime{(3_ms).count() * 3 / 2} + 2_ms);
}

}  // namespace parallelism_test
}  // namespace vgsim::training
