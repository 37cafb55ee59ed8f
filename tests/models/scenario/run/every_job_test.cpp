// Effects on one kind of training job apply to all: data-parallel, FSDP, tensor and pipeline
// parallel, expert parallel, each on separate GPUs and on GPUs shared by time slices.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <tuple>

#include "tests/support/scenarios.hpp"

namespace vgsim {
namespace every_job_test {

using nlohmann::json;
using scenario::LayoutResult;
using scenario::RunSettings;
using scenario::TrainingResult;

struct Kind {
  const char* name;
  json parallel;  ///< null: data-parallel alone
};

const Kind kKinds[] = {{"Data", nullptr},
                       {"Fsdp", {{"sharding", "fsdp"}}},
                       {"TensorAndPipeline", {{"tensor", 2}, {"pipeline", 2}}},
                       {"Experts", {{"expert", 4}}}};

class EveryJob : public testing::TestWithParam<std::tuple<std::size_t, bool>> {
 protected:
  [[nodiscard]] static const Kind& kind() { return kKinds[std::get<0>(GetParam())]; }
  [[nodiscard]] static bool is_time_sliced() { return std::get<1>(GetParam()); }

  /// Four GPUs on two hosts; with time slices each is shared by two always busy vGPUs.
  [[nodiscard]] static json scenario() {
    const json network{{"name", "GPT"},
                       {"sample", {{"sequence_length", 512}}},
                       {"transformer",
                        {{"layers", 4},
                         {"hidden", 1024},
                         {"heads", 16},
                         {"vocabulary", 8192},
                         {"learned_positions", 512},
                         {"experts", {{"count", 4}, {"per_token", 1}}}}}};
    json job{
        {"network", network},        {"vms", "own*"}, {"global_batch", 32},  {"micro_batch", 4},
        {"iterations_per_epoch", 8}, {"epochs", 1},   {"optimizer", "adam"}, {"precision", "bf16"}};
    if (!kind().parallel.is_null()) job["parallel"] = kind().parallel;
    json gpus{{"mode", "passthrough"}};
    if (is_time_sliced()) gpus = {{"mode", "vgpu"}, {"count", 2}, {"profile", "grid_a100d-40c"}};
    json vms{{"own[1-2]", {{"host", "h[1-2]"}, {"gpus", gpus}, {"nics", {{"n", "passthrough"}}}}}};
    json host{{"server", "dell-r750xa"},
              {"gpus", "2 x a100-pcie-80gb"},
              {"nics", {{"n", {{"nic", "connectx-6-dx-100g"}}}}}};
    if (is_time_sliced()) {
      vms["other[1-2]"] = {{"host", "h[1-2]"}, {"gpus", gpus}, {"nics", json::object()}};
      host["vgpu"] = {{"scheduler", "equal_share"}};
    }
    return {{"name", "every job"}, {"vsphere", "8.0U3"}, {"hosts", {{"h[1-2]", host}}},
            {"vms", vms},          {"job", job},         {"idealise", {{"memory", "unlimited"}}}};
  }

