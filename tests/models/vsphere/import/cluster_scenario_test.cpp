#include "models/vsphere/import/cluster_scenario.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "tests/topology/machine/small_hosts.hpp"

namespace vgsim::vsphere::import {
namespace cluster_scenario_test {

using nlohmann::ordered_json;
using ::testing::ElementsAre;

std::vector<std::string> keys_of(const ordered_json& object) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.push_back(key);
  return keys;
}

ordered_json vm_on(const std::string& host, const std::string& gpu) {
  return {{"host", host}, {"gpus", {{"mode", "passthrough_static"}, {"devices", {gpu}}}}};
}

std::vector<Inventory> hosts(std::size_t count) {
  std::vector<Inventory> result;
  for (std::size_t h = 1; h <= count; ++h) {
    result.push_back(topology::inventory::two_socket_host());
    result.back().name = {fmt::format("esx{:02}", h), "dump"};
  }
  return result;
}

TEST(ClusterScenario, VmsThatAreEqualOnEachHostAreOneEntry) {
  ordered_json vms;
  for (int h = 1; h <= 12; ++h) {
    for (int g = 0; g < 2; ++g) {
      vms[fmt::format("vm{:03}", 2 * h + g)] =
          vm_on(fmt::format("esx{:02}", h), fmt::format("gpu{}", g));
    }
  }
  const auto folded = fold_vms(vms);
  ASSERT_EQ(folded.size(), 2U);
  EXPECT_EQ(folded[0].count, 12U);
  EXPECT_EQ(folded[0].names, "vm[002,004,006,008,010,012,014,016,018,020,022,024]");
  EXPECT_EQ(folded[0].vm["host"], "esx[01-12]");
  EXPECT_EQ(folded[1].vm["gpus"]["devices"][0], "gpu1");
}

TEST(ClusterScenario, EqualVmsOfOneHostAreOneEntry) {
  ordered_json vms;
  for (int v = 1; v <= 5; ++v) vms[fmt::format("vm{}", v)] = {{"host", "esx01"}, {"vcpus", 4}};
  const auto folded = fold_vms(vms);
  ASSERT_EQ(folded.size(), 1U);
  EXPECT_EQ(folded[0].names, "vm[1-5]");
  EXPECT_EQ(folded[0].vm["host"], "esx01");
}

TEST(ClusterScenario, HostsOfOneFileAreOneEntry) {
  const auto scenario =
      cluster_scenario(hosts(4), {}, {{"a.json"}, {"a.json"}, {"b.json"}, {"a.json"}});
  EXPECT_THAT(keys_of(scenario.json["hosts"]), ElementsAre("esx[01-02,04]", "esx03"));
  EXPECT_EQ(scenario.json["hosts"]["esx03"]["topology"], "b.json");
  EXPECT_EQ(scenario.json["fabric"]["kind"], "single-switch");
}

TEST(ClusterScenario, TheJobRunsInTheMostNumerousVms) {
  VmFragment fragment;
  fragment.vms["a1"] = vm_on("esx01", "gpu0");
  fragment.vms["a2"] = vm_on("esx02", "gpu0");
  fragment.vms["b"] = vm_on("esx02", "gpu1");
  const auto scenario = cluster_scenario(hosts(2), fragment, {{"a.json"}, {"a.json"}});
  EXPECT_EQ(scenario.json["job"]["vms"], ordered_json::array({"a[1-2]"}));
  EXPECT_EQ(scenario.json["job"]["network"], "bert-large");
  fragment.vms.erase("b");
  EXPECT_FALSE(cluster_scenario(hosts(2), fragment, {{"a"}, {"a"}}).json["job"].contains("vms"));
}

TEST(ClusterScenario, HostsThatAreKnownByTheirServersAloneRunAJobEach) {
  Inventory first;
  first.name = {"esx01", "vHost.csv"};
  Inventory second = first;
  second.name->value = "esx02";
  const HostSource server{"dell-r750xa", true};
  const auto scenario = cluster_scenario({first, second}, {}, {server, server});
  EXPECT_EQ(scenario.json["hosts"]["esx[01-02]"]["server"], "dell-r750xa");
  EXPECT_EQ(scenario.json["job"]["vms"], ordered_json::array({"esx01"}));
  EXPECT_TRUE(scenario.next.empty());
}

TEST(ClusterScenario, WithoutGpusItSaysWhatIsMissing) {
  Inventory host;
  host.name = {"esx01", "vHost.csv"};
  EXPECT_EQ(cluster_scenario({host}, {}, {{"a.json"}}).next.size(), 1U);
  EXPECT_TRUE(cluster_scenario(hosts(1), {}, {{"a.json"}}).next.empty());
}

}  // namespace cluster_scenario_test
}  // namespace vgsim::vsphere::import
