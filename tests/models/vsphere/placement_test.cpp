// Who gets which GPUs: NVSwitch partitions, shared GPUs, and hosts that vSphere chooses.

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "models/questions/place.hpp"
#include "tests/support/scenarios.hpp"
#include "topology/input/json_reader.hpp"

namespace vgsim {
namespace placement_test {

using scenario::LayoutPlacement;
using vsphere::FreeGroups;

LayoutPlacement place(const std::string& hosts, const std::string& vms,
                      const std::string& version = "8.0U3") {
  const std::string json = R"({"name": "p", "vsphere": ")" + version + R"(", "hosts": {)" + hosts +
                           R"(}, "vms": {)" + vms + R"(}, "job": {"collective": "all_reduce"}})";
  auto placed = scenario::place_scenario(*input::read_json(input::make_source("p.json", json)),
                                         test::library(), cli::loader_relative_to("."));
  if (!placed) throw std::runtime_error(input::render(placed.error()));
  return placed->at(0);
}

const char* const kXe9680 = R"("h": {"server": "dell-xe9680", "gpus": "8 x h100-sxm5-80gb"})";

std::string group(const std::string& vm, int gpus, int turn) {
  return "\"" + vm + R"(": {"power_on": )" + std::to_string(turn) +
         R"(, "gpus": {"mode": "vgpu", "device_groups": ["Nvidia:)" + std::to_string(gpus) +
         R"(@nvidia_h100xm-80c%NVLink"]}})";
}

std::string fraction(const std::string& vm, const std::string& profile, int turn) {
  return "\"" + vm + R"(": {"power_on": )" + std::to_string(turn) +
         R"(, "gpus": {"mode": "vgpu", "count": 1, "profile": ")" + profile + R"("}})";
}

std::vector<std::size_t> gpus(const vsphere::PlacementStep& step) {
  std::vector<std::size_t> result;
  for (const auto& gpu : step.gpus) result.push_back(gpu.gpu);
  return result;
}

TEST(Placement, AnEmptyNvSwitchBoardHasFifteenPartitions) {
  const auto placed = place(kXe9680, group("a", 8, 1));
  EXPECT_TRUE(placed.report.all_fit());
  EXPECT_TRUE(placed.report.steps.at(0).free.empty()) << "the group of eight is all of it";
  const auto empty = place(kXe9680, R"("a": {"gpus": {"mode": "vgpu", "count": 9,
    "profile": "nvidia_h100xm-80c"}})");
  EXPECT_EQ(empty.report.left.at(0).free, (FreeGroups{{8, 1}, {4, 2}, {2, 4}, {1, 8}}));
}

TEST(Placement, APairBreaksItsHalfForGroupsOfFour) {
  // Modules {1,3} or {2,4} of a half taken: one half, three pairs and six GPUs are left.
  // https://frankdenneman.ai, 2026-03-31.
  const auto one = place(kXe9680, group("a", 2, 1));
  EXPECT_EQ(one.report.steps.at(0).free, (FreeGroups{{4, 1}, {2, 3}, {1, 6}}));
  const auto three =
      place(kXe9680, group("a", 2, 1) + "," + group("b", 4, 2) + "," + group("c", 4, 3));
  EXPECT_TRUE(three.report.steps.at(1).host);
  EXPECT_FALSE(three.report.steps.at(2).host);
  EXPECT_EQ(three.report.steps.at(2).refusals.at(0).rule, std::string("nvswitch-no-partition"));
}

TEST(Placement, PairsFillABrokenHalfBeforeTheyBreakTheOther) {
  const auto placed =
      place(kXe9680, group("a", 2, 1) + "," + group("b", 2, 2) + "," + group("c", 4, 3));
  EXPECT_TRUE(placed.report.all_fit()) << "two pairs share a half, the four get the other";
  EXPECT_EQ(placed.report.steps.at(1).free, (FreeGroups{{4, 1}, {2, 2}, {1, 4}}));
}

