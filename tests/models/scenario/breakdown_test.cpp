#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "tests/support/scenarios.hpp"

namespace vgsim {
namespace breakdown_test {

using scenario::LayoutResult;
using scenario::TrainingResult;

/// BERT-Large on a few R750xa, with `job` on top.
std::string training(const std::string& hosts, const std::string& job,
                     const std::string& more = "") {
  return R"({"name": "t", "hosts": {")" + hosts + R"(": {"server": "dell-r750xa",
    "gpus": "4 x a100-pcie-80gb", "nvlink_bridges": [[0, 1], [2, 3]],
    "nics": {"n": {"nic": "connectx-6-dx-100g", "near": "gpu0"}}}},
    "job": {"network": "bert-large", "samples_per_epoch": 100000, "precision": "fp16")" +
         job + "}" + more + "}";
}

void expect_parts_add_up(const TrainingResult& t) {
  EXPECT_EQ(t.compute + t.exposed_communication + t.data_wait + t.optimizer, t.iteration);
}

TEST(Breakdown, PartsAddUpToTheIterationToThePicosecond) {
  for (const char* job :
       {"", R"(, "overlap": false)", R"(, "buckets": "single")",
        R"(, "batch_per_gpu": 64, "gradients": "fp16")", R"(, "prefetched_batches": 0)"}) {
    SCOPED_TRACE(job);
    expect_parts_add_up(*test::run_one(training("h[1-2]", job)).training);
    expect_parts_add_up(*test::run_one(training("h1", job)).training);
  }
}

TEST(Breakdown, TextbookPatternsReduceGradientsToo) {
  for (const char* pattern : {"direct", "halving_doubling", "parameter_server", "hierarchical"}) {
    SCOPED_TRACE(pattern);
    const auto layout =
        test::run_one(training("h[1-2]", R"(, "pattern": ")" + std::string(pattern) + "\""));
    expect_parts_add_up(*layout.training);
    EXPECT_GT(layout.training->exposed_communication, SimTime{0});
    EXPECT_TRUE(layout.training->next) << "the step is run again without its bottleneck";
  }
}

TEST(Breakdown, WithoutOverlapAllCommunicationIsExposed) {
  const auto with = test::run_one(training("h[1-2]", R"(, "batch_per_gpu": 64)"));
  const auto without =
      test::run_one(training("h[1-2]", R"(, "batch_per_gpu": 64, "overlap": false)"));
  EXPECT_EQ(with.training->compute, without.training->compute);
  EXPECT_LT(with.training->exposed_communication, without.training->exposed_communication);
}

TEST(Breakdown, BytesSentEqualBytesReceived) {
  const LayoutResult layout = test::run_one(training("h[1-3]", ""));
  double out = 0.0;
  double in = 0.0;
  for (const auto& link : layout.links) {
    if (link.kind != "nic") continue;
    (link.resource.starts_with("leaf") ? in : out) += link.bytes * static_cast<double>(link.links);
  }
  EXPECT_GT(out, 0.0);
  EXPECT_DOUBLE_EQ(in, out);
  // One ring, N = 12: each port carries 2 (N - 1) / N of the gradients once each way.
  EXPECT_NEAR(out, 3 * 2.0 * 11 / 12 * layout.training->gradient_bytes, 1.0);
}

TEST(Breakdown, GradientBytesAreParametersTimesTheirSize) {
  const auto fp32 = test::run_one(training("h1", R"(, "gradients": "fp32")"));
  const auto fp16 = test::run_one(training("h1", R"(, "gradients": "fp16")"));
  EXPECT_DOUBLE_EQ(fp32.training->gradient_bytes, 336226108.0 * 4);
  EXPECT_DOUBLE_EQ(fp16.training->gradient_bytes, 336226108.0 * 2);
}

TEST(Breakdown, GradientsDoNotGrowWithTheBatch) {
  const auto one = test::run_one(training("h1", R"(, "batch_per_gpu": 1)"));
  const auto many = test::run_one(training("h1", R"(, "batch_per_gpu": 64)"));
  EXPECT_EQ(one.training->gradient_bytes, many.training->gradient_bytes);
  EXPECT_EQ(one.training->gradient_bytes_by_kind, many.training->gradient_bytes_by_kind);
}

TEST(Breakdown, TheOptimizerMovesItsBytesAtTheRateThatAV100Reaches) {
  // Adam: 28 bytes for each of 336,226,108 parameters at 0.9 x 900 GB/s (809 measured).
  const auto layout = test::run_one(R"({"name": "one", "hosts": {"h": {"server": "generic-1gpu",
    "gpus": "1 x v100-pcie-32gb"}}, "job": {"network": "bert-large", "optimizer": "adam",
    "samples_per_epoch": 1000}})");
  EXPECT_NEAR(to_seconds(layout.training->optimizer), 28 * 336226108.0 / 810e9, 1e-9);
}

TEST(Breakdown, OneGpuScalesPerfectlyAndHasNoCommunication) {
  const auto layout = test::run_one(R"({"name": "one", "hosts": {"h": {"server": "generic-1gpu",
    "gpus": "1 x a100-pcie-80gb"}}, "job": {"network": "bert-large",
    "samples_per_epoch": 1000}})");
  EXPECT_DOUBLE_EQ(*layout.training->scaling_efficiency, 1.0);
  EXPECT_EQ(layout.training->exposed_communication, SimTime{0});
  EXPECT_EQ(layout.channels, 0U);
}

