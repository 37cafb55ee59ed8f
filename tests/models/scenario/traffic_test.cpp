// Bytes of a collective on each link, compared with the counts of its algorithm.

#include <gtest/gtest.h>

#include <string>

#include "tests/support/scenarios.hpp"

namespace vgsim {
namespace traffic_test {

using scenario::LayoutResult;

constexpr double kSize = 268435456;  // 256 MiB

struct Setting {
  std::string collective;
  std::string nccl;
};

LayoutResult dgx_h100(int hosts, const Setting& setting) {
  const std::string name = "esx[1-" + std::to_string(hosts) + "]";
  return test::run_one(R"({"name": "traffic", "hosts": {")" + name +
                       R"(": {"server": "dgx-h100", "gpus": "8 x h100-sxm5-80gb",
    "nics": {"n[0-7]": {"nic": "connectx-7-ndr-400g", "near": "gpu[0-7]"}}}},
    "job": {"collective": ")" +
                       setting.collective + R"(", "sizes": ["256 MiB"], "nccl": {)" + setting.nccl +
                       "}}}");
}

/// Number and bytes of all used links of a kind. Entries for several links count several times.
struct Traffic {
  std::size_t links = 0;
  double bytes = 0.0;
};

Traffic traffic(const LayoutResult& layout, const std::string& kind) {
  Traffic total;
  for (const auto& use : layout.links) {
    if (use.kind != kind || use.bytes == 0.0) continue;
    total.links += use.links;
    total.bytes += use.bytes * static_cast<double>(use.links);
  }
  return total;
}

/// Every NVLink of eight GPUs carries the same, in both directions.
void expect_on_each_nvlink(const LayoutResult& layout, double bytes) {
  std::size_t links = 0;
  for (const auto& use : layout.links) {
    if (use.kind != "nvlink") continue;
    EXPECT_NEAR(use.bytes, bytes, bytes * 1e-12) << use.resource;
    links += use.links;
  }
  EXPECT_EQ(links, 2U * 8U);
}

TEST(Traffic, ARingSendsAndReceivesTwiceNMinusOneOverN) {
  const auto layout = dgx_h100(1, {"all_reduce", R"("NCCL_ALGO": "Ring", "NCCL_PROTO": "Simple")"});
  expect_on_each_nvlink(layout, 2.0 * 7 / 8 * kSize);
}

TEST(Traffic, AllGatherAndReduceScatterMoveHalfOfIt) {
  for (const char* collective : {"all_gather", "reduce_scatter"}) {
    const auto layout = dgx_h100(1, {collective, R"("NCCL_ALGO": "Ring", "NCCL_PROTO": "Simple")"});
    expect_on_each_nvlink(layout, 7.0 / 8 * kSize);
  }
}

TEST(Traffic, LowLatencyProtocolsMoveTheirFlagsToo) {
  const auto ll = dgx_h100(1, {"all_reduce", R"("NCCL_ALGO": "Ring", "NCCL_PROTO": "LL")"});
  expect_on_each_nvlink(ll, 2.0 * 7 / 8 * kSize * 2);
  const auto ll128 = dgx_h100(1, {"all_reduce", R"("NCCL_ALGO": "Ring", "NCCL_PROTO": "LL128")"});
  expect_on_each_nvlink(ll128, 2.0 * 7 / 8 * kSize * 128 / 120);
}

TEST(Traffic, ReductionInTheNvSwitchMovesNPlusOneOverN) {
  // Each GPU sends its part of every sum and its own result: 2 N + 2 chunks of S / N in and out,
  // where a ring needs 4 (N - 1).
  const auto layout = dgx_h100(1, {"all_reduce", R"("NCCL_ALGO": "NVLS")"});
  ASSERT_EQ(layout.collective->points.at(0).choice->algorithm, "nvls");
  expect_on_each_nvlink(layout, 9.0 / 8 * kSize);
}

TEST(Traffic, ReductionInTheNetworkMovesEachNodesSumOnceOutAndOnceIn) {
  for (const char* algorithm : {"CollnetDirect", "CollnetChain", "NVLS"}) {
    const auto layout =
        dgx_h100(4, {"all_reduce", std::string(R"("NCCL_COLLNET_ENABLE": "1", "NCCL_ALGO": ")") +
                                       algorithm + "\""});
    const Traffic nics = traffic(layout, "nic");
    EXPECT_EQ(nics.links, 2U * 8U * 4U) << algorithm;
    EXPECT_NEAR(nics.bytes, 2.0 * 4 * kSize, kSize * 1e-9) << algorithm;
  }
}

TEST(Traffic, ARingOverNodesLeavesAndEntersEachNodeAsOftenAsARank) {
  // 2 (n - 1) / n x S over all NICs of a node, where n counts ranks.
  const auto layout = dgx_h100(2, {"all_reduce", R"("NCCL_ALGO": "Ring", "NCCL_PROTO": "Simple")"});
  EXPECT_NEAR(traffic(layout, "nic").bytes, 2.0 * 2 * (2.0 * 15 / 16 * kSize), kSize * 1e-9);
}

}  // namespace traffic_test
}  // namespace vgsim
