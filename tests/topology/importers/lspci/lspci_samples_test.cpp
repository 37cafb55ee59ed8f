#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/extra.hpp"
#include "tests/topology/importers/pci_dump_fixture.hpp"
#include "topology/importers/lspci/lspci_tree.hpp"
#include "topology/importers/lspci/lspci_verbose.hpp"

/// Dumps of real machines. What they show was read off the files by eye.
namespace vgsim::topology {
namespace lspci_samples_test {

using inventory::DeviceKind;
using pci_testing::count_of;
using pci_testing::device_at;
using pci_testing::Imported;
using pci_testing::numa_of;
using pci_testing::shape_of;
using pci_testing::words_of;
using ::testing::ElementsAre;

const std::string kTopologies = (test::extra_files() / "topologies/").string();

class ExtraLspciSamples : public test::NeedsExtraFiles {
 protected:
  static Imported verbose(const std::string& name) {
    const input::SourcePtr source = pci_testing::sample(kTopologies + name);
    EXPECT_TRUE(is_lspci_verbose(source->text));
    EXPECT_FALSE(is_lspci_tree(source->text));
    return read_lspci_verbose(source);
  }
};

/// The rows of GPUs of a saved nvidia-smi topo -m.
std::vector<std::vector<std::string>> paths_of_smi(const std::string& name) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(pci_testing::sample(kTopologies + name)->text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream cells(line);
    std::string cell;
    if (!(cells >> cell) || !cell.starts_with("GPU")) continue;
    std::vector<std::string>& row = rows.emplace_back();
    while (row.size() < 8 && cells >> cell) row.push_back(cell);
  }
  return rows;
}

TEST_F(ExtraLspciSamples, ADellServerWithHgxH100) {
  const Imported host = verbose("lspci/gpud-lspci-vvv.txt");
  ASSERT_TRUE(host);
  EXPECT_EQ(count_of(*host, DeviceKind::kGpu), 8u);
  EXPECT_EQ(count_of(*host, DeviceKind::kNic), 14u);
  EXPECT_EQ(count_of(*host, DeviceKind::kNvSwitch), 4u);
  EXPECT_EQ(count_of(*host, DeviceKind::kStorage), 8u);
  EXPECT_EQ(count_of(*host, DeviceKind::kBridge), 9u);
  ASSERT_EQ(host->numa_nodes.size(), 2u);
  EXPECT_EQ(shape_of(host->numa_nodes[0].devices),
            "01:00.0 01:00.1 16:00.0(18:00.0 19:00.0 1a:00.0 1b:00.0 1b:00.1) "
            "38:00.0(3a:00.0 3b:00.0 3c:00.0) 49:00.0(4b:00.0 4c:00.0 4d:00.0) "
            "5a:00.0(5c:00.0 5d:00.0 5e:00.0)");
  EXPECT_EQ(shape_of(host->numa_nodes[1].devices),
            "81:00.0(83:00.0 84:00.0 85:00.0 86:00.0) "
            "98:00.0(9a:00.0 9b:00.0 9c:00.0 9d:00.0 9d:00.1) "
            "b8:00.0(ba:00.0 bb:00.0 bc:00.0) c8:00.0(ca:00.0 cb:00.0 cc:00.0) "
            "d8:00.0(da:00.0 db:00.0 dc:00.0)");
}

TEST_F(ExtraLspciSamples, ADellServerWithHgxH100InDetail) {
  const Imported host = verbose("lspci/gpud-lspci-vvv.txt");
  ASSERT_TRUE(host);
  const inventory::Device& gpu = device_at(*host, "0000:bb:00.0");
  EXPECT_EQ(gpu.vendor->value + gpu.device->value, "10de2330");
  EXPECT_EQ(gpu.driver->value, "nvidia");
  EXPECT_EQ(gpu.slot->value, "21");
  EXPECT_EQ(words_of(gpu.link), "gen5 x16");
  EXPECT_EQ(words_of(gpu.link_now), "gen5 x16");
  EXPECT_EQ(words_of(device_at(*host, "0000:01:00.0").link), "gen2 x1");  // the card has 2 lanes
  EXPECT_EQ(words_of(device_at(*host, "0000:18:00.0").link), "gen4 x4");  // the port is faster
  EXPECT_EQ(words_of(device_at(*host, "0000:81:00.0").link), "gen4 x2");  // of 16 lanes
  EXPECT_EQ(words_of(device_at(*host, "0000:1b:00.1").link), "gen4 x16");
  EXPECT_TRUE(device_at(*host, "0000:81:00.0").acs_redirect->value);
  EXPECT_FALSE(device_at(*host, "0000:16:00.0").acs_redirect->value);
  EXPECT_EQ(device_at(*host, "0000:83:00.0").driver->value, "nvidia-nvswitch");
  EXPECT_EQ(device_at(*host, "0000:16:00.0").root_complex->value, "0000:15");
  EXPECT_EQ(device_at(*host, "0000:1a:00.0").virtual_functions->value, 0);
}

TEST_F(ExtraLspciSamples, AServerWithFourSwitches) {
  const Imported host = verbose("lspci/rtx6kpro-asus-esc8000a-vvv.txt");
  ASSERT_TRUE(host);
  EXPECT_EQ(count_of(*host, DeviceKind::kGpu), 8u);
  EXPECT_EQ(count_of(*host, DeviceKind::kNic), 4u);
  EXPECT_EQ(count_of(*host, DeviceKind::kStorage), 1u);
  EXPECT_EQ(count_of(*host, DeviceKind::kBridge), 4u);
  ASSERT_EQ(host->numa_nodes.size(), 2u);
  EXPECT_EQ(shape_of(host->numa_nodes[0].devices),
            "01:00.0(06:00.0 07:00.0) 71:00.0(73:00.0 75:00.0 76:00.0)");
  EXPECT_EQ(shape_of(host->numa_nodes[1].devices),
            "81:00.0(84:00.0 85:00.0) e1:00.0 e1:00.1 f1:00.0(f3:00.0 f3:00.1 f4:00.0 f5:00.0)");
  const inventory::Device& gpu = device_at(*host, "0000:84:00.0");
  EXPECT_EQ(gpu.device->value, "2bb5");
  EXPECT_EQ(words_of(gpu.link), "gen5 x16");
  EXPECT_EQ(words_of(gpu.link_now), "gen1 x16");  // idle
  EXPECT_EQ(words_of(device_at(*host, "0000:e1:00.0").link), "gen3 x4");
  EXPECT_EQ(words_of(device_at(*host, "0000:f3:00.0").link), "gen3 x8");
  EXPECT_FALSE(device_at(*host, "0000:81:00.0").acs_redirect->value);
}

TEST_F(ExtraLspciSamples, PathsAreThoseThatNvidiaSmiPrintsOfTheSameMachine) {
  const Imported host = verbose("lspci/rtx6kpro-asus-esc8000a-vvv.txt");
  ASSERT_TRUE(host);
  const auto paths = paths_of_smi("smi-topo/rtx6kpro-asus-report-nvidia-topo-L1.txt");
  ASSERT_EQ(paths.size(), 8u);
  EXPECT_EQ(pci_testing::gpu_paths(*host), paths);
  EXPECT_THAT(paths[0], ElementsAre("X", "PIX", "NODE", "NODE", "SYS", "SYS", "SYS", "SYS"));
}

TEST_F(ExtraLspciSamples, AVirtualMachineWithEightGpus) {
  const input::SourcePtr source =
      pci_testing::sample(kTopologies + "lspci/nccltests256-kvm-h200x8-vm-tv.txt");
  EXPECT_TRUE(is_lspci_tree(source->text));
  EXPECT_FALSE(is_lspci_verbose(source->text));
  const Imported host = read_lspci_tree(source);
  ASSERT_TRUE(host);
  EXPECT_EQ(count_of(*host, DeviceKind::kGpu), 8u);
  EXPECT_EQ(count_of(*host, DeviceKind::kNic), 9u);
  EXPECT_EQ(count_of(*host, DeviceKind::kBridge), 0u);
  EXPECT_EQ(numa_of(*host, "0000:0c:00.0"), "none");
  EXPECT_EQ(device_at(*host, "0000:05:00.0").device->value, "2335");
  EXPECT_EQ(device_at(*host, "0000:14:00.0").name->value,
            "Mellanox Technologies MT2910 Family [ConnectX-7]");
  EXPECT_EQ(pci_testing::gpu_paths(*host)[0][7], "PHB");
}

TEST_F(ExtraLspciSamples, AnEsxiListTellsNoTree) {
  const Imported host = verbose("vsphere/esxcli/lspci-sriov-names.txt");
  ASSERT_TRUE(host);
  ASSERT_EQ(host->unplaced.size(), 1u);
  EXPECT_EQ(host->unplaced[0].bus_id, "0000:af:00.0");
  EXPECT_EQ(host->unplaced[0].virtual_functions->value, 8);
}

TEST_F(ExtraLspciSamples, AllAreCovered) {
  std::size_t files = 0;
  for (const auto& file : std::filesystem::directory_iterator(kTopologies + "lspci")) {
    const input::SourcePtr source = pci_testing::sample(file.path());
    EXPECT_NE(is_lspci_verbose(source->text), is_lspci_tree(source->text)) << file.path();
    ++files;
  }
  EXPECT_GE(files, 3u);
}

}  // namespace lspci_samples_test
}  // namespace vgsim::topology
