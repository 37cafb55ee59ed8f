#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "models/scenario/answer/result_json.hpp"
#include "tests/support/scenarios.hpp"

namespace vgsim {
namespace invariance_test {

/// Three kinds of host, so that their order could matter; %1 to %4 are host names.
std::string mixed(const std::vector<std::string>& names, const std::vector<std::size_t>& order) {
  const std::string parts[] = {
      R"({"server": "dell-r750xa", "gpus": "4 x a100-pcie-80gb", "nvlink_bridges": [[0, 1]],
          "nics": {"n": {"nic": "connectx-6-dx-100g", "near": "gpu0"}}})",
      R"({"server": "dell-r750xa", "gpus": "2 x a100-pcie-80gb",
          "nics": {"n": {"nic": "connectx-4-lx-25g", "near": "gpu0"}}})",
      R"({"server": "dell-xe8545", "gpus": "4 x a100-sxm4-40gb",
          "nics": {"n": {"nic": "connectx-6-hdr-200g", "near": "gpu2"}}})",
      R"({"server": "dell-r750xa", "gpus": "2 x a100-pcie-80gb",
          "nics": {"n": {"nic": "connectx-4-lx-25g", "near": "gpu0"}}})"};
  std::string hosts;
  std::string vms;
  for (const std::size_t i : order) {
    hosts += (hosts.empty() ? "" : ", ") + ("\"" + names[i] + "\": ") + parts[i];
    vms += (vms.empty() ? "" : ", ") + ("\"vm-" + names[i] + "\": {\"host\": \"" + names[i]) +
           R"(", "gpus": {"mode": "passthrough"}, "nics": {"n": "passthrough"},
              "guest_topology": "topo_file", "allow_p2p": true})";
  }
  return R"({"name": "mixed", "hosts": {)" + hosts + R"(}, "vms": {)" + vms + R"(},
    "fabric": {"kind": "leaf-spine", "leaves": 2, "spines": 2, "uplink": "50 Gbit/s"},
    "job": {"network": "bert-large", "samples_per_epoch": 1000, "batch_per_gpu": 8}})";
}

TEST(Invariance, TwoRunsGiveTheSameBytes) {
  const std::string json = mixed({"a", "b", "c", "d"}, {0, 1, 2, 3});
  EXPECT_EQ(scenario::to_json(test::run(json)), scenario::to_json(test::run(json)));
}

TEST(Invariance, ReorderingHostsAndVmsChangesNothing) {
  const std::string expected =
      scenario::to_json(test::run(mixed({"a", "b", "c", "d"}, {0, 1, 2, 3})));
  std::vector<std::size_t> order{0, 1, 2, 3};
  while (std::next_permutation(order.begin(), order.end())) {
    EXPECT_EQ(scenario::to_json(test::run(mixed({"a", "b", "c", "d"}, order))), expected);
  }
}

TEST(Invariance, RenamingHostsChangesNothingButTheNames) {
  const auto base = test::run(mixed({"a", "b", "c", "d"}, {0, 1, 2, 3})).layouts.at(0);
  std::vector<std::string> names{"p", "q", "r", "s"};
  do {
    const auto renamed = test::run(mixed(names, {0, 1, 2, 3})).layouts.at(0);
    EXPECT_EQ(renamed.fingerprint, base.fingerprint);
    EXPECT_EQ(renamed.event_fingerprint, base.event_fingerprint);
    EXPECT_EQ(renamed.training->iteration, base.training->iteration);
    EXPECT_EQ(renamed.training->first_iteration, base.training->first_iteration);
    EXPECT_EQ(renamed.links.size(), base.links.size());
    EXPECT_EQ(renamed.bottleneck->kind, base.bottleneck->kind);
    EXPECT_EQ(renamed.bottleneck->share, base.bottleneck->share);
  } while (std::next_permutation(names.begin(), names.end()));
}

TEST(Invariance, RenamingAHostDoesNotChangeWhatNeighboursLeaveOfItsGpu) {
  const auto vgpu = [](const std::string& host) {
    return R"("host": ")" + host + R"(", "guest_topology": "flat", "nics": {},
              "gpus": {"mode": "vgpu", "count": 1, "profile": "nvidia_h100-10c"})";
  };
  const auto step = [&](const std::string& host) {
    return test::run_one(R"({"name": "neighbours", "vsphere": "8.0U3",
        "hosts": {")" + host +
                         R"(": {"server": "generic-1gpu", "gpus": "1 x h100-pcie-80gb"}},
        "vms": {"user1": {)" +
                         vgpu(host) + R"(}, "user[2-7]": {)" + vgpu(host) + R"(, "gpu_load": 0.1}},
        "job": {"network": "resnet-50", "batch_per_gpu": 64, "precision": "fp16",
                "optimizer": "sgd", "vms": "user1", "epochs": 1}})")
        .training->iteration;
  };
  const double first = to_seconds(step("esx01"));
  for (const char* name : {"a", "esxqq01", "host-with-a-long-name"}) {
    EXPECT_NEAR(to_seconds(step(name)), first, 1e-3 * first) << name;
  }
}

TEST(Invariance, UnitsMaySpeakForTheSameRateInAnyWay) {
  const auto with = [](const char* rate) {
    return test::run(R"({"name": "units", "hosts": {"h[1-2]": {"server": "generic-1gpu",
      "gpus": "1 x v100-pcie-32gb", "nics": {"n": {"nic": "connectx-7-ndr-400g"}}}},
      "fabric": {"kind": "single-switch", "host_link": ")" +
                     std::string(rate) + R"("},
      "job": {"collective": "all_reduce", "sizes": "1 kB .. 1 GB x10"}})")
        .layouts.at(0)
        .fingerprint;
  };
  EXPECT_EQ(with("0.2 Tbit/s"), with("25 GB/s"));
  EXPECT_EQ(with("200 Gbit/s"), with("25000 MB/s"));
  EXPECT_NE(with("200 Gbit/s"), with("200 Mbit/s"));
}

TEST(Invariance, FasterLinksAndLongerMessagesCancelOut) {
  const auto time = [](const char* rate, const char* size) {
    return test::run(R"({"name": "scale", "hosts": {"h[1-4]": {"server": "generic-1gpu",
      "gpus": "1 x v100-pcie-32gb", "nics": {"n": {"nic": "connectx-7-ndr-400g"}}}},
      "fabric": {"kind": "single-switch", "host_link": ")" +
                     std::string(rate) + R"("},
      "job": {"collective": "all_reduce", "sizes": [")" +
                     std::string(size) + R"("]},
      "idealise": {"latency": "zero", "bandwidth": "line_rate"}})")
        .layouts.at(0)
        .collective->points.at(0)
        .time;
  };
  EXPECT_EQ(time("10 Gbit/s", "100 MB"), time("40 Gbit/s", "400 MB"));
}

}  // namespace invariance_test
}  // namespace vgsim
