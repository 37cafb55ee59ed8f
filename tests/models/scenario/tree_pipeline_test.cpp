// How chunks go through the steps of a tree, and through the slots of a connection.

#include <gtest/gtest.h>

#include <string>

#include "models/collectives/lowering.hpp"
#include "sim/engine.hpp"
#include "tests/support/ring_cluster.hpp"
#include "tests/support/scenarios.hpp"

namespace vgsim {
namespace tree_pipeline_test {

using namespace literals;

constexpr double kPort = 25e9 / 8;

/// Two hosts with bridged GPUs and a NIC of 25 Gbit/s each reduce by a tree; links at line rate.
SimTime by_tree(int gpus, const std::string& size, const std::string& channels = "2") {
  const std::string bridges = gpus == 4 ? "[[0, 1], [2, 3]]" : gpus == 2 ? "[[0, 1]]" : "[]";
  return test::run_one(R"({"name": "tree", "hosts": {"h[1-2]": {"server": "dell-r750xa",
      "gpus": ")" + std::to_string(gpus) +
                       R"( x a100-pcie-80gb", "nvlink_bridges": )" + bridges +
                       R"(, "nics": {"n": {"nic": "connectx-6-lx-25g", "near": "gpu0"}}}},
      "job": {"collective": "all_reduce", "sizes": [")" +
                       size + R"("], "nccl": {"NCCL_ALGO": "Tree", "NCCL_PROTO": "Simple",
      "NCCL_MIN_NCHANNELS": ")" +
                       channels + R"(", "NCCL_MAX_NCHANNELS": ")" + channels + R"("}},
      "idealise": {"bandwidth": "line_rate"}})")
      .collective->points.at(0)
      .time;
}

TEST(TreePipeline, AChunkTakesEachStepAtThatStepsRate) {
  // 256 KiB is one chunk: it crosses a port once up and once down, whatever the NVLinks behind it.
  const double ports = 2 * (256 << 10) / kPort;
  const auto grown = [](int gpus) {
    return to_seconds(by_tree(gpus, "256 KiB", "1")) - to_seconds(by_tree(gpus, "8 B", "1"));
  };
  EXPECT_NEAR(grown(1), ports, 0.05 * ports);
  EXPECT_GT(grown(2), grown(1));
  EXPECT_NEAR(grown(2), ports, 0.2 * ports) << "NVLinks at their own rate, not at the port's";
}

TEST(TreePipeline, TwoTreesUseBothDirectionsOfAPortAtATime) {
  // While the chunk of one tree goes up, that of the other comes from the other host.
  const double all = (256 << 10) / kPort;
  const double grown = to_seconds(by_tree(1, "256 KiB")) - to_seconds(by_tree(1, "8 B"));
  EXPECT_NEAR(grown, all, 0.1 * all);
}

TEST(TreePipeline, ManyChunksFlowAtTheRateOfTheSlowestStep) {
  const double little = to_seconds(by_tree(2, "64 MiB"));
  const double much = to_seconds(by_tree(2, "128 MiB"));
  EXPECT_NEAR(much - little, (64 << 20) / kPort, 1e-3 * (64 << 20) / kPort);
}

/// A ring of two, each step of which takes so long; protocol Simple on one channel.
SimTime in_a_ring_of_two(SimTime step, Bytes size) {
  const test::RingHost host{10_GBps, 10_GBps};
  const test::RingCluster cluster({host}, {0, 0});
  collectives::StepCosts costs;
  costs.fills_pipelines = true;
  for (auto& by_protocol : costs.step) by_protocol.fill(step);
  collectives::PlacedNetwork placed = cluster.network();
  collectives::Lowering lowering(cluster.ranks(), costs, placed);
  TaskGraph graph;
  static_cast<void>(lowering.add(graph, collectives::Collective::kAllReduce, size, {}));
  return simulate(graph, placed.network()).makespan;
}

TEST(ConnectionWindow, ALongConnectionCarriesItsSlotsInEachRoundTrip) {
  // 8 slots of 512 KiB, free again after 2 x 10 ms: 4 MiB / 20 ms, where the port carries 10 GB/s.
  const SimTime small = in_a_ring_of_two(10_ms, 1_GB);
  const SimTime large = in_a_ring_of_two(10_ms, 3_GB);
  const double rate = (4 << 20) / 20e-3;
  EXPECT_NEAR(to_seconds(large - small), 2e9 / rate, 1e-3 * 2e9 / rate);
}

TEST(ConnectionWindow, AShortConnectionFillsItsPort) {
  // 4 MiB / 2 x 100 us is 21 GB/s.
  const SimTime small = in_a_ring_of_two(100_us, 1_GB);
  const SimTime large = in_a_ring_of_two(100_us, 3_GB);
  EXPECT_NEAR(to_seconds(large - small), 0.2, 1e-6);
}

TEST(ConnectionWindow, WhatFitsIntoTheSlotsIsNotLimited) {
  // 1 MiB to either side is two slots: there and back again at the port's rate.
  const double time = to_seconds(in_a_ring_of_two(10_ms, Bytes{2 << 20}));
  EXPECT_NEAR(time, 2 * (10e-3 + (1 << 20) / 10e9), 1e-4);
}

}  // namespace tree_pipeline_test
}  // namespace vgsim
