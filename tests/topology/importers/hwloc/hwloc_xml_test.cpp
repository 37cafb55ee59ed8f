#include "topology/importers/hwloc/hwloc_xml.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>

#include "hwloc_fixture.hpp"

namespace vgsim::topology {
namespace hwloc_xml_test {

using inventory::DeviceKind;
using pci_testing::any_has;
using pci_testing::bridge;
using pci_testing::codes_of;
using pci_testing::count_of;
using pci_testing::device_at;
using pci_testing::host_bridge;
using pci_testing::hwloc_host;
using pci_testing::Imported;
using pci_testing::kA100;
using pci_testing::links_of;
using pci_testing::matrix;
using pci_testing::numa_of;
using pci_testing::pci;
using pci_testing::read_hwloc;
using pci_testing::sets;
using pci_testing::shape_of;
using pci_testing::two_gpus;
using pci_testing::words_of;

TEST(HwlocXml, TellsTheHost) {
  const Imported stated = read_hwloc(hwloc_host(two_gpus()));
  ASSERT_TRUE(stated) << codes_of(stated);
  EXPECT_EQ(stated->name->value, "gpu01");
  EXPECT_EQ(stated->vendor->value, "Dell Inc.");
  EXPECT_EQ(stated->model->value, "PowerEdge R750xa");
  EXPECT_EQ(stated->packages->value, 2);
  EXPECT_EQ(stated->cores->value, 4);
  EXPECT_EQ(stated->threads->value, 4);
}

TEST(HwlocXml, TellsNumaNodes) {
  const Imported stated = read_hwloc(hwloc_host(two_gpus()));
  ASSERT_TRUE(stated);
  ASSERT_EQ(stated->numa_nodes.size(), 2u);
  const inventory::NumaNode& node = stated->numa_nodes[0];
  EXPECT_EQ(node.id->value, 0);
  EXPECT_EQ(node.id->source, "dump.txt");
  EXPECT_EQ(node.package->value, 0);
  EXPECT_EQ(node.cpu_list->value, "0-1");
  EXPECT_EQ(node.arch->value, "x86_64");
  EXPECT_EQ(node.vendor->value, "AuthenticAMD");
  EXPECT_EQ(node.family->value, 175);  // as NCCL counts
  EXPECT_EQ(node.model->value, 1);
  EXPECT_EQ(node.cpu_name->value, "AMD EPYC 7763");
  EXPECT_EQ(node.cores->value, 2);
  EXPECT_EQ(node.memory->value, Bytes(std::int64_t{64} << 30));
  EXPECT_EQ(stated->numa_nodes[1].package->value, 1);
  EXPECT_FALSE(stated->numa_nodes[1].vendor);
}

TEST(HwlocXml, TellsTheTree) {
  const Imported stated = read_hwloc(hwloc_host(two_gpus()));
  ASSERT_TRUE(stated);
  EXPECT_EQ(shape_of(stated->numa_nodes[0].devices), "3b:00.0(3d:00.0 3e:00.0 3f:00.0)");
  EXPECT_EQ(device_at(*stated, "0000:3b:00.0").root_complex->value, "0000:3a");
}

TEST(HwlocXml, TellsGpus) {
  const Imported stated = read_hwloc(hwloc_host(two_gpus()));
  ASSERT_TRUE(stated);
  const inventory::Device& gpu = device_at(*stated, "0000:3d:00.0");
  EXPECT_EQ(gpu.kind, DeviceKind::kGpu);
  EXPECT_EQ(gpu.name->value, "NVIDIA A100 80GB PCIe");
  EXPECT_EQ(gpu.pci_class->value, "0302");
  EXPECT_EQ(gpu.vendor->value, "10de");
  EXPECT_EQ(gpu.device->value, "20b5");
  EXPECT_EQ(gpu.subsystem_device->value, "1533");
  EXPECT_EQ(gpu.gpu->index->value, 1);
  EXPECT_EQ(gpu.gpu->index->source, "dump.txt");
  EXPECT_EQ(gpu.gpu->uuid->value, "GPU-1");
  EXPECT_EQ(gpu.gpu->memory->value, Bytes(std::int64_t{80} << 30));
  EXPECT_EQ(words_of(gpu.link_now), "gen4 x16 (assumed)");
  EXPECT_FALSE(gpu.link);
}

TEST(HwlocXml, TellsPortsOfNics) {
  const Imported stated = read_hwloc(hwloc_host(two_gpus()));
  ASSERT_TRUE(stated);
  const auto& ports = device_at(*stated, "0000:3f:00.0").ports;
  ASSERT_EQ(ports.size(), 2u);
  EXPECT_EQ(ports[0].name->value, "mlx5_0");
  EXPECT_EQ(ports[0].port->value, 1);
  EXPECT_EQ(ports[1].port->value, 2);
  EXPECT_EQ(ports[0].guid->value, "0xb8cef60300010002");
}

TEST(HwlocXml, CudaNumbersAreAnAssumption) {
  const Imported stated = read_hwloc(hwloc_host(host_bridge(
      "3a-3a",
      pci("0000:3a:00.0", kA100, "0", R"(<object type="OSDev" name="cuda3" osdev_type="5"/>)"))));
  ASSERT_TRUE(stated) << codes_of(stated);
  EXPECT_EQ(device_at(*stated, "0000:3a:00.0").gpu->index->value, 3);
  EXPECT_EQ(device_at(*stated, "0000:3a:00.0").gpu->index->source, inventory::kAssumed);
  EXPECT_TRUE(any_has(stated->assumed, "CUDA"));
  EXPECT_EQ(words_of(device_at(*stated, "0000:3a:00.0").link_now), "");
}

TEST(HwlocXml, NothingBehindACommentIsLost) {
  std::string text =
      hwloc_host(two_gpus(), matrix("NVLinkBandwidth", "100 101 ", "1 300000 300000 1 "));
  for (const std::string_view tag :
       {"<object type=\"P", "<object type=\"Bridge\"", "<distances2 "}) {
    for (std::size_t at = text.find(tag); at != text.npos; at = text.find(tag, at + 40)) {
      text.insert(at, "<!-- <object> -->");
    }
  }
  const Imported stated = read_hwloc(text);
  ASSERT_TRUE(stated) << codes_of(stated);
  EXPECT_EQ(shape_of(stated->numa_nodes[0].devices), "3b:00.0(3d:00.0 3e:00.0 3f:00.0)");
  EXPECT_EQ(links_of(device_at(*stated, "0000:3d:00.0")), "0000:3e:00.0 x12");
}

TEST(HwlocXml, NvLinksAreBandwidthOverThatOfOne) {
  const Imported stated = read_hwloc(hwloc_host(
      two_gpus(), matrix("NVLinkBandwidth", "100 101 ", "1000000 300000 300000 1000000 ")));
  ASSERT_TRUE(stated) << codes_of(stated);
  const inventory::Device& gpu = device_at(*stated, "0000:3d:00.0");
  EXPECT_EQ(links_of(gpu), "0000:3e:00.0 x12");
  EXPECT_EQ(gpu.gpu->nvlinks[0].count.source, inventory::kAssumed);
  EXPECT_EQ(gpu.gpu->nvlinks[0].target_class->value, "0302");
  EXPECT_TRUE(any_has(stated->assumed, "NVLinks"));
  EXPECT_FALSE(gpu.gpu->xgmi);
}

TEST(HwlocXml, MatricesMayNameObjectsThatAreNotThere) {
  const Imported stated = read_hwloc(
      hwloc_host(two_gpus(), matrix("NVLinkBandwidth", "100 999 ", "0 300000 300000 0 ")));
  ASSERT_TRUE(stated) << codes_of(stated);
  EXPECT_EQ(links_of(device_at(*stated, "0000:3e:00.0")), "");
}

TEST(HwlocXml, MatricesOfTheWrongSizeAreLeftOut) {
  for (const auto& [objects, values] :
       {std::pair("100 101 ", "0 300000 300000 "), std::pair("100 ", "0 1 1 0 "),
        std::pair("100 101 102 ", "0 1 1 0 "), std::pair("100 10x ", "0 1 1 0 "),
        std::pair("100 101 ", "0 -1 1 0 "), std::pair("100 101 ", "0 1 1 0 5 ")}) {
    const Imported stated =
        read_hwloc(hwloc_host(two_gpus(), matrix("NVLinkBandwidth", objects, values)));
    ASSERT_TRUE(stated) << codes_of(stated);
    EXPECT_EQ(links_of(device_at(*stated, "0000:3d:00.0")), "");
    EXPECT_TRUE(any_has(stated->skipped, "NVLinkBandwidth"));
  }
}

TEST(HwlocXml, BandwidthsOfXgmiSayNothing) {
  std::string text =
      hwloc_host(two_gpus(), matrix("XGMIBandwidth", "100 101 ", "1 100000 100000 1 "));
  const Imported stated = read_hwloc(text);
  ASSERT_TRUE(stated) << codes_of(stated);
  EXPECT_EQ(links_of(device_at(*stated, "0000:3d:00.0")), "0000:3e:00.0 x1");
  EXPECT_TRUE(device_at(*stated, "0000:3d:00.0").gpu->xgmi);
  EXPECT_TRUE(any_has(stated->assumed, "xGMI"));

  const Imported far =
      read_hwloc(hwloc_host(two_gpus(), matrix("XGMIBandwidth", "100 101 ", "1 100000 100000 1 ") +
                                            matrix("XGMIHops", "100 101 ", "0 2 2 0 ")));
  ASSERT_TRUE(far);
  EXPECT_EQ(links_of(device_at(*far, "0000:3d:00.0")), "");
}

TEST(HwlocXml, MemoryOfGpusIsNoNumaNode) {
  const std::string memory = fmt::format(
      R"(<object type="NUMANode" os_index="2" subtype="GPUMemory" {0} local_memory="1000">
<info name="PCIBusID" value="0000:3d:00.0"/></object>
<object type="NUMANode" os_index="3" {0} local_memory="1000"/>)",
      sets("0x3", "0x4"));
  std::string text = hwloc_host(two_gpus(), {}, memory);
  // The fourth node has a separate mask; the machine and the package contain all of them.
  text.replace(text.rfind(R"(nodeset="0x4" complete_nodeset="0x4" local)"), 39,
               R"(nodeset="0x8" complete_nodeset="0x8" lo)");
  const Imported stated = read_hwloc(text);
  ASSERT_TRUE(stated) << codes_of(stated);
  EXPECT_EQ(stated->numa_nodes.size(), 2u);
  EXPECT_EQ(device_at(*stated, "0000:3d:00.0").gpu->numa_node->value, 2);
  EXPECT_TRUE(any_has(stated->skipped, "memory of GPUs: 2"));
  EXPECT_TRUE(any_has(stated->skipped, "memory only, without CPUs: 3"));
  EXPECT_EQ(numa_of(*stated, "0000:3d:00.0"), "0");
}

TEST(HwlocXml, ADeviceOfTheWholeMachineHasNoNumaNode) {
  std::string text = hwloc_host("");
  const std::string device = host_bridge("00-00", pci("0000:00:05.0", kA100, "31.0"));
  text.insert(text.rfind("</object></topology>"), device);
  const Imported stated = read_hwloc(text);
  ASSERT_TRUE(stated) << codes_of(stated);
  ASSERT_EQ(stated->numa_nodes.size(), 3u);
  EXPECT_EQ(numa_of(*stated, "0000:00:05.0"), "none");
  EXPECT_FALSE(stated->numa_nodes[2].package);
  EXPECT_TRUE(any_has(stated->skipped, "near several"));
}

TEST(HwlocXml, CoresThatAreNotListedAreNotCounted) {
  std::string text = hwloc_host("");
  for (const std::string_view complete : {"complete_cpuset=\"0x3\"", "complete_cpuset=\"0xf\""}) {
    for (std::size_t at = text.find(complete); at != text.npos; at = text.find(complete, at + 1)) {
      text.replace(at, complete.size(), "complete_cpuset=\"0xff\"");
    }
  }
  const Imported stated = read_hwloc(text);
  ASSERT_TRUE(stated) << codes_of(stated);
  EXPECT_FALSE(stated->cores);
  EXPECT_FALSE(stated->numa_nodes[0].cores);
  EXPECT_TRUE(stated->numa_nodes[1].cores);
  EXPECT_TRUE(any_has(stated->skipped, "whose CPUs are not all in the file: 0"));
}

TEST(HwlocXml, AnNvSwitchMayLackItsIds) {
  std::string device = pci("0000:66:00.0", "0000 [0000:0000] [0000:0000] 00", "1.000000");
  device.insert(device.find(" pci_busid"), " subtype=\"NVSwitch\"");
  const Imported stated = read_hwloc(hwloc_host(host_bridge("66-66", device)));
  ASSERT_TRUE(stated) << codes_of(stated);
  EXPECT_EQ(device_at(*stated, "0000:66:00.0").kind, DeviceKind::kNvSwitch);
  EXPECT_FALSE(device_at(*stated, "0000:66:00.0").pci_class);
}

TEST(HwlocXml, LargeDomainsAreLeftOut) {
  const Imported stated =
      read_hwloc(hwloc_host(host_bridge("00-00", pci("10000:00:05.0", kA100, "31.0"))));
  ASSERT_TRUE(stated) << codes_of(stated);
  EXPECT_EQ(count_of(*stated, DeviceKind::kGpu), 0u);
  EXPECT_TRUE(any_has(stated->skipped, "10000:00:05.0"));
}

TEST(HwlocXml, VersionOneIsRead) {
  const std::string one = sets("0x3", "0x1");
  const Imported stated = read_hwloc(fmt::format(
      R"(<topology><object type="Machine" os_index="0" {0} online_cpuset="0x3" allowed_cpuset="0x3">
<distances nbobjs="1" relative_depth="1" latency_base="10.0"><latency value="1.0"/></distances>
<object type="NUMANode" os_index="0" {0} local_memory="1048576"><object type="Socket" os_index="0" {0}>
<object type="Cache" {0} cache_size="1" depth="3"><object type="Core" os_index="0" {0}>
<object type="PU" os_index="0" {1}/><object type="PU" os_index="1" {2}/></object></object>{3}
</object></object></object></topology>)",
      one, sets("0x1", "0x1"), sets("0x2", "0x1"),
      host_bridge("00-01", bridge("0000:00:01.0", "01-01", pci("0000:01:00.0", kA100, "0")))));
  ASSERT_TRUE(stated) << codes_of(stated);
  ASSERT_EQ(stated->numa_nodes.size(), 1u);
  EXPECT_EQ(stated->numa_nodes[0].package->value, 0);
  EXPECT_EQ(stated->numa_nodes[0].cores->value, 1);
  EXPECT_EQ(shape_of(stated->numa_nodes[0].devices), "01:00.0");
  EXPECT_TRUE(any_has(stated->skipped, "hwloc 1"));
}