  [[nodiscard]] static LayoutResult run(const json& more = json::object(),
                                        const RunSettings& settings = {}) {
    json all = scenario();
    all.merge_patch(more);
    return test::run_one(all.dump(), settings);
  }
};

/// Within so small a share of it.
void expect_near(SimTime a, SimTime b, double share) {
  EXPECT_NEAR(to_seconds(a), to_seconds(b), share * to_seconds(b));
}

TEST_P(EveryJob, PartsAddUpAndTurnsArePlayed) {
  const TrainingResult t = *run().training;
  EXPECT_EQ(t.compute + t.exposed_communication + t.data_wait + t.optimizer + t.pipeline_wait,
            t.iteration);
  EXPECT_EQ(t.time_sliced, is_time_sliced());
  EXPECT_EQ(t.time_sliced_steps.has_value(), is_time_sliced());
  if (!is_time_sliced()) return;
  EXPECT_GE(t.time_sliced_steps->steps, 29u);
  EXPECT_GE(t.time_sliced_steps->p90_s.value(), t.time_sliced_steps->p50_s);
}

TEST_P(EveryJob, HalfOfTheSlicesMakeItsPassesTwiceAsLong) {
  if (!is_time_sliced()) {
    EXPECT_FALSE(run().training->time_sliced_steps) << "no other VM has its GPUs";
    return;
  }
  json alone{{"vms", {{"other[1-2]", nullptr}}}};
  const TrainingResult whole = *run(alone).training;
  EXPECT_FALSE(whole.time_sliced_steps) << "there is no other VM";
  const TrainingResult half = *run().training;
  // Time slices end with kernels, switching takes a share of each, and passes end within a time
  // slice.
  const double ratio = to_seconds(half.compute) / to_seconds(whole.compute);
  EXPECT_GT(ratio, 1.7);
  EXPECT_LT(ratio, 2.8);
}

TEST_P(EveryJob, SeedsBracketThePoint) {
  RunSettings settings;
  settings.seeds = 5;
  const TrainingResult t = *run({{"variability", {{"compute_sigma", 0.1}}}}, settings).training;
  ASSERT_TRUE(t.iteration_spread && t.epoch_spread);
  EXPECT_EQ(t.iteration_spread->seeds, 5u);
  EXPECT_LT(t.iteration_spread->low_s, t.iteration_spread->high_s);
  EXPECT_LE(t.iteration_spread->low_s, to_seconds(t.iteration));
  EXPECT_GE(t.iteration_spread->high_s, to_seconds(t.iteration));
  EXPECT_LE(t.epoch_spread->low_s, t.epoch_spread->median_s);
  EXPECT_LE(t.epoch_spread->median_s, t.epoch_spread->high_s);
}

TEST_P(EveryJob, TheFirstOfSeveralSeedsIsTheRunOfThatSeed) {
  const json varies{{"variability", {{"compute_sigma", 0.1}, {"seed", 7}}}};
  RunSettings several;
  several.seeds = 2;
  RunSettings second;
  second.seed = 8;
  const TrainingResult both = *run(varies, several).training;
  EXPECT_EQ(both.iteration, run(varies).training->iteration);
  EXPECT_DOUBLE_EQ(
      both.iteration_spread->low_s + both.iteration_spread->high_s,
      to_seconds(both.iteration) + to_seconds(run(varies, second).training->iteration));
}

TEST_P(EveryJob, JitterOfZeroIsNone) {
  const LayoutResult calm = run();
  const LayoutResult zero = run({{"variability", {{"compute_sigma", 0.0}, {"seed", 3}}}});
  // The first time slice is drawn from the seed.
  if (!is_time_sliced()) {
    EXPECT_EQ(zero.fingerprint, calm.fingerprint);
  }
  const LayoutResult varies = run({{"variability", {{"compute_sigma", 0.2}}}});
  EXPECT_NE(varies.fingerprint, calm.fingerprint);
}

TEST_P(EveryJob, StragglersEverywhereComputeAsManyTimesAsLong) {
  const TrainingResult calm = *run().training;
  const TrainingResult slow =
      *run({{"variability", {{"stragglers", {{"h1", 3.0}, {"h2", 3.0}}}}}}).training;
  if (is_time_sliced()) {
    expect_near(slow.compute, calm.compute * 3, 0.15);
  } else {
    expect_near(slow.compute, calm.compute * 3, 1e-6);
  }
  expect_near(slow.optimizer, calm.optimizer * 3, is_time_sliced() ? 0.5 : 1e-6);
  EXPECT_GT(slow.iteration, calm.iteration);
}

TEST_P(EveryJob, ALinkThatFailsByNothingHasNotFailed) {
  const auto with = [&](double share) {
    return run({{"faults", {{{"link", "h1/n"}, {"at", "0 s"}, {"share", share}}}}});
  };
  const SimTime calm = run().training->iteration;
  expect_near(with(1.0).training->iteration, calm, is_time_sliced() ? 0.02 : 1e-9);
  EXPECT_GT(with(0.05).training->iteration, calm);
}

TEST_P(EveryJob, WithoutItsLimitItIsNoSlower) {
  const LayoutResult result = run();
  ASSERT_TRUE(result.bottleneck.has_value());
  if (result.bottleneck->share == 0.0) return;  // the bottleneck is not a link
  ASSERT_TRUE(result.training->next.has_value());
  EXPECT_EQ(result.training->next->without_kind, result.bottleneck->kind);
  EXPECT_LE(to_seconds(result.training->next->iteration),
            to_seconds(result.training->iteration) * (is_time_sliced() ? 1.02 : 1.0));
}

TEST_P(EveryJob, TheRecordCoversTheIteration) {
  RunSettings settings;
  settings.record = true;
  const LayoutResult result = run(json::object(), settings);
  ASSERT_TRUE(result.record.has_value());
  SimTime sum{};
  for (const scenario::PathStep& step : result.record->critical_path) sum += step.end - step.begin;
  EXPECT_EQ(sum, result.record->length);
  EXPECT_FALSE(result.record->lanes.empty());
}

std::string name_of(const testing::TestParamInfo<std::tuple<std::size_t, bool>>& info) {
  return std::string(kKinds[std::get<0>(info.param)].name) +
         (std::get<1>(info.param) ? "InTurns" : "Passthrough");
}

INSTANTIATE_TEST_SUITE_P(Kinds, EveryJob,
                         testing::Combine(testing::Range(std::size_t{0}, std::size(kKinds)),
                                          testing::Bool()),
                         name_of);

}  // namespace every_job_test
}  // namespace vgsim
