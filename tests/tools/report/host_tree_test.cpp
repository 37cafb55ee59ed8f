#include "tools/report/charts/host_tree.hpp"

#include <gmock/gmock.h>

#include "tests/tools/report/svg_document.hpp"
#include "tools/report/charts/topology.hpp"

namespace vgsim::report {
namespace host_tree_test {

using scenario::DrawnHost;
using scenario::TopologyPicture;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Not;

/// Two sockets; two bridged GPUs and a NIC below the first, a root complex with nothing below the
/// second.
DrawnHost small_host() {
  DrawnHost host;
  host.name = "esx01";
  host.count = 4;
  host.machines = {"train01"};
  host.nodes = {{"socket0", "socket", ""},   {"socket1", "socket", ""}, {"rc0", "root complex", ""},
                {"rc1", "root complex", ""}, {"gpu0", "GPU", "a100"},   {"gpu1", "GPU", "a100"},
                {"vmnic4", "NIC", "cx6"},    {"memory0", "memory", ""}, {"rc2", "root complex", ""},
                {"nvme", "storage", ""}};
  host.links = {{0, 2, "on-die", 0, 0, 0},          {0, 3, "on-die", 0, 0, 0},
                {2, 4, "pcie", 25e9, 1e9, 0.38},    {2, 5, "pcie", 25e9, 1e9, 0.38},
                {3, 6, "pcie", 25e9, 1e9, 0.5},     {0, 7, "memory", 100e9, 0, 0},
                {1, 8, "on-die", 0, 0, 0},          {0, 1, "socket-link", 20e9, 0, 0},
                {4, 5, "nvlink", 300e9, 2e9, 0.07}, {6, 6, "nic", 12.5e9, 1e9, 0.97},
                {3, 9, "storage", 6e9, 0, 0}};
  return host;
}

std::vector<std::string> names(const DrawnHost& host, const HostTree& tree) {
  std::vector<std::string> result;
  for (const TreeDevice& device : tree.devices) result.push_back(host.nodes[device.node].name);
  return result;
}

TEST(HostTree, HangsOnItsSocketsWithoutBranchesThatCarryNothing) {
  const DrawnHost host = small_host();
  const HostTree tree = tree_of(host);
  EXPECT_THAT(names(host, tree),
              ElementsAre("socket0", "rc0", "gpu0", "gpu1", "rc1", "vmnic4", "nvme"));
  EXPECT_EQ(tree.devices[2].above, 1U);
  EXPECT_EQ(tree.devices[2].depth, 2U);
  EXPECT_FALSE(tree.devices[1].leaf);
  EXPECT_TRUE(tree.devices[5].leaf);
}

TEST(HostTree, HasLinksOutsideOfTheTree) {
  const DrawnHost host = small_host();
  const HostTree tree = tree_of(host);
  ASSERT_EQ(tree.nvlinks.size(), 1U);
  EXPECT_EQ(tree.nvlinks[0].from, 2U);
  EXPECT_EQ(tree.nvlinks[0].to, 3U);
  ASSERT_TRUE(tree.ports[5].has_value());
  EXPECT_EQ(host.links[*tree.ports[5]].kind, "nic");
}

TEST(HostTree, UsedMemoryIsShown) {
  DrawnHost host = small_host();
  host.links[5].utilization = 0.2;
  EXPECT_THAT(names(host, tree_of(host)), Contains("memory0"));
  EXPECT_THAT(names(small_host(), tree_of(small_host())), Not(Contains("memory0")));
}

TEST(HostTree, NvLinksThatWouldTouchHaveLanesOfTheirOwn) {
  DrawnHost host;
  host.name = "mesh";
  host.nodes = {{"socket0", "socket", ""}};
  for (std::size_t g = 0; g < 4; ++g) {
    host.nodes.push_back({"gpu" + std::to_string(g), "GPU", ""});
    host.links.push_back({0, g + 1, "pcie", 1, 0, 0});
  }
  for (std::size_t a = 1; a <= 4; ++a) {
    for (std::size_t b = a + 1; b <= 4; ++b) host.links.push_back({a, b, "nvlink", 1, 1, 0.5});
  }
  const HostTree tree = tree_of(host);
  ASSERT_EQ(tree.nvlinks.size(), 6U);
  for (const PeerLink& a : tree.nvlinks) {
    for (const PeerLink& b : tree.nvlinks) {
      const bool same = a.link == b.link;
      EXPECT_TRUE(same || a.lane != b.lane || a.to < b.from || b.to < a.from);
    }
  }
}

TEST(HostTree, NvSwitchesAreCountedAndTheBusiestLinkToThemIsKept) {
  DrawnHost host;
  host.nodes = {{"socket0", "socket", ""},
                {"gpu0", "GPU", ""},
                {"s0", "NVSwitch", ""},
                {"s1", "NVSwitch", "", 2}};
  host.links = {{0, 1, "pcie", 1, 0, 0}, {1, 2, "nvlink", 1, 1, 0.4}, {3, 1, "nvlink", 1, 1, 0.6}};
  const HostTree tree = tree_of(host);
  EXPECT_EQ(tree.nv_switches, "3 NVSwitches");
  EXPECT_EQ(tree.to_switches[1], 0.6);
}

TEST(Load, HasAColourAndAFigure) {
  EXPECT_EQ(load_look(0), "load0 w0");
  EXPECT_EQ(load_look(0.19), "load1 w1");
  EXPECT_EQ(load_look(0.97), "load5 w5");
  EXPECT_EQ(load_look(1), "load5 w5");
  EXPECT_EQ(load_text(0), "");
  EXPECT_EQ(load_text(0.004), "<1 %");
  EXPECT_EQ(load_text(0.384), "38 %");
}

TEST(Topology, ShowsTheLoadOfTheBusiestLinkInWordsToo) {
  TopologyPicture picture{
      {small_host()}, "leaf-spine", 2, 2, {{"leaf1 -> spine1", 4, 50e9, 1, 0.4}}};
  for (const std::string& drawing :
       {topology_wide(picture, "t", "d"), topology_narrow(picture, "t", "d")}) {
    const test::SvgDocument document(drawing);
    EXPECT_THAT(document.texts(), Contains("97 %"));
    EXPECT_THAT(document.texts(), Contains("esx01 and 3 like it: VM train01"));
    EXPECT_FALSE(document.all("polyline", "load5").empty() &&
                 document.all("line", "load5").empty());
  }
  EXPECT_EQ(leaves_heading(picture), "2 leaves");
}

TEST(Topology, OfManyKindsOfHostsTheFirstAreDrawn) {
  TopologyPicture picture{{}, "single-switch", 1, 0, {}};
  for (int h = 0; h < 50; ++h) {
    picture.hosts.push_back(small_host());
    picture.hosts.back().name = "host" + std::to_string(h);
  }
  const test::SvgDocument document(topology_wide(picture, "t", "d"));
  EXPECT_THAT(document.texts(), Contains("host2 and 3 like it: VM train01"));
  EXPECT_THAT(document.texts(), Not(Contains("host3 and 3 like it: VM train01")));
}

}  // namespace host_tree_test
}  // namespace vgsim::report