TEST(HwlocXml, DosLinesAndAByteOrderMarkDoNoHarm) {
  std::string text =
      hwloc_host(two_gpus(), matrix("NVLinkBandwidth", "100 101 ", "1 300000 300000 1 "));
  for (std::size_t at = text.find('\n'); at != text.npos; at = text.find('\n', at + 2)) {
    text.insert(at, "\r");
  }
  text = "\xef\xbb\xbf" + text;
  EXPECT_TRUE(is_hwloc_xml(text));
  const Imported stated = read_hwloc(text);
  ASSERT_TRUE(stated) << codes_of(stated);
  EXPECT_EQ(links_of(device_at(*stated, "0000:3d:00.0")), "0000:3e:00.0 x12");
}

TEST(HwlocXml, PartitionsOfAGpuAreTold) {
  std::string partitions;
  for (int number = 0; number < 6; ++number) {
    partitions += fmt::format(
        R"(<object type="OSDev" name="rsmi{}" subtype="RSMI" osdev_type="1"/>)", number);
  }
  const Imported host = read_hwloc(hwloc_host(host_bridge(
      "3a-3b", pci("0000:3b:00.0", "1200 [1002:74a0] [1002:0000] 00", "0", partitions))));
  ASSERT_TRUE(host) << codes_of(host);
  EXPECT_TRUE(
      any_has(host->skipped, "partitions of GPUs, which are kept whole: 6 of 0000:3b:00.0"));
}

}  // namespace hwloc_xml_test
}  // namespace vgsim::topology
