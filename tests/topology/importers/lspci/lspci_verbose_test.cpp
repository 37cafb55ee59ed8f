#include "topology/importers/lspci/lspci_verbose.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/support/growth.hpp"
#include "tests/topology/importers/pci_dump_fixture.hpp"

namespace vgsim::topology {
namespace lspci_verbose_test {

using inventory::DeviceKind;
using pci_testing::any_has;
using pci_testing::codes_of;
using pci_testing::device_at;
using pci_testing::Imported;
using pci_testing::shape_of;
using pci_testing::words_of;

Imported read(const std::string& text) { return read_lspci_verbose(pci_testing::source_of(text)); }

/// One root port, a switch with a GPU and a dual-port NIC, as lspci -vvv of root shows them.
constexpr const char* kSwitch =
    R"(3a:00.0 PCI bridge: Intel Corporation Device 352a (rev 04) (prog-if 00 [Normal decode])
	NUMA node: 1
	IOMMU group: 7
	Bus: primary=3a, secondary=3b, subordinate=3f, sec-latency=0
	Capabilities: [40] Express (v2) Root Port (Slot-), MSI 00
		LnkCap:	Port #0, Speed 32GT/s, Width x16, ASPM not supported
		LnkSta:	Speed 16GT/s (downgraded), Width x16 (ok)

3b:00.0 PCI bridge: Broadcom / LSI PEX890xx PCIe Gen 5 Switch (rev b0) (prog-if 00 [Normal decode])
	NUMA node: 1
	Bus: primary=3b, secondary=3c, subordinate=3f, sec-latency=0
	Capabilities: [68] Express (v2) Upstream Port, MSI 00
		LnkCap:	Port #0, Speed 16GT/s, Width x16, ASPM not supported
		LnkCap2: Supported Link Speeds: 2.5-16GT/s
		LnkSta:	Speed 16GT/s (ok), Width x16 (ok)

3c:00.0 PCI bridge: Broadcom / LSI PEX890xx PCIe Gen 5 Switch (rev b0) (prog-if 00 [Normal decode])
	Physical Slot: 21
	NUMA node: 1
	Bus: primary=3c, secondary=3d, subordinate=3d, sec-latency=0
	Capabilities: [68] Express (v2) Downstream Port (Slot+), MSI 00
		LnkCap:	Port #2, Speed 32GT/s, Width x8, ASPM not supported
		LnkSta:	Speed 2.5GT/s, Width x8
	Capabilities: [160 v1] Access Control Services
		ACSCap:	SrcValid+ TransBlk+ ReqRedir+ CmpltRedir+ UpstreamFwd+
		ACSCtl:	SrcValid+ TransBlk- ReqRedir+ CmpltRedir+ UpstreamFwd+
	Kernel driver in use: pcieport

3c:01.0 PCI bridge: Broadcom / LSI PEX890xx PCIe Gen 5 Switch (rev b0) (prog-if 00 [Normal decode])
	NUMA node: 1
	Bus: primary=3c, secondary=3e, subordinate=3f, sec-latency=0
	Capabilities: [68] Express (v2) Downstream Port (Slot+), MSI 00
		LnkCap:	Port #3, Speed 32GT/s, Width x16, ASPM not supported

3d:00.0 3D controller: NVIDIA Corporation GH100 [H100 PCIe] (rev a1)
	Subsystem: NVIDIA Corporation Device 1626
	NUMA node: 1
	Capabilities: [60] Express (v2) Endpoint, MSI 00
		LnkCap:	Port #0, Speed 32GT/s, Width x16, ASPM not supported
		LnkSta:	Speed 2.5GT/s (downgraded), Width x8 (downgraded)
	Kernel driver in use: nvidia
	Kernel modules: nvidiafb, nouveau, nvidia

3e:00.0 Ethernet controller: Mellanox Technologies MT2892 Family [ConnectX-6 Dx]
	NUMA node: 1
	Capabilities: [60] Express (v2) Endpoint, MSI 00
		LnkCap:	Port #0, Speed 16GT/s, Width x16, ASPM not supported
	Capabilities: [180 v1] Single Root I/O Virtualization (SR-IOV)
		Initial VFs: 8, Total VFs: 8, Number of VFs: 2, Function Dependency Link: 00
		VF offset: 2, stride: 1, Device ID: 101e
	Kernel driver in use: mlx5_core

3e:00.1 Ethernet controller: Mellanox Technologies MT2892 Family [ConnectX-6 Dx]
	NUMA node: 1
	Capabilities: [60] Express (v2) Endpoint, MSI 00
		LnkCap:	Port #0, Speed 16GT/s, Width x16, ASPM not supported

3e:00.2 Ethernet controller: Mellanox Technologies ConnectX Family mlx5Gen
	NUMA node: 1

3e:00.3 Ethernet controller: Mellanox Technologies ConnectX Family mlx5Gen
	NUMA node: 1
)";

TEST(LspciVerbose, TellsTheTree) {
  const Imported host = read(kSwitch);
  ASSERT_TRUE(host) << codes_of(host);
  ASSERT_EQ(host->numa_nodes.size(), 1u);
  EXPECT_EQ(host->numa_nodes[0].id->value, 1);
  EXPECT_EQ(host->numa_nodes[0].id->source, "dump.txt");
  EXPECT_EQ(shape_of(host->numa_nodes[0].devices), "3b:00.0(3d:00.0 3e:00.0 3e:00.1)");
  EXPECT_EQ(device_at(*host, "0000:3b:00.0").root_complex->value, "0000:3a");
}

TEST(LspciVerbose, TellsLinks) {
  const Imported host = read(kSwitch);
  ASSERT_TRUE(host);
  EXPECT_EQ(words_of(device_at(*host, "0000:3b:00.0").link), "gen4 x16");
  EXPECT_EQ(words_of(device_at(*host, "0000:3d:00.0").link), "gen5 x8");
  EXPECT_EQ(words_of(device_at(*host, "0000:3d:00.0").link_now), "gen1 x8");
  EXPECT_EQ(words_of(device_at(*host, "0000:3e:00.0").link), "gen4 x16");
  EXPECT_EQ(words_of(device_at(*host, "0000:3e:00.0").link_now), "");
}

TEST(LspciVerbose, TellsWhatADeviceIs) {
  const Imported host = read(kSwitch);
  ASSERT_TRUE(host);
  const inventory::Device& gpu = device_at(*host, "0000:3d:00.0");
  EXPECT_EQ(gpu.kind, DeviceKind::kGpu);
  EXPECT_TRUE(gpu.gpu);
  EXPECT_EQ(gpu.pci_class->value, "0302");
  EXPECT_EQ(gpu.vendor->value, "10de");
  EXPECT_FALSE(gpu.device);
  EXPECT_EQ(gpu.name->value, "NVIDIA Corporation GH100 [H100 PCIe]");
  EXPECT_EQ(gpu.driver->value, "nvidia");
  EXPECT_EQ(gpu.numa_node->value, 1);
  EXPECT_EQ(gpu.slot->value, "21");
}

TEST(LspciVerbose, TellsAcsOfBridgesAlone) {
  const Imported host = read(kSwitch);
  ASSERT_TRUE(host);
  EXPECT_TRUE(device_at(*host, "0000:3b:00.0").acs_redirect->value);
  EXPECT_FALSE(device_at(*host, "0000:3d:00.0").acs_redirect);
}

TEST(LspciVerbose, CountsVirtualFunctions) {
  const Imported host = read(kSwitch);
  ASSERT_TRUE(host);
  EXPECT_EQ(device_at(*host, "0000:3e:00.0").virtual_functions->value, 2);
  EXPECT_FALSE(device_at(*host, "0000:3e:00.1").virtual_functions);
}

TEST(LspciVerbose, SaysWhatIsNotKept) {
  const Imported host = read(kSwitch);
  ASSERT_TRUE(host);
  EXPECT_TRUE(any_has(host->skipped, "IOMMU groups"));
}

TEST(LspciVerbose, NumbersTellIdsAndClasses) {
  for (const char* line :
       {"3d:00.0 3D controller [0302]: NVIDIA Corporation GH100 [H100 PCIe] [10de:2331] (rev a1)\n"
        "\tSubsystem: NVIDIA Corporation Device [10de:1626]\n",
        "3d:00.0 0302: 10de:2331 (rev a1)\n\tSubsystem: 10de:1626\n",
        "3d:00.0 Class 0302: 10de:2331 (rev a1)\n\tSubsystem: 10de:1626\n"}) {
    const Imported host = read(line);
    ASSERT_TRUE(host) << line;
    const inventory::Device& gpu = device_at(*host, "0000:3d:00.0");
    EXPECT_EQ(gpu.kind, DeviceKind::kGpu);
    EXPECT_EQ(gpu.pci_class->value, "0302");
    EXPECT_EQ(gpu.vendor->value + gpu.device->value, "10de2331");
    EXPECT_EQ(gpu.subsystem_vendor->value + gpu.subsystem_device->value, "10de1626");
  }
}

TEST(LspciVerbose, NamesThatTheListLacksTellTheDevice) {
  const Imported host =
      read("3d:00.0 3D controller: NVIDIA Corporation Device 2bb5 (rev a1)\n\tx\n");
  ASSERT_TRUE(host);
  EXPECT_EQ(device_at(*host, "0000:3d:00.0").device->value, "2bb5");
}

TEST(LspciVerbose, DomainsAreTold) {
  const Imported host = read(
      "0001:00:00.0 3D controller: NVIDIA Corporation GA100 [A100 PCIe 80GB] (rev a1)\n\tFlags: x\n"
      "10000:e1:00.0 Non-Volatile memory controller: Intel Corporation NVMe\n\tFlags: x\n");
  ASSERT_TRUE(host);
  EXPECT_EQ(device_at(*host, "0001:00:00.0").root_complex->value, "0001:00");
  EXPECT_EQ(device_at(*host, "10000:e1:00.0").root_complex->value, "10000:e1");
}

TEST(LspciVerbose, ShorterListingsTellNumaNodesInTheirFlags) {
  const Imported host = read(
      "3d:00.0 3D controller: NVIDIA Corporation GH100 [H100 PCIe] (rev a1)\n"
      "\tFlags: bus master, fast devsel, latency 0, IRQ 16, NUMA node 3, IOMMU group 21\n"
      "\tCapabilities: <access denied>\n");
  ASSERT_TRUE(host);
  EXPECT_EQ(pci_testing::numa_of(*host, "0000:3d:00.0"), "3");
  EXPECT_TRUE(any_has(host->skipped, "root"));
}

TEST(LspciVerbose, WithoutNumaNodesThereIsOneWithoutAnId) {
  const Imported host = read("00:05.0 3D controller: NVIDIA Corporation Device 2330\n\tFlags: x\n");
  ASSERT_TRUE(host);
  ASSERT_EQ(host->numa_nodes.size(), 1u);
  EXPECT_FALSE(host->numa_nodes[0].id);
  EXPECT_TRUE(any_has(host->skipped, "PCIe links"));
}

TEST(LspciVerbose, ADeviceIsOnTheNumaNodeOfItsBridge) {
  const Imported host = read(
      "3a:00.0 PCI bridge: Intel Corporation Device 352a\n\tNUMA node: 2\n"
      "\tBus: primary=3a, secondary=3b, subordinate=3b, sec-latency=0\n"
      "3b:00.0 3D controller: NVIDIA Corporation Device 2330\n\tFlags: x\n"
      "5a:00.0 3D controller: NVIDIA Corporation Device 2330\n\tNUMA node: 0\n");
  ASSERT_TRUE(host);
  EXPECT_EQ(pci_testing::numa_of(*host, "0000:3b:00.0"), "2");
  EXPECT_EQ(pci_testing::numa_of(*host, "0000:5a:00.0"), "0");
}

TEST(LspciVerbose, AListWithoutDetailsTellsNoTree) {
  const Imported host = read(
      "3a:00.0 PCI bridge: Intel Corporation Device 352a\n"
      "3b:00.0 3D controller: NVIDIA Corporation Device 2330\n");
  ASSERT_TRUE(host);
  EXPECT_TRUE(host->numa_nodes.empty());
  EXPECT_EQ(shape_of(host->unplaced), "3b:00.0");
  EXPECT_TRUE(any_has(host->skipped, "the PCI tree"));
}

TEST(LspciVerbose, PastedTextMayHaveLostItsBlanksAndHaveDosLines) {
  std::string text = "root@host:~# lspci -vvv\n" + std::string(kSwitch);
  for (std::size_t at = text.find('\t'); at != text.npos; at = text.find('\t')) text.erase(at, 1);
  for (std::size_t at = text.find('\n'); at != text.npos; at = text.find('\n', at + 2)) {
    text.insert(at, "\r");
  }
  EXPECT_TRUE(is_lspci_verbose(text));
  const Imported host = read(text);
  ASSERT_TRUE(host);
  EXPECT_EQ(shape_of(host->numa_nodes[0].devices), "3b:00.0(3d:00.0 3e:00.0 3e:00.1)");
  EXPECT_EQ(device_at(*host, "0000:3d:00.0").driver->value, "nvidia");
}

TEST(LspciVerbose, OddValuesArePassedOver) {
  const Imported host = read(
      "3a:00.0 PCI bridge: Intel Corporation Device 352a\n\tNUMA node: 99999999\n"
      "\tBus: primary=3a, secondary=3a, subordinate=3b, sec-latency=0\n"
      "3b:00.0 3D controller: NVIDIA Corporation Device 2330\n"
      "\tLnkCap: Port #0, Speed 7GT/s, Width x16\n\tLnkSta: Speed 32GT/s, Width x99\n"
      "3b:00.0 3D controller: NVIDIA Corporation Device 2331\n\t!!! Unknown header type 7f\n"
      "3c:00.0 3D controller: NVIDIA Corporation Device 2330 (rev ff)\n"
      "\t!!! Unknown header type 7f\n");
  ASSERT_TRUE(host);
  EXPECT_EQ(codes_of(host), "W531 W531 W532 W531");
  EXPECT_EQ(words_of(device_at(*host, "0000:3b:00.0").link), "");
  EXPECT_EQ(words_of(device_at(*host, "0000:3b:00.0").link_now), "");
  EXPECT_EQ(device_at(*host, "0000:3b:00.0").device->value, "2330");
}

TEST(LspciVerbose, IsToldFromOtherTexts) {
  EXPECT_TRUE(is_lspci_verbose(kSwitch));
  EXPECT_TRUE(is_lspci_verbose("0000:3d:00.0 0302: 10de:2331 (rev a1)"));
  for (const char* text : {"", "\n\n", "-[0000:00]-+-00.0  Intel Corporation", "<topology>",
                           "00:00.0", "GPU0\tGPU1", "3d:00.0 \n", "Slot:\t3d:00.0"}) {
    EXPECT_FALSE(is_lspci_verbose(text)) << text;
  }
}

TEST(LspciVerbose, SaysWhyAFileIsNotRead) {
  EXPECT_EQ(codes_of(read("")), "E531");
  EXPECT_EQ(codes_of(read("-[0000:00]-+-00.0  Intel Corporation\n")), "E531");
  EXPECT_EQ(codes_of(read("00:00.0 Host bridge: Intel Corporation Device 09a2\n\tFlags: x\n")),
            "E532");
  EXPECT_EQ(codes_of(read(std::string(17u << 20, ' '))), "E533");
}

TEST(LspciVerbose, IsBounded) {
  std::string functions;
  for (int i = 0; i < 4200; ++i) {
    functions += fmt::format("{:04x}:{:02x}:{:02x}.{} 0200: 15b3:1021\n\tNUMA node: 0\n", i / 2048,
                             i / 256 % 8, i / 8 % 32, i % 8);
  }
  EXPECT_EQ(codes_of(read(functions)), "E533");

  std::string chain;
  for (int bus = 0; bus < 40; ++bus) {
    chain += fmt::format(
        "{:02x}:00.0 0604: 8086:352a\n\tBus: primary={:02x}, secondary={:02x}, "
        "subordinate=ff, sec-latency=0\n",
        bus, bus, bus + 1);
  }
  EXPECT_EQ(codes_of(read(chain + "28:00.0 0302: 10de:2330\n")), "E533");

  std::string nodes;
  for (int i = 0; i < 1100; ++i) {
    nodes += fmt::format("{:04x}:00:00.0 0302: 10de:2330\n\tNUMA node: {}\n", i, i);
  }
  EXPECT_EQ(codes_of(read(nodes)), "E533");
}

TEST(LspciVerbose, ReadingTakesLinearTime) {
  const auto text_of = [](std::size_t bytes) {
    std::string text(kSwitch);
    while (text.size() < bytes) text += "\tCapabilities: [60] Express (v2) Endpoint, MSI 00\n";
    return text;
  };
  EXPECT_TRUE(test::is_read_in_linear_time(
      text_of, [](const std::string& text) { EXPECT_TRUE(read(text)); }, 15u << 20));
}

}  // namespace lspci_verbose_test
}  // namespace vgsim::topology
