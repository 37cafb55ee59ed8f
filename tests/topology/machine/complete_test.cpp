#include "topology/machine/complete.hpp"

#include <gmock/gmock.h>

#include "tests/topology/machine/small_hosts.hpp"
#include "topology/machine/device_names.hpp"
#include "topology/machine/path_classes.hpp"

namespace vgsim::topology::inventory {
namespace complete_test {

using ::testing::Contains;
using ::testing::HasSubstr;
using Cells = std::vector<std::vector<std::string>>;

/// The path classes of the tree that a matrix leads to.
Cells cells_of_tree(const std::vector<std::string>& names, const Cells& cells,
                    const std::vector<std::string>& numa = {}) {
  PathMatrix matrix;
  matrix.names = names;
  matrix.cells = cells;
  Inventory host = host_of_matrix(matrix);
  if (!numa.empty()) host.matrix->numa = numa;
  complete(host);
  EXPECT_TRUE(host.warnings.empty()) << input::render(host.warnings);
  EXPECT_TRUE(host.unplaced.empty());
  return path_classes(host).cells;
}

TEST(Complete, TheTreeOfAMatrixGivesTheMatrix) {
  const Cells pairs = {{"X", "PIX", "NODE", "SYS"},
                       {"PIX", "X", "NODE", "SYS"},
                       {"NODE", "NODE", "X", "SYS"},
                       {"SYS", "SYS", "SYS", "X"}};
  EXPECT_EQ(cells_of_tree({"GPU0", "GPU1", "GPU2", "GPU3"}, pairs), pairs);
  const Cells two_levels = {{"X", "PIX", "PXB", "PHB"},
                            {"PIX", "X", "PXB", "PHB"},
                            {"PXB", "PXB", "X", "PHB"},
                            {"PHB", "PHB", "PHB", "X"}};
  EXPECT_EQ(cells_of_tree({"GPU0", "GPU1", "GPU2", "mlx5_0"}, two_levels), two_levels);
}

TEST(Complete, FewNvlinksConnectGpusDirectly) {
  const Cells mesh = {{"X", "NV4", "NV4", "NV4"},
                      {"NV4", "X", "NV4", "NV4"},
                      {"NV4", "NV4", "X", "NV4"},
                      {"NV4", "NV4", "NV4", "X"}};
  PathMatrix matrix;
  matrix.names = {"GPU0", "GPU1", "GPU2", "GPU3"};
  matrix.cells = mesh;
  Inventory host = host_of_matrix(matrix);
  host.matrix->numa = {"3", "1", "0", "2"};
  complete(host);
  EXPECT_EQ(path_classes(host).cells, mesh);
  EXPECT_EQ(host.numa_nodes.size(), 4u);
  for (const Device* gpu : gpus_in_order(host)) EXPECT_EQ(gpu->gpu->nvlinks.size(), 3u);
}

TEST(Complete, MoreNvlinksThanAGpuHasMeanSwitches) {
  const Cells all = {{"X", "NV12", "NV12"}, {"NV12", "X", "NV12"}, {"NV12", "NV12", "X"}};
  PathMatrix matrix;
  matrix.names = {"GPU0", "GPU1", "GPU2"};
  matrix.cells = all;
  Inventory host = host_of_matrix(matrix);
  complete(host);
  EXPECT_EQ(path_classes(host).cells, all);
  for (const Device* gpu : gpus_in_order(host)) {
    ASSERT_EQ(gpu->gpu->nvlinks.size(), 1u);
    EXPECT_EQ(gpu->gpu->nvlinks[0].target.value, kHiddenNvSwitch);
  }
  EXPECT_THAT(host.assumed, Contains(HasSubstr("NVSwitches")));
}

TEST(Complete, AMatrixThatContradictsTheTreeIsReported) {
  Inventory host = two_socket_host();
  host.matrix = path_classes(host);
  host.matrix->source = "topo.txt";
  host.matrix->cells[0][4] = host.matrix->cells[4][0] = "SYS";
  complete(host);
  EXPECT_THAT(input::render(host.warnings),
              ::testing::AllOf(HasSubstr("topo.txt"), HasSubstr("SYS"), HasSubstr("PIX")));
}

TEST(Complete, ANicThatOnlyTheMatrixListsIsOnTheSwitchOfItsNeighbour) {
  Inventory host = two_socket_host();
  host.matrix = path_classes(host);
  auto& matrix = *host.matrix;
  matrix.source = "topo.txt";
  matrix.names.push_back("NIC2");
  matrix.nic_legend["NIC2"] = "mlx5_7";
  const std::vector<std::string> row = {"SYS", "SYS", "PIX", "PIX", "SYS", "PIX", "X"};
  for (std::size_t r = 0; r < 6; ++r) matrix.cells[r].push_back(row[r]);
  matrix.cells.push_back(row);
  matrix.cpu_list.emplace_back();
  matrix.numa.emplace_back();
  Device nic;
  nic.kind = DeviceKind::kNic;
  nic.ports.emplace_back().name = {"mlx5_7", "topo.txt"};
  host.unplaced.push_back(nic);
  complete(host);
  EXPECT_EQ(host.numa_nodes[1].devices[0].below.size(), 4u);
  EXPECT_EQ(path_classes(host).cells.back(), row);
  EXPECT_TRUE(host.warnings.empty()) << input::render(host.warnings);
}

TEST(Complete, DevicesWithoutATreeGoToTheirNumaNode) {
  Inventory host;
  for (int g = 0; g < 4; ++g) {
    Device gpu;
    gpu.kind = DeviceKind::kGpu;
    gpu.bus_id = fmt::format("0000:{}0:00.0", g + 1);
    gpu.numa_node = {g / 2, "q.xml"};
    host.unplaced.push_back(gpu);
  }
  complete(host);
  ASSERT_EQ(host.numa_nodes.size(), 2u);
  EXPECT_EQ(host.numa_nodes[1].devices.size(), 2u);
  EXPECT_EQ(path_classes(host).cells[0], (std::vector<std::string>{"X", "NODE", "SYS", "SYS"}));
  EXPECT_FALSE(host.assumed.empty());
}

TEST(Complete, DevicesBelowPortsOfOneBusAreSiblings) {
  Inventory host;
  for (const char* parent : {"0000:85:03.0", "0000:85:04.0", "0000:bc:04.0"}) {
    Device gpu;
    gpu.kind = DeviceKind::kGpu;
    gpu.bus_id = fmt::format("0000:{}:00.0", 86 + host.unplaced.size());
    gpu.parent = {parent, "configtarget.xml"};
    host.unplaced.push_back(gpu);
  }
  complete(host);
  const auto cells = path_classes(host).cells;
  EXPECT_EQ(cells[0][1], "PIX");
  EXPECT_NE(cells[0][2], "PIX");
  EXPECT_THAT(host.assumed, Contains(HasSubstr("one PCIe switch")));
}

TEST(Complete, DevicesWithoutABusIdGetAPlaceholder) {
  Inventory host = host_of_matrix({{"GPU0", "NIC0"}, {{"X", "PHB"}, {"PHB", "X"}}, {}, {}, {}, ""});
  complete(host);
  for_each_device(host, [](const Device& device) { EXPECT_FALSE(device.bus_id.empty()); });
  EXPECT_THAT(host.assumed, Contains(HasSubstr("placeholders")));
}

TEST(Complete, SharedCpusDoNotIdentifyANumaNodeIfTheMatrixHasSys) {
  // The cube mesh of a DGX-1 in a container with a few CPUs and without NUMA nodes.
  const auto link = [](std::size_t a, std::size_t b) { return a / 4 == b / 4 || a % 4 == b % 4; };
  Cells mesh(8, std::vector<std::string>(8, "SYS"));
  for (std::size_t a = 0; a < 8; ++a) {
    for (std::size_t b = 0; b < 8; ++b) {
      if (link(a, b)) mesh[a][b] = "NV1";
    }
    mesh[a][a] = "X";
  }
  PathMatrix matrix;
  matrix.cells = mesh;
  for (int gpu = 0; gpu < 8; ++gpu) matrix.names.push_back("GPU" + std::to_string(gpu));
  for (const std::string cpus : {"", "0-7"}) {
    Inventory host = host_of_matrix(matrix);
    host.matrix->cpu_list.assign(8, cpus);
    host.matrix->numa.assign(8, "N/A");
    complete(host);
    EXPECT_EQ(path_classes(host).cells, mesh) << cpus;
    ASSERT_EQ(host.numa_nodes.size(), 2u);
    EXPECT_FALSE(host.numa_nodes[0].cpu_list);
  }
}

TEST(Complete, NumaNodesHaveTheCpusOfTheirDevices) {
  Inventory host;
  for (int node = 0; node < 3; ++node) {
    host.numa_nodes.emplace_back().id = {node, "a.xml"};
    Device gpu;
    gpu.kind = DeviceKind::kGpu;
    gpu.cpu_list = {node == 0 ? "0-7" : "8-15", "m.txt"};
    host.numa_nodes.back().devices.push_back(gpu);
  }
  complete(host);
  ASSERT_TRUE(host.numa_nodes[0].cpu_list);
  EXPECT_EQ(host.numa_nodes[0].cpu_list->value, "0-7");
  EXPECT_EQ(host.numa_nodes[0].cpu_list->source, "m.txt");
  EXPECT_FALSE(host.numa_nodes[1].cpu_list) << "two nodes cannot have the same CPUs";
}

}  // namespace complete_test
}  // namespace vgsim::topology::inventory
