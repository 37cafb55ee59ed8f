#include "topology/machine/merge.hpp"

#include <gmock/gmock.h>

#include "tests/topology/machine/small_hosts.hpp"
#include "topology/importers/topology_file/topology_file.hpp"
#include "topology/machine/path_classes.hpp"

namespace vgsim::topology::inventory {
namespace merge_test {

using ::testing::HasSubstr;

const Device& first_gpu(const Inventory& host) { return host.numa_nodes[0].devices[0].below[0]; }

Device gpu_at(const std::string& bus_id, const std::string& name) {
  Device gpu;
  gpu.kind = DeviceKind::kGpu;
  gpu.bus_id = bus_id;
  gpu.name = {name, "q.xml"};
  gpu.gpu.emplace().memory = {Bytes{40LL << 30}, "q.xml"};
  return gpu;
}

TEST(Merge, FillsInByBusIdWhateverTheOrderOfFiles) {
  Inventory query;
  query.unplaced.push_back(gpu_at("0000:12:00.0", "NVIDIA A100"));
  const Inventory one = merge({two_socket_host(), query}).value();
  const Inventory other = merge({query, two_socket_host()}).value();
  EXPECT_EQ(to_topology_text(one), to_topology_text(other));
  EXPECT_EQ(first_gpu(one).name->value, "NVIDIA A100");
  EXPECT_EQ(first_gpu(one).name->source, "q.xml");
  EXPECT_EQ(first_gpu(one).pci_class->source, "host.xml");
  EXPECT_TRUE(one.unplaced.empty());
}

TEST(Merge, GpusWithoutABusIdAreFoundByTheirNumber) {
  Inventory numbers;
  Device gpu;
  gpu.kind = DeviceKind::kGpu;
  gpu.gpu.emplace().index = {2, "topo.txt"};
  gpu.cpu_list = {"16-31", "topo.txt"};
  numbers.unplaced.push_back(gpu);
  const Inventory host = merge({two_socket_host(), numbers}).value();
  EXPECT_EQ(host.numa_nodes[1].devices[0].below[0].cpu_list->value, "16-31");
}

TEST(Merge, NicsAreFoundByTheNameOfAPort) {
  Inventory list;
  Device nic;
  nic.kind = DeviceKind::kNic;
  nic.ports.emplace_back().name = {"mlx5_1", "topo.txt"};
  nic.cpu_list = {"16-31", "topo.txt"};
  list.unplaced.push_back(nic);
  const Inventory host = merge({two_socket_host(), list}).value();
  EXPECT_EQ(host.numa_nodes[1].devices[0].below[2].cpu_list->value, "16-31");
}

TEST(Merge, ADeviceMissingInOneTreeIsAddedBelowTheCommonBridge) {
  Inventory tree;
  NumaNode& node = tree.numa_nodes.emplace_back();
  node.id = {0, "lspci.txt"};
  Device& bridge = node.devices.emplace_back();
  bridge.kind = DeviceKind::kBridge;
  bridge.bus_id = "0000:10:00.0";
  Device& nic = bridge.below.emplace_back();
  nic.kind = DeviceKind::kNic;
  nic.bus_id = "0000:1a:00.0";
  const Inventory host = merge({two_socket_host(), tree}).value();
  ASSERT_EQ(host.numa_nodes[0].devices.size(), 1u);
  EXPECT_EQ(host.numa_nodes[0].devices[0].below.back().bus_id, "0000:1a:00.0");
  EXPECT_EQ(path_classes(host).cells[0].back(), "PIX");
}

TEST(Merge, DisagreementsAreReportedAndTheFileOfTheTreeIsUsed) {
  Inventory query;
  query.unplaced.push_back(gpu_at("0000:12:00.0", "NVIDIA A100"));
  query.unplaced[0].device = {"20b0", "q.xml"};
  const Inventory host = merge({query, two_socket_host()}).value();
  EXPECT_EQ(first_gpu(host).device->value, "20b2");
  EXPECT_THAT(input::render(host.warnings),
              ::testing::AllOf(HasSubstr("20b0"), HasSubstr("20b2"), HasSubstr("q.xml"),
                               HasSubstr("host.xml")));
}

TEST(Merge, FilesOfTwoMachinesAreRefusedAlsoWhereSomeBusIdsAgree) {
  Inventory other;
  other.unplaced.push_back(gpu_at("0000:12:00.0", "NVIDIA A100"));
  EXPECT_TRUE(merge({two_socket_host(), other}));  // shows one of the GPUs alone
  other.unplaced.push_back(gpu_at("0000:99:00.0", "NVIDIA A100"));
  EXPECT_FALSE(merge({two_socket_host(), other}));
}

TEST(Merge, FilesOfTwoMachinesAreRefused) {
  Inventory other;
  other.unplaced.push_back(gpu_at("0000:99:00.0", "NVIDIA A100"));
  const auto host = merge({two_socket_host(), other});
  ASSERT_FALSE(host);
  EXPECT_THAT(input::render(host.error()), HasSubstr("E537"));
}

}  // namespace merge_test
}  // namespace vgsim::topology::inventory
