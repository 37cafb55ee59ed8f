#include <gtest/gtest.h>

#include <string>

#include "tests/support/scenarios.hpp"

namespace vgsim {
namespace closed_forms_test {

using namespace literals;
using test::run;
using test::run_one;

constexpr const char* kIdeal = R"("idealise": {"latency": "zero", "bandwidth": "line_rate"})";

/// The article's ring: N hosts, one GPU and one 25 GbE port each on a switch with latency, one bare
/// AllReduce of 340 M FP32 gradients in every iteration.
std::string article(int hosts) {
  return R"({"name": "25 GbE", "hosts": {"esx[1-)" + std::to_string(hosts) + R"(]":
    {"server": "generic-1gpu", "gpus": "1 x v100-pcie-32gb",
     "nics": {"vmnic0": {"nic": "connectx-4-lx-25g"}}}},
    "fabric": {"kind": "single-switch", "switch": "generic-25g"},
    "job": {"network": "article-340m", "optimizer": "none", "buckets": "single", "overlap": false,
            "iterations_per_epoch": 30000, "epochs": 100}, )" +
         kIdeal + "}";
}

class ArticleRing : public ::testing::TestWithParam<int> {};

TEST_P(ArticleRing, CommunicationTakes870MillisecondsTimesNMinusOneOverN) {
  const int n = GetParam();
  const auto layout = run_one(article(n));
  // 2 x 1.36 GB over 3.125 GB/s, of which a ring of N moves (N - 1) / N: whole picoseconds.
  const SimTime expected{870'400'000'000 / n * (n - 1)};
  EXPECT_EQ(layout.training->exposed_communication, expected);
  EXPECT_EQ(layout.training->iteration, expected);
  EXPECT_EQ(layout.training->iterations(), 3e6);
  ASSERT_TRUE(layout.bottleneck);
  EXPECT_EQ(layout.bottleneck->kind, "nic");
  EXPECT_DOUBLE_EQ(layout.bottleneck->share, 1.0);
}

INSTANTIATE_TEST_SUITE_P(Hosts, ArticleRing, ::testing::Values(2, 4, 8, 16, 64, 2000));

TEST(ClosedForms, ThirtyThousandIterationsTimesAHundredEpochsTakeAMonth) {
  const auto layout = run_one(article(64));
  const double hours = layout.training->training_s / 3600;
  EXPECT_NEAR(hours, 725.33 * 63 / 64, 0.01);
}

/// GPUs of one host on separate PCIe slots, without NVLink.
std::string pcie_host(const char* gpus, const char* extra = "") {
  return std::string(R"({"name": "pcie", "hosts": {"esx01": {"server": "dell-r750xa",
    "gpus": ")") +
         gpus + "\"" + extra + R"(}},
    "job": {"collective": "all_reduce", "sizes": ["1 GB"]}, )" +
         kIdeal + "}";
}

TEST(ClosedForms, SmallMessagesTakeLessTimeOverNvLinkThanOverPcie) {
  const auto time = [](const char* bridges) {
    return run_one(R"({"name": "small", "hosts": {"h": {"server": "dell-r750xa",
        "gpus": "2 x a100-pcie-80gb")" +
                   std::string(bridges) +
                   R"(}}, "job": {"collective": "all_reduce", "sizes": ["8 B"]}})")
        .collective->points.at(0)
        .time;
  };
  EXPECT_LT(time(R"(, "nvlink_bridges": [[0, 1]])"), time(""));
}

TEST(ClosedForms, TwoGpusThroughHostMemoryMoveTheBufferOverEachSlotOnce) {
  // Ring of two: each GPU sends 2 (N - 1) / N x S = S up its own x16 Gen4 slot, 31.508 GB/s.
  const auto layout = run_one(pcie_host("2 x a100-pcie-80gb"));
  const double slot = 16e9 * 128 / 130 / 8 * 16;
  EXPECT_NEAR(to_seconds(layout.collective->points.at(0).time), 1e9 / slot, 1e-9);
}

TEST(ClosedForms, TheHopBetweenBridgedPairsBoundsTheRing) {
  const char* bridges = R"(, "nvlink_bridges": [[0, 1], [2, 3]])";
  const auto bridged = run_one(pcie_host("4 x a100-pcie-80gb", bridges));
  const auto pair = run_one(pcie_host("2 x a100-pcie-80gb", R"(, "nvlink_bridges": [[0, 1]])"));
  EXPECT_GE(bridged.hops_by_transport.at("NVLink"), 2U);
  EXPECT_EQ(bridged.hops_by_transport.at("host memory"), 2U);
  EXPECT_NE(bridged.bottleneck->kind, "nvlink");
  EXPECT_EQ(pair.bottleneck->kind, "nvlink");
  // A pair reduces at 300 GB/s per direction: S / B.
  EXPECT_NEAR(to_seconds(pair.collective->points.at(0).time), 1e9 / 300e9, 1e-9);
  EXPECT_GT(bridged.collective->points.at(0).time, pair.collective->points.at(0).time * 4);
}

TEST(ClosedForms, ARingOverHostsIsAsFastAsItsSlowestPort) {
  // Three ports of 100 Gbit/s and one of 25: 2 (N - 1) / N x S over 3.125 GB/s.
  const std::string json = R"({"name": "slow port", "hosts": {
    "a[1-3]": {"server": "generic-1gpu", "gpus": "1 x v100-pcie-32gb",
               "nics": {"n": {"nic": "connectx-5-edr-100g"}}},
    "b": {"server": "generic-1gpu", "gpus": "1 x v100-pcie-32gb",
          "nics": {"n": {"nic": "connectx-4-lx-25g"}}}},
    "job": {"collective": "all_reduce", "sizes": ["1 GB"]}, )" +
                           std::string(kIdeal) + "}";
  const auto layout = run_one(json);
  EXPECT_NEAR(to_seconds(layout.collective->points.at(0).time), 1.5 * 1e9 / 3.125e9, 1e-9);
  EXPECT_NE(layout.bottleneck->resource.find("b/n"), std::string::npos)
      << layout.bottleneck->resource;
}

TEST(ClosedForms, LatencyIsPaidOncePerStepOfTheRing) {
  const std::string json = R"({"name": "latency", "hosts": {"h[1-4]": {"server": "generic-1gpu",
    "gpus": "1 x v100-pcie-32gb", "nics": {"n": {"nic": "connectx-5-edr-100g"}}}},
    "job": {"collective": "all_reduce", "sizes": ["4 B"],
            "nccl": {"NCCL_ALGO": "Ring", "NCCL_PROTO": "LL"}},
    "idealise": {"bandwidth": "line_rate"}})";
  const auto& parameters = test::library().parameters;
  const SimTime expected =
      parameters.time("volta_launch_latency") + parameters.time("staged_rdma_ll_step_latency") * 6;
  const SimTime time = run_one(json).collective->points.at(0).time;
  EXPECT_GE(time, expected);
  EXPECT_LE(time, expected + 2_ns) << "6 bytes over 12.5 GB/s";
}

TEST(ClosedForms, BusBandwidthIsAlgorithmBandwidthTimesTheRingsFactor) {
  const auto layout = run_one(pcie_host("4 x a100-pcie-80gb"));
  const auto& point = layout.collective->points.at(0);
  EXPECT_NEAR(point.algbw_GBps, 1.0 / to_seconds(point.time), 1e-9);
  EXPECT_NEAR(point.busbw_GBps, point.algbw_GBps * 1.5, 1e-9);
}

}  // namespace closed_forms_test
}  // namespace vgsim