TEST(Breakdown, AFasterPortNeverSlowsAnIteration) {
  SimTime previous{INT64_MAX};
  for (const char* nic :
       {"x710-10g", "connectx-4-lx-25g", "connectx-5-edr-100g", "connectx-6-hdr-200g"}) {
    std::string json = training("h[1-2]", "");
    const std::string placeholder = "connectx-6-dx-100g";
    json.replace(json.find(placeholder), placeholder.size(), nic);
    const SimTime now = test::run_one(json).training->iteration;
    EXPECT_LE(now, previous) << nic;
    previous = now;
  }
}

TEST(Breakdown, StarvedGpusWaitForTheirStorage) {
  const auto layout = test::run_one(R"({"name": "slow store", "hosts": {"h": {
    "server": "dell-r750xa", "gpus": "4 x a100-pcie-80gb", "storage": {"read": "100 MB/s"}}},
    "job": {"network": "resnet-50", "dataset": "imagenet-1k", "batch_per_gpu": 256}})");
  EXPECT_EQ(layout.bottleneck->kind, "storage");
  expect_parts_add_up(*layout.training);
  // 4 x 256 images of 115,207 bytes at 100 MB/s.
  EXPECT_NEAR(to_seconds(layout.training->iteration), 4 * 256 * 115207 / 100e6, 1e-3);
}

TEST(Breakdown, AnEpochIsTheFirstIterationAndSteadyOnes) {
  const auto layout = test::run_one(training("h1", ""));
  const TrainingResult& t = *layout.training;
  EXPECT_EQ(t.iterations_per_epoch, 25000) << "100,000 samples, one each on 4 GPUs";
  EXPECT_NEAR(t.epoch_s, to_seconds(t.first_iteration) + 24999 * to_seconds(t.iteration), 1e-6);
}

TEST(Breakdown, ANetworkIsTrainedOnItsUsualDataSetUnlessAnotherIsNamed) {
  const auto usual = test::run_one(R"({"name": "d", "hosts": {"h": {"server": "generic-1gpu"}},
    "job": {"network": "resnet-50", "batch_per_gpu": 32}})");
  EXPECT_EQ(usual.training->iterations_per_epoch, 40037) << "1,281,167 images by 32, rounded up";
}

TEST(Breakdown, WhatWouldLimitNextIsFoundByTakingTheLimitAway) {
  const auto layout = test::run_one(training("h[1-2]", ""));
  ASSERT_EQ(layout.bottleneck->kind, "nic");
  ASSERT_TRUE(layout.training->next);
  EXPECT_LT(layout.training->next->iteration, layout.training->iteration);
  EXPECT_NE(layout.training->next->then->kind, "nic");
}

TEST(Breakdown, WithoutThePortsItDoesNotMatterHowFastTheyWere) {
  // The same slot, the same card but for its rate: without the port nothing is left of the
  // difference, neither in time nor in what NCCL chooses.
  std::set<SimTime> iterations;
  for (const char* nic : {"connectx-6-dx-100g", "connectx-6-dx-200g"}) {
    std::string json = training("h[1-2]", R"(, "batch_per_gpu": 8)");
    const std::string placeholder = "connectx-6-dx-100g";
    json.replace(json.find(placeholder), placeholder.size(), nic);
    const LayoutResult layout = test::run_one(json);
    ASSERT_EQ(layout.bottleneck->kind, "nic") << nic;
    iterations.insert(layout.training->next->iteration);
  }
  EXPECT_EQ(iterations.size(), 1U);
}

TEST(Breakdown, WithoutThePortTheCardsSlotIsLeft) {
  // Two hosts with a GPU each reduce 1.36 GB at line rate and without latencies: first by 25 GbE,
  // then by the card's own PCIe Gen3 x8, 8 lanes of 8 GT/s with 128 bits in 130.
  const auto layout = test::run_one(R"({"name": "slot", "hosts": {"h[1-2]": {
    "server": "generic-1gpu", "gpus": "1 x v100-pcie-32gb",
    "nics": {"n": {"nic": "connectx-4-lx-25g"}}}},
    "job": {"network": "article-340m", "optimizer": "none", "buckets": "single",
            "overlap": false, "iterations_per_epoch": 10},
    "idealise": {"latency": "zero", "bandwidth": "line_rate"}})");
  EXPECT_NEAR(to_seconds(layout.training->iteration), 1.36 / 3.125, 1e-6);
  ASSERT_TRUE(layout.training->next);
  EXPECT_NEAR(to_seconds(layout.training->next->iteration), 1.36 / (8.0 * 128 / 130), 1e-3);
  EXPECT_EQ(layout.training->next->then->slot, "the card's PCIe Gen3 x8");
}

TEST(Breakdown, CopiesOfAJobTrainTogetherOnTheirHosts) {
  const auto one = test::run_one(training("h[1-2]", ""));
  const auto three = test::run_one(training("h[1-2]", R"(, "copies": 3)"));
  EXPECT_EQ(three.training->iteration, one.training->iteration);
  EXPECT_DOUBLE_EQ(one.training->host_samples_per_s, one.training->samples_per_s / 2);
  EXPECT_DOUBLE_EQ(three.training->host_samples_per_s, one.training->samples_per_s * 3 / 2);
}

}  // namespace breakdown_test
}  // namespace vgsim
