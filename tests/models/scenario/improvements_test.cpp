// Changes that must not make a job slower: NVLink bridges, another host, a newer release, a faster
// GPU. NCCL may make a worse choice by its own table; the answer then contains a note with both
// estimates.

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "models/scenario/answer/run_scenario.hpp"
#include "tests/support/scenarios.hpp"

namespace vgsim {
namespace improvements_test {

using nlohmann::json;
using scenario::LayoutResult;
using scenario::ScenarioResult;

json shipped(const std::string& name) {
  std::ifstream file(std::string(VGSIM_SOURCE_DIR) + "/configs/scenarios/" + name);
  return json::parse(file);
}

ScenarioResult run(const json& scenario) {
  return test::run(scenario.dump(), std::string(VGSIM_SOURCE_DIR) + "/configs/scenarios/x.json");
}

double seconds(const LayoutResult& layout) { return to_seconds(layout.training->iteration); }

bool says_that_nccl_chose_worse(const LayoutResult& layout) {
  return std::any_of(layout.warnings.begin(), layout.warnings.end(),
                     [](const auto& warning) { return warning.rule == "nccl-choice-slower"; });
}

/// Where bridges let NCCL use more rings and trees, more chunks are under way before the first one
/// arrives.
constexpr double kPipelines = 1.002;

void expect_no_layout_slower(const ScenarioResult& before, const ScenarioResult& after) {
  ASSERT_EQ(before.layouts.size(), after.layouts.size());
  for (std::size_t i = 0; i < before.layouts.size(); ++i) {
    const LayoutResult& better = after.layouts[i];
    if (!better.training || !before.layouts[i].training) continue;
    if (says_that_nccl_chose_worse(better)) continue;
    EXPECT_LE(seconds(better), seconds(before.layouts[i]) * kPipelines) << better.name;
  }
}

class Bridges : public ::testing::TestWithParam<const char*> {};

TEST_P(Bridges, NeverMakeAJobSlower) {
  const json bridged = shipped(GetParam());
  json bare = bridged;
  for (json& host : bare["hosts"]) host.erase("nvlink_bridges");
  ASSERT_NE(bare, bridged);
  expect_no_layout_slower(run(bare), run(bridged));
}

INSTANTIATE_TEST_SUITE_P(Scenarios, Bridges,
                         ::testing::Values("questions/q01-one-vm-or-two.json",
                                           "questions/q05-nic-upgrade.json"));

TEST(MoreHosts, NeverMakeAnEpochLonger) {
  json scenario = shipped("bert-large-4xr750xa.json");
  scenario.erase("layouts");
  const auto epoch = [&](int hosts) {
    json many = scenario;
    const std::string numbers = "[01-" + std::to_string(hosts) + "]";
    const auto only = [&](const char* key, const std::string& name) {
      json value = many[key].begin().value();
      if (value.contains("host")) value["host"] = "esx" + numbers;
      many[key] = {{name + numbers, value}};
    };
    only("hosts", "esx");
    only("vms", "train");
    const ScenarioResult result = run(many);
    const LayoutResult& layout = result.layouts.at(0);
    return std::pair{layout.training->training_s, says_that_nccl_chose_worse(layout)};
  };
  const auto forty = epoch(40);
  const auto more = epoch(52);
  EXPECT_TRUE(more.first <= forty.first * 1.001 || more.second)
      << forty.first << " s on 40 hosts, " << more.first << " s on 52";
}

/// Two EPYC hosts, where NCCL copies between two GPUs peer-to-peer wherever the guest can.
double all_reduce_on_epyc(const char* vsphere, const char* size) {
  return to_seconds(test::run_one(std::string(R"({"name": "epyc", "vsphere": ")") + vsphere + R"(",
      "hosts": {"h[1-2]": {"server": "dell-r7525", "gpus": "2 x a30",
                           "nics": {"n": {"nic": "connectx-6-lx-25g", "near": "gpu0"}}}},
      "vms": {"v[1-2]": {"host": "h[1-2]", "vcpus": 32, "memory": "128 GiB",
                         "gpus": {"mode": "passthrough"}, "guest_topology": "topo_file",
                         "allow_p2p": true}},
      "job": {"collective": "all_reduce", "sizes": [")" +
                                  size + R"("],
              "nccl": {"NCCL_ALGO": "Ring"}}})")
                        .collective->points.at(0)
                        .time);
}

TEST(PeerToPeer, IsNotSlowerThanThroughHostMemory) {
  // vSphere 9.0 has peer-to-peer for passthrough, 8.0 does not on this host.
  for (const char* size : {"1 MiB", "16 MiB", "256 MiB"}) {
    EXPECT_LE(all_reduce_on_epyc("9.0", size), all_reduce_on_epyc("8.0U3", size) * 1.001) << size;
  }
}

/// By a parameter server, of hosts with two GPUs each: s of an image.
double by_parameter_server(int hosts) {
  const std::string numbers = "[1-" + std::to_string(hosts) + "]";
  const auto layout = test::run_one(R"({"name": "server", "hosts": {"h)" + numbers +
                                    R"(": {"server": "dell-r740", "gpus": "2 x v100-pcie-32gb",
      "nics": {"n": {"nic": "connectx-4-lx-25g", "near": "gpu0"}}}},
      "job": {"network": "article-340m", "optimizer": "none", "buckets": "single",
              "overlap": false, "pattern": "parameter_server", "iterations_per_epoch": 10},
      "idealise": {"latency": "zero", "bandwidth": "line_rate"}})");
  return seconds(layout) / (2.0 * hosts);
}

TEST(ParameterServer, HasOnePortForAllOthers) {
  // Of 2 N GPUs, 2 N - 2 are on other hosts than the server: an image costs it (N - 1) / N of a
  // model there and back, 3/4 with four hosts and 7/8 with eight. More hosts cost more, up to 1.
  EXPECT_NEAR(by_parameter_server(8) / by_parameter_server(4), (7.0 / 8) / (3.0 / 4), 1e-3);
}

}  // namespace improvements_test
}  // namespace vgsim