TEST(Placement, PairsAreMadeOfModulesNotOfNeighboursOnPcie) {
  // PCIe order 0..7 carries modules 2,4,1,3,7,5,6,8: the pair {2,4} is gpu0 and gpu1, {1,3} gpu2
  // and gpu3, {5,7} gpu4 and gpu5.
  const auto placed = place(kXe9680, group("a", 2, 1) + "," + group("b", 2, 2));
  const auto first = gpus(placed.report.steps.at(0));
  const auto second = gpus(placed.report.steps.at(1));
  EXPECT_EQ(first.size() + second.size(), 4U);
  std::vector<std::size_t> half = first;
  half.insert(half.end(), second.begin(), second.end());
  std::sort(half.begin(), half.end());
  EXPECT_EQ(half, (std::vector<std::size_t>{0, 1, 2, 3}));
}

TEST(Placement, AnotherOrderIsNamedWhereItFits) {
  // Mixed sizes on 80 GB: 20 GB vGPUs at 0 and 20 leave 40 GB; two of 40 GB fit only first.
  const auto placed = place(R"("h": {"server": "generic-1gpu", "gpus": "1 x a100-pcie-80gb",
                     "vgpu": {"sizes": "mixed"}})",
                            fraction("small1", "grid_a100d-20c", 1) + "," +
                                fraction("small2", "grid_a100d-20c", 2) + "," +
                                fraction("large", "grid_a100d-40c", 3));
  EXPECT_TRUE(placed.report.all_fit()) << "0, 20 and 40";
  const auto torn = place(kXe9680, group("a", 2, 1) + "," + group("b", 8, 2));
  EXPECT_FALSE(torn.report.all_fit());
  EXPECT_FALSE(torn.report.better_order) << "ten GPUs fit in no order";
}

TEST(Placement, VgpusAreSpreadOrFillOneGpuAfterTheOther) {
  const auto on_gpus = [](const std::string& policy) {
    const auto placed =
        place(R"("h": {"server": "dell-r750xa", "gpus": "4 x a100-pcie-80gb",
                                       "vgpu": {"assignment": ")" +
                  policy + R"("}})",
              fraction("a", "grid_a100d-40c", 1) + "," + fraction("b", "grid_a100d-40c", 2));
    return std::vector{gpus(placed.report.steps.at(0)).at(0),
                       gpus(placed.report.steps.at(1)).at(0)};
  };
  EXPECT_EQ(on_gpus("performance"), (std::vector<std::size_t>{0, 1}));
  EXPECT_EQ(on_gpus("consolidation"), (std::vector<std::size_t>{0, 0}));
}

TEST(Placement, FramebufferThatNoSizeCanUseIsStranded) {
  // An 80 GB GPU takes five vGPUs of 15 or 16 GB; with one of 16 GB on it 64 GB are bound to that
  // size in same-size mode, and nothing is stranded.
  const auto placed = place(R"("h": {"server": "generic-1gpu", "gpus": "1 x a100-pcie-80gb"})",
                            fraction("a", "grid_a100d-16c", 1));
  EXPECT_EQ(placed.report.left.at(0).bound_gb, 64);
  EXPECT_EQ(placed.report.left.at(0).stranded_gb, 0);
}

TEST(Placement, MigInstancesKeepTheLowerHalfWhole) {
  // 3g goes to the upper half, so that 4g still fits.
  const auto placed =
      place(R"("h": {"server": "generic-1gpu", "gpus": "1 x h100-pcie-80gb"})",
            fraction("a", "nvidia_h100-3-40c", 1) + "," + fraction("b", "nvidia_h100-4-40c", 2));
  EXPECT_TRUE(placed.report.all_fit());
}

