// The record of an iteration, and the drawing of its links.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "tests/support/scenarios.hpp"

namespace vgsim {
namespace iteration_record_test {

using scenario::LayoutResult;

LayoutResult run(const std::string& job, const std::string& hosts = "h[1-2]") {
  const std::string text = R"({"name": "record", "hosts": {")" + hosts +
                           R"(": {"server": "dell-r750xa", "gpus": "4 x a100-pcie-80gb",
      "nvlink_bridges": [[0, 1], [2, 3]], "nics": {"n": {"nic": "connectx-6-dx-100g"}},
      "storage": {"read": "6.5 GB/s"}}}, "job": )" +
                           job + "}";
  scenario::RunSettings settings;
  settings.record = true;
  auto result = scenario::run_scenario(input::make_source("scenario.json", text), test::library(),
                                       cli::loader_relative_to("."), settings);
  if (!result) throw std::runtime_error(input::render(result.error()));
  return result->layouts.front();
}

constexpr const char* kBert =
    R"({"network": "bert-large", "batch_per_gpu": 32, "iterations_per_epoch": 10})";
constexpr const char* kResNet = R"({"network": "resnet-50", "batch_per_gpu": 64})";
constexpr const char* kPipeline = R"({"network": "gpt-2-1.5b", "parallel": {"pipeline": 4},
                                      "global_batch": 64, "micro_batch": 1,
                                      "iterations_per_epoch": 10})";

class Records : public ::testing::TestWithParam<const char*> {};

TEST_P(Records, HaveACriticalPathThatCoversTheIteration) {
  const LayoutResult layout = run(GetParam());
  ASSERT_TRUE(layout.record);
  EXPECT_EQ(layout.record->length, layout.training->iteration);
  SimTime now{};
  for (const auto& step : layout.record->critical_path) {
    EXPECT_EQ(step.begin, now);
    EXPECT_LT(step.begin, step.end);
    now = step.end;
  }
  EXPECT_EQ(now, layout.record->length);
}

TEST_P(Records, HaveSpansWithinTheIteration) {
  const LayoutResult layout = run(GetParam());
  EXPECT_FALSE(layout.record->lanes.empty());
  for (const auto& lane : layout.record->lanes) {
    for (const auto& span : lane.spans) {
      EXPECT_LE(SimTime{0}, span.begin);
      EXPECT_LT(span.begin, span.end);
      EXPECT_LE(span.end, layout.record->length);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Jobs, Records, ::testing::Values(kBert, kResNet, kPipeline));

TEST(Records, OfALaneAddUpToTheBreakdown) {
  const LayoutResult layout = run(kBert);
  const auto& lanes = layout.record->lanes;
  const auto lane = std::find_if(lanes.begin(), lanes.end(), [&](const auto& each) {
    return each.name == layout.training->breakdown_rank;
  });
  ASSERT_NE(lane, lanes.end());
  std::map<std::string, SimTime> parts;
  for (const auto& span : lane->spans) parts[span.kind] += span.end - span.begin;
  EXPECT_EQ(parts["optimizer"], layout.training->optimizer);
  EXPECT_EQ(parts["forward"] + parts["backward"],
            layout.training->compute + layout.training->kernels_slowed);
  EXPECT_EQ(parts["waiting for gradients"] + layout.training->kernels_slowed,
            layout.training->exposed_communication);
}

TEST(Records, ShowEveryBucket) {
  const LayoutResult layout = run(kBert);
  const auto& lanes = layout.record->lanes;
  const auto gradients =
      std::find_if(lanes.begin(), lanes.end(), [](const auto& each) { return each.ranks == 0; });
  ASSERT_NE(gradients, lanes.end());
  EXPECT_EQ(gradients->spans.size(), layout.training->buckets);
}

TEST(Records, OfTheBottleneckAgreeWithItsShare) {
  const LayoutResult layout = run(kBert);
  std::map<std::string, double> held;
  for (const auto& step : layout.record->critical_path) {
    held[step.resource] += to_seconds(step.end - step.begin);
  }
  EXPECT_NEAR(held[layout.bottleneck->resource] / to_seconds(layout.record->length),
              layout.bottleneck->share, 1e-9);
}

TEST(Drawings, LoadTheLinkThatIsUsedMost) {
  for (const char* job : {kBert, R"({"collective": "all_reduce", "sizes": ["1 GiB"]})"}) {
    const LayoutResult layout = run(job);
    ASSERT_TRUE(layout.picture);
    ASSERT_EQ(layout.picture->hosts.size(), 1U);
    const auto& host = layout.picture->hosts.front();
    EXPECT_EQ(host.count, 2U);
    double most = 0;
    for (const auto& link : host.links) {
      EXPECT_LE(link.utilization, 1.0);
      ASSERT_LT(link.from, host.nodes.size());
      ASSERT_LT(link.to, host.nodes.size());
      most = std::max(most, link.utilization);
    }
    EXPECT_NEAR(most, layout.links.front().utilization, 1e-9);
  }
}

TEST(Drawings, ShowEveryDevice) {
  const LayoutResult layout = run(kBert);
  std::map<std::string, int> kinds;
  for (const auto& node : layout.picture->hosts.front().nodes) ++kinds[node.kind];
  EXPECT_EQ(kinds["GPU"], 4);
  EXPECT_EQ(kinds["NIC"], 1);
  EXPECT_EQ(kinds["socket"], 2);
  EXPECT_EQ(kinds["storage"], 1);
}

TEST(Records, ChangeNoResult) {
  const LayoutResult with = run(kBert);
  const auto without = test::run(R"({"name": "record", "hosts": {"h[1-2]": {"server": "dell-r750xa",
      "gpus": "4 x a100-pcie-80gb", "nvlink_bridges": [[0, 1], [2, 3]],
      "nics": {"n": {"nic": "connectx-6-dx-100g"}}, "storage": {"read": "6.5 GB/s"}}}, "job": )" +
                                 std::string(kBert) + "}");
  EXPECT_EQ(with.fingerprint, without.layouts.front().fingerprint);
  EXPECT_EQ(with.event_fingerprint, without.layouts.front().event_fingerprint);
}

}  // namespace iteration_record_test
}  // namespace vgsim
