#include "topology/machine/path_classes.hpp"

#include <gmock/gmock.h>

#include "tests/topology/machine/small_hosts.hpp"

namespace vgsim::topology::inventory {
namespace path_classes_test {

using ::testing::ElementsAre;
using Row = std::vector<std::string>;

TEST(PathClasses, AreThoseOfNvidiaSmi) {
  const PathMatrix matrix = path_classes(two_socket_host());
  EXPECT_THAT(matrix.names, ElementsAre("GPU0", "GPU1", "GPU2", "GPU3", "NIC0", "NIC1"));
  EXPECT_EQ(matrix.cells[0], (Row{"X", "NV12", "NV12", "NV12", "PIX", "SYS"}));
  EXPECT_EQ(matrix.cells[4], (Row{"PIX", "PIX", "SYS", "SYS", "X", "SYS"}));
  EXPECT_EQ(matrix.nic_legend.at("NIC1"), "mlx5_1");
  EXPECT_THAT(matrix.numa, ElementsAre("0", "0", "1", "1", "0", "1"));
}

TEST(PathClasses, AreSymmetric) {
  const PathMatrix matrix = path_classes(two_socket_host());
  for (std::size_t a = 0; a < matrix.names.size(); ++a) {
    for (std::size_t b = 0; b < matrix.names.size(); ++b) {
      EXPECT_EQ(matrix.cells[a][b], matrix.cells[b][a]);
    }
  }
}

Inventory gpus_on_buses(const std::vector<std::string>& bus_ids,
                        const std::vector<std::string>& root_complexes = {}) {
  Inventory host;
  NumaNode& node = host.numa_nodes.emplace_back();
  for (std::size_t g = 0; g < bus_ids.size(); ++g) {
    Device& gpu = node.devices.emplace_back();
    gpu.kind = DeviceKind::kGpu;
    gpu.bus_id = bus_ids[g];
    if (g < root_complexes.size()) gpu.root_complex = {root_complexes[g], "lspci.txt"};
  }
  return host;
}

TEST(PathClasses, OneRootComplexIsPhbAndTwoAreNode) {
  const auto stated = path_classes(gpus_on_buses({"0000:17:00.0", "0000:18:00.0", "0000:19:00.0"},
                                                 {"0000:16", "0000:16", "0000:40"}));
  EXPECT_EQ(stated.cells[0], (Row{"X", "PHB", "NODE"}));
}

TEST(PathClasses, DistantBusesAreOnDifferentRootComplexesIfNoneIsStated) {
  const auto guessed =
      path_classes(gpus_on_buses({"0000:01:00.0", "0000:02:00.0", "0000:21:00.0", "0001:03:00.0"}));
  EXPECT_EQ(guessed.cells[0], (Row{"X", "PHB", "NODE", "NODE"}));
}

TEST(PathClasses, EachSwitchOnThePathCounts) {
  Inventory host;
  Device leaf[2];
  for (int side = 0; side < 2; ++side) {
    leaf[side].kind = DeviceKind::kBridge;
    for (int g = 0; g < 2; ++g) {
      Device& gpu = leaf[side].below.emplace_back();
      gpu.kind = DeviceKind::kGpu;
      gpu.bus_id = fmt::format("0000:{}{}:00.0", side + 1, g);
    }
  }
  Device& top = host.numa_nodes.emplace_back().devices.emplace_back();
  top.kind = DeviceKind::kBridge;
  top.below = {leaf[0], leaf[1]};
  EXPECT_EQ(path_classes(host).cells[0], (Row{"X", "PIX", "PXB", "PXB"}));
}

TEST(PathClasses, TwoFunctionsOfACardAreAdjacent) {
  Inventory host = gpus_on_buses({"0000:31:00.0", "0000:31:00.1"});
  EXPECT_EQ(path_classes(host).cells[0], (Row{"X", "PIX"}));
}

TEST(PathClasses, AGpuThatFellOffNvlinkShowsItsPcieClass) {
  Inventory host = two_socket_host();
  host.numa_nodes[0].devices[0].below[1].gpu->nvlinks.clear();
  const PathMatrix matrix = path_classes(host);
  EXPECT_EQ(matrix.cells[0], (Row{"X", "PIX", "NV12", "NV12", "PIX", "SYS"}));
}

TEST(PathClasses, DifferencesNameBothWords) {
  const PathMatrix tree = path_classes(two_socket_host());
  PathMatrix stated = tree;
  EXPECT_TRUE(differences(stated, tree).empty());
  stated.cells[0][4] = stated.cells[4][0] = "PXB";
  EXPECT_THAT(differences(stated, tree),
              ElementsAre("GPU0 and mlx5_0: the file states PXB, the tree gives PIX"));
}

}  // namespace path_classes_test
}  // namespace vgsim::topology::inventory