TEST(Placement, HostsThatAreNotGivenAreChosen) {
  const auto result = test::run(R"({"name": "open", "vsphere": "8.0U3",
    "hosts": {"h[1-2]": {"server": "dell-r750xa", "gpus": "4 x a100-pcie-80gb",
                         "nics": {"n": {"nic": "connectx-6-dx-100g"}}}},
    "vms": {"a": {"gpus": {"mode": "passthrough", "count": 4}, "nics": {"n": "passthrough"}},
            "b": {"gpus": {"mode": "passthrough", "count": 4}, "nics": {"n": "passthrough"}}},
    "job": {"collective": "all_reduce", "sizes": ["1 MB"]}})");
  EXPECT_EQ(result.layouts.at(0).ranks, 8U) << "one on each host";
}

/// Hosts of all VMs, by name, whatever the order of the keys.
std::map<std::string, std::string> hosts_of(const std::string& hosts,
                                            std::vector<std::string> vms) {
  std::map<std::string, std::string> first;
  std::sort(vms.begin(), vms.end());
  do {
    std::string all;
    for (const std::string& vm : vms) all += (all.empty() ? "" : ", ") + vm;
    const auto placed = place(hosts, all);
    std::map<std::string, std::string> found;
    for (const auto& step : placed.report.steps) {
      found[step.vm] = step.host ? placed.hosts.at(*step.host) : "nowhere";
    }
    if (first.empty()) first = found;
    EXPECT_EQ(found, first) << all;
  } while (std::next_permutation(vms.begin(), vms.end()));
  return first;
}

TEST(Placement, AVmThatIsTiedToAHostKeepsItsPlaceWhateverTheNames) {
  const char* const two = R"("h[1-2]": {"server": "dell-r750xa", "gpus": "2 x a100-pcie-80gb"})";
  const std::string gpus = R"("gpus": {"mode": "vgpu", "profile": "grid_a100d-80c", "count": )";
  const auto vm = [&](const std::string& name, const std::string& tied, const char* count) {
    return '"' + name + "\": {" + tied + gpus + count + "}}";
  };
  for (const char* host : {"h1", "h2"}) {
    const std::string tied = R"("host": ")" + std::string(host) + "\", ";
    for (const auto& [pinned, floating] : {std::pair("zed", "abe"), std::pair("abe", "zed")}) {
      const auto found = hosts_of(two, {vm(pinned, tied, "2"), vm(floating, "", "2")});
      EXPECT_EQ(found.at(pinned), host);
      EXPECT_NE(found.at(floating), "nowhere");
      EXPECT_NE(found.at(floating), host);
    }
    // One GPU of the host is enough to keep two from fitting there.
    const auto found = hosts_of(two, {vm("zed", tied, "1"), vm("abe", "", "2"), vm("b", "", "1")});
    EXPECT_EQ(found.at("zed"), host);
    EXPECT_NE(found.at("abe"), host);
    EXPECT_EQ(found.at("b"), host);
  }
}

TEST(Placement, MemoryAndCpusAreWhatAHostHasToo) {
  const std::string one = R"({"server": "dell-r750xa", "gpus": "4 x a100-pcie-80gb",
      "numa_node": {"cores": )";
  const std::string two = R"("h1": )" + one + R"(8, "memory": "64 GiB"}}, "h2": )" + one +
                          R"(32, "memory": "256 GiB"}})";
  const auto vm = [](const std::string& name, const std::string& size) {
    return '"' + name + "\": {" + size + R"(, "gpus": {"mode": "vgpu", "count": 1,
        "profile": "grid_a100d-80c"}})";
  };
  EXPECT_EQ(hosts_of(two, {vm("a", R"("memory": "200 GiB")")}).at("a"), "h2");
  EXPECT_EQ(hosts_of(two, {vm("a", R"("vcpus": 64)")}).at("a"), "h2");
  const auto both =
      hosts_of(two, {vm("a", R"("memory": "100 GiB")"), vm("b", R"("memory": "500 GiB")")});
  EXPECT_EQ(both.at("b"), "h2");
  EXPECT_EQ(both.at("a"), "h1");
}

TEST(Placement, AVmThatFitsNowhereIsRefused) {
  const auto result = test::run(R"({"name": "open",
    "hosts": {"h": {"server": "dell-r750xa", "gpus": "4 x a100-pcie-80gb"}},
    "vms": {"a": {"gpus": {"mode": "passthrough", "count": 5}}},
    "job": {"collective": "all_reduce", "sizes": ["1 MB"]}})");
  ASSERT_TRUE(result.layouts.at(0).refused);
  EXPECT_EQ(result.layouts.at(0).warnings.at(0).rule, "no-free-gpu");
}

/// What place says of emptying a host, by the name of the host.
std::map<std::string, scenario::HostMaintenance> maintenance(const LayoutPlacement& placed) {
  std::map<std::string, scenario::HostMaintenance> result;
  for (const auto& each : placed.maintenance) {
    for (const std::string& host : each.hosts) result[host] = each;
  }
  return result;
}

TEST(Placement, AHostCanBeEmptiedWhereOthersHaveRoom) {
  const std::string two = R"("h[1-2]": {"server": "dell-r750xa", "gpus": "4 x a100-pcie-80gb"})";
  const auto vm = [](const std::string& name, const std::string& host, int gpus) {
    return "\"" + name + R"(": {"host": ")" + host + R"(", "gpus": {"mode": "vgpu", "count": )" +
           std::to_string(gpus) + R"(, "profile": "grid_a100d-80c"}})";
  };
  const auto easy = maintenance(place(two, vm("a", "h1", 2) + ", " + vm("b", "h2", 2)));
  ASSERT_EQ(easy.size(), 2U);
  EXPECT_TRUE(easy.at("h1").can_be_emptied());
  EXPECT_EQ(easy.at("h1").moves.at(0).host, "h2");
  EXPECT_TRUE(easy.at("h1").moves.at(0).live) << "vMotion of vGPUs";
  const auto full = maintenance(place(two, vm("a", "h1", 3) + ", " + vm("b", "h2", 2)));
  EXPECT_FALSE(full.at("h1").can_be_emptied()) << "h2 has two GPUs left for three";
  EXPECT_FALSE(full.at("h2").can_be_emptied()) << "h1 has one left for two";
  EXPECT_NE(full.at("h1").moves.at(0).why.find("no "), std::string::npos);
  // Passed through GPUs are powered off and started elsewhere.
  const auto passed = maintenance(
      place(two, R"("a": {"host": "h1", "gpus": {"mode": "passthrough_dynamic", "count": 2}})"));
  EXPECT_TRUE(passed.at("h1").can_be_emptied());
  EXPECT_FALSE(passed.at("h1").moves.at(0).live);
  EXPECT_TRUE(passed.at("h2").moves.empty());
}

TEST(Placement, BadInputIsReportedBeforeAnythingIsPlaced) {
  const auto result = test::try_run(R"({"name": "open",
    "hosts": {"h": {"server": "dell-r750xa", "gpus": "4 x a100-pcie-80gb"}},
    "vms": {"a": {"gpus": {"mode": "passthrough", "count": 1, "devices": ["gpu0"]}}},
    "job": {"collective": "all_reduce"}})");
  ASSERT_FALSE(result);
  EXPECT_NE(input::render(result.error()).find("one of \"devices\" and \"count\""),
            std::string::npos);
}

TEST(Placement, MixedModeBefore8U3IsSameSizeMode) {
  const auto fits = [](const std::string& version) {
    return place(R"("h": {"server": "generic-1gpu", "gpus": "1 x a100-pcie-80gb",
                         "vgpu": {"sizes": "mixed"}})",
                 fraction("a", "grid_a100d-40c", 1) + "," + fraction("b", "grid_a100d-20c", 2),
                 version)
        .report;
  };
  EXPECT_TRUE(fits("8.0U3").all_fit());
  const auto before = fits("8.0U2");
  EXPECT_TRUE(before.steps.at(0).host) << "one alone on an empty GPU";
  ASSERT_FALSE(before.steps.at(1).host);
  EXPECT_EQ(before.steps.at(1).refusals.at(0).rule, std::string("mixed-sizes-version"));
}

}  // namespace placement_test
}  // namespace vgsim
