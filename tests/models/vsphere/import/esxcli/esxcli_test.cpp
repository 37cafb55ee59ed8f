#include "models/vsphere/import/esxcli/esxcli.hpp"

#include <gtest/gtest.h>

#include "models/vsphere/import/esxcli/esxcli_lspci.hpp"
#include "tests/models/vsphere/import/facts_fixture.hpp"

namespace vgsim::vsphere::import {
namespace esxcli_test {

using testing::device_at;
using testing::DeviceKind;
using testing::Reading;
using testing::shown;
using testing::tree_of;

Reading read(const std::string& text) { return testing::read_text(read_esxcli, text); }

/// A block of "esxcli hardware pci list".
std::string block(const std::string& address, const std::string& ids, const std::string& parent,
                  const std::string& more = "") {
  return fmt::format(
      "{0}\n   Address: {0}\n   Segment: 0x0000\n{1}   Parent Device: {2}\n"
      "   Passthru Capable: true\n{3}\n",
      address, ids, parent, more);
}

std::string ids(const std::string& pci_class, const std::string& vendor, const std::string& device,
                const std::string& name) {
  return fmt::format(
      "   Vendor Name: Some Vendor\n   Device Name: {}\n   Configured Owner: Unknown\n"
      "   Current Owner: VMkernel\n   Vendor ID: {}\n   Device ID: {}\n"
      "   SubVendor ID: 0x0000\n   SubDevice ID: 0x1626\n   Device Class: {}\n",
      name, vendor, device, pci_class);
}

std::string pci_list() {
  const std::string port = ids("0x0604", "0x8086", "0x352a", "PCIe Root Port");
  const std::string sw = ids("0x0604", "0x1000", "0xc030", "PEX890xx");
  return block("0000:15:01.0", port, "") + block("0000:16:00.0", sw, "PCI 0:21:1:0") +
         block("0000:17:00.0", sw, "PCI 0:22:0:0") + block("0000:17:01.0", sw, "PCI 0:22:0:0") +
         block("0000:18:00.0", ids("0x0302", "0x10de", "0x2335", "GH100 [H200 SXM 141GB]"),
               "PCI 0:23:0:0",
               "   VMkernel Name: vmgfx0\n   Module Name: nvidia\n   NUMA Node: 0\n"
               "   Slot Description: Slot 31\n") +
         block("0000:19:00.0", ids("0x0200", "0x15b3", "0x1021", "ConnectX-7"), "PCI 0:23:1:0",
               "   VMkernel Name: vmnic4\n   Module Name: nmlx5_core\n   NUMA Node: 0\n") +
         block("0000:19:00.2", ids("0x0200", "0x15b3", "0x101e", "ConnectX Family VF"),
               "PCI 0:23:1:0", "   VMkernel Name: PF_0.25.0_VF_0\n") +
         block("0000:19:00.3", ids("0x0200", "0x15b3", "0x101e", "ConnectX Family VF"),
               "PCI 0:23:1:0", "   VMkernel Name: PF_0.25.0_VF_1\n") +
         block("0000:00:1f.0", ids("0x0601", "0x8086", "0x1b81", "LPC"), "");
}

TEST(Esxcli, PciListGivesTheTree) {
  const std::string text = pci_list();
  EXPECT_TRUE(is_esxcli(text));
  const auto reading = read(text);
  ASSERT_TRUE(reading.ok) << reading.says("");
  const Inventory& host = reading.host();
  EXPECT_EQ(tree_of(host), "0: 16:00.0[18:00.0 19:00.0]; unplaced: ");
  const auto& gpu = device_at(host, "0000:18:00.0");
  EXPECT_EQ(gpu.kind, DeviceKind::kGpu);
  EXPECT_EQ(shown(gpu.vendor), "10de");
  EXPECT_EQ(shown(gpu.device), "2335");
  EXPECT_EQ(shown(gpu.subsystem_vendor), "-");
  EXPECT_EQ(shown(gpu.subsystem_device), "1626");
  EXPECT_EQ(shown(gpu.name), "GH100 [H200 SXM 141GB]");
  EXPECT_EQ(shown(gpu.driver), "nvidia");
  EXPECT_EQ(shown(gpu.slot), "Slot 31");
  EXPECT_EQ(shown(gpu.passthrough), "false");
  const auto& nic = device_at(host, "0000:19:00.0");
  EXPECT_EQ(shown(nic.ports.at(0).name), "vmnic4");
  EXPECT_EQ(shown(nic.virtual_functions), "2");
  EXPECT_EQ(shown(device_at(host, "0000:16:00.0").root_complex), "0000:15");
}

TEST(Esxcli, DevicesInPassthroughHaveAnOwner) {
  std::string text = block("0000:af:00.0", ids("0x0302", "0x10de", "0x20b5", "A100"), "",
                           "   Module Name: pciPassthru\n   NUMA Node: -1\n");
  text.replace(text.find("Owner: VMkernel"), 15, "Owner: VM Passthru");
  const auto reading = read(text);
  ASSERT_TRUE(reading.ok);
  const auto& gpu = device_at(reading.host(), "0000:af:00.0");
  EXPECT_EQ(shown(gpu.passthrough), "true");
  EXPECT_EQ(shown(gpu.driver), "pciPassthru");
  EXPECT_EQ(shown(gpu.numa_node), "-");
  EXPECT_EQ(tree_of(reading.host()), "unplaced: af:00.0") << "a list without bridges";
}

TEST(Esxcli, BlocksNeedNeitherHeadsNorIndents) {
  const auto reading = read(
      "Address: 0000:01:00.0\nVendor ID: 0x10de\nDevice ID: 0x20b5\nDevice Class: 0x0302\n"
      "Address: 0000:02:00.0\nVendor ID: 0x15b3\nDevice ID: 0x1021\nDevice Class: 0x0200\n");
  ASSERT_TRUE(reading.ok);
  EXPECT_EQ(tree_of(reading.host()), "unplaced: 01:00.0 02:00.0");
}

TEST(Esxcli, PassthroughListTellsTheState) {
  const std::string text =
      "Device ID     Enabled\n------------  -------\n0000:02:00.0    true\n0000:18:00.0    false\n";
  EXPECT_TRUE(is_esxcli(text));
  const auto reading = read(text);
  ASSERT_TRUE(reading.ok) << reading.says("");
  EXPECT_EQ(shown(device_at(reading.host(), "0000:02:00.0").passthrough), "true");
  EXPECT_EQ(shown(device_at(reading.host(), "0000:18:00.0").passthrough), "false");
  EXPECT_EQ(device_at(reading.host(), "0000:18:00.0").kind, DeviceKind::kOther);
}

constexpr const char* kNics =
    "Name    PCI Device    Driver      Admin Status  Link Status   Speed  Duplex  MAC Address      "
    "  "
    " MTU  Description\n"
    "------  ------------  ----------  ------------  -----------  ------  ------  "
    "-----------------  "
    "----  -----------\n"
    "vmnic0  0000:3b:00.0  nmlx5_core  Up            Up           100000  Full    "
    "b8:ce:f6:00:00:01  1500  Mellanox ConnectX-6\n"
    "vmnic1  0000:3b:00.1              Up            Down              0  Half    "
    "b8:ce:f6:00:00:02  1500  Mellanox ConnectX-6\n"
    "vusb0   Pseudo        cdce        Up            Up             1000  Full    "
    "b8:ce:f6:00:00:03  1500  DellTM iDRAC\n";

TEST(Esxcli, NicListGivesPortsAndTheirSpeed) {
  EXPECT_TRUE(is_esxcli(kNics));
  const auto reading = read(kNics);
  ASSERT_TRUE(reading.ok) << reading.says("");
  EXPECT_EQ(tree_of(reading.host()), "unplaced: 3b:00.0 3b:00.1");
  const auto& up = device_at(reading.host(), "0000:3b:00.0");
  EXPECT_EQ(shown(up.driver), "nmlx5_core");
  EXPECT_EQ(shown(up.name), "Mellanox ConnectX-6");
  EXPECT_EQ(shown(up.ports.at(0).name), "vmnic0");
  EXPECT_EQ(shown(up.ports[0].rate), "12500000000");
  const auto& down = device_at(reading.host(), "0000:3b:00.1");
  EXPECT_EQ(shown(down.driver), "-") << "an empty cell";
  EXPECT_EQ(shown(down.ports.at(0).rate), "-");
  EXPECT_TRUE(reading.says("without a PCI address are omitted: vusb0"));
}

TEST(Esxcli, GraphicsTellGpusAndTheDriver) {
  const auto reading = read(
      "0000:3b:00.0\n   Vendor Name: NVIDIA Corporation\n   Device Name: NVIDIA A100-PCIE-40GB\n"
      "   Module Name: nvidia\n   Graphics Type: SharedPassthru\n   Memory Size in KB: 41943040\n"
      "   Number of VMs: 1\n\n"
      "0000:03:00.0\n   Vendor Name: Matrox\n   Device Name: G200\n   Module Name: None\n"
      "   Graphics Type: Basic\n   Memory Size in KB: 0\n\n"
      "0000:3b:00.0\n   Driver Version: 535.161.05\n   Utilization: 0\n   Temperature: 30\n");
  ASSERT_TRUE(reading.ok) << reading.says("");
  EXPECT_EQ(tree_of(reading.host()), "unplaced: 3b:00.0");
  const auto& gpu = device_at(reading.host(), "0000:3b:00.0");
  EXPECT_EQ(shown(gpu.name), "NVIDIA A100-PCIE-40GB");
  EXPECT_EQ(shown(gpu.gpu.value().memory), "42949672960");
  EXPECT_EQ(shown(gpu.gpu->virtualization), "Host VGPU?");
  EXPECT_EQ(shown(reading.host().driver), "535.161.05");
  EXPECT_TRUE(reading.says("displays other than GPUs"));
}

TEST(Esxcli, SystemCommandsDescribeTheHost) {
  const auto reading = read(
      "[root@esx01:~] esxcli system version get\n   Product: VMware ESXi\n   Version: 8.0.3\n"
      "   Build: Releasebuild-24022510\n   Update: 3\n   Patch: 35\n"
      "[root@esx01:~] esxcli hardware cpu global get\n   CPU Packages: 2\n   CPU Cores: 112\n"
      "   CPU Threads: 224\n   Hyperthreading Active: true\n"
      "[root@esx01:~] esxcli hardware memory get\n   Physical Memory: 2198486384640 Bytes\n"
      "   Reliable Memory: 0 Bytes\n   NUMA Node Count: 2\n"
      "[root@esx01:~] esxcli hardware platform get\nPlatform Information\n   UUID: 0x4c 0x4c\n"
      "   Product Name: PowerEdge XE9680\n   Vendor Name: Dell Inc.\n   Serial Number: X\n"
      "[root@esx01:~] esxcli system hostname get\n   Domain Name: example.com\n"
      "   Fully Qualified Domain Name: esx01.example.com\n   Host Name: esx01\n");
  ASSERT_TRUE(reading.ok) << reading.says("");
  const Inventory& host = reading.host();
  EXPECT_EQ(shown(host.hypervisor), "VMware ESXi 8.0.3 build-24022510");
  EXPECT_EQ(shown(host.packages), "2");
  EXPECT_EQ(shown(host.cores), "112");
  EXPECT_EQ(shown(host.threads), "224");
  EXPECT_EQ(shown(host.memory), "2198486384640");
  EXPECT_EQ(shown(host.model), "PowerEdge XE9680");
  EXPECT_EQ(shown(host.vendor), "Dell Inc.");
  EXPECT_EQ(shown(host.name), "esx01.example.com");
}

TEST(Esxcli, SeveralCommandsInOneFileAreOneHost) {
  std::string nics = kNics;
  for (std::size_t at = 0; (at = nics.find("0000:3b:00.0", at)) != nics.npos;) {
    nics.replace(at, 12, "0000:19:00.0");
  }
  const auto reading = read(nics + "\n" + pci_list() +
                            "Device ID     Enabled\n------------  -------\n0000:18:00.0    true\n");
  ASSERT_TRUE(reading.ok);
  EXPECT_EQ(tree_of(reading.host()), "0: 16:00.0[18:00.0 19:00.0]; unplaced: 3b:00.1");
  EXPECT_EQ(shown(device_at(reading.host(), "0000:18:00.0").passthrough), "true");
  EXPECT_EQ(device_at(reading.host(), "0000:19:00.0").ports.size(), 2U) << "vmnic4, vmnic0";
}

TEST(Esxcli, PolicyAloneTellsNothingOfHardware) {
  const std::string text =
      "   Default Graphics Type: SharedPassthru\n   Shared Passthru Assignment Policy: "
      "Performance\n";
  EXPECT_TRUE(is_esxcli(text));
  EXPECT_EQ(read(text).codes(), std::vector<std::string>{"1:1 E532"});
}

TEST(Esxcli, CsvAndJsonTellTheSame) {
  const auto csv = read(
      "AdminStatus,Description,Driver,Duplex,LinkStatus,MACAddress,MTU,Name,PCIDevice,Speed,\n"
      "Up,\"Mellanox, ConnectX-6\",nmlx5_core,Full,Up,aa,1500,vmnic0,0000:3b:00.0,100000,\n");
  ASSERT_TRUE(csv.ok) << csv.says("");
  EXPECT_EQ(shown(device_at(csv.host(), "0000:3b:00.0").ports.at(0).rate), "12500000000");

  const std::string text = R"([{"Address": "0000:18:00.0", "VMkernelName": "", "VendorID": 4318,
      "DeviceID": 9013, "DeviceClass": "0x0302", "DeviceName": "H200", "ParentDevice": ""}])";
  EXPECT_TRUE(is_esxcli(text));
  const auto json = read(text);
  ASSERT_TRUE(json.ok) << json.says("");
  EXPECT_EQ(shown(device_at(json.host(), "0000:18:00.0").device), "2335");
}

TEST(Esxcli, LspciCountsVirtualFunctionsByTheirAlias) {
  const std::string text =
      "0000:00:02.0 Bridge: Intel Corporation Port [PCIe RP[0000:00:02.0]]\n"
      "0000:3b:00.0 Network controller Ethernet controller: Mellanox ConnectX-6 [vmnic2]\n"
      "\t Class 0200: 15b3:101b\n"
      "0000:3b:00.2 Network controller: Mellanox VF [Virtual Function] [PF_0.59.0_VF_0]\n"
      "0000:3b:01.1 Network controller: Mellanox VF [Virtual Function] [PF_0.59.0_VF_1]\n"
      "0000:af:00.0 Display controller 3D controller: NVIDIA Corporation GA100 [A100 PCIe 40GB]\n";
  EXPECT_TRUE(is_esxcli(text));
  const auto reading = read(text);
  ASSERT_TRUE(reading.ok) << reading.says("");
  EXPECT_EQ(tree_of(reading.host()), "unplaced: 3b:00.0 af:00.0");
  const auto& nic = device_at(reading.host(), "0000:3b:00.0");
  EXPECT_EQ(shown(nic.virtual_functions), "2");
  EXPECT_EQ(shown(nic.name), "Mellanox ConnectX-6");
  EXPECT_EQ(shown(nic.ports.at(0).name), "vmnic2");
  EXPECT_EQ(shown(nic.pci_class), "0200");
  EXPECT_EQ(shown(nic.device), "101b");
  EXPECT_EQ(shown(device_at(reading.host(), "0000:af:00.0").name),
            "NVIDIA Corporation GA100 [A100 PCIe 40GB]");
}

TEST(Esxcli, AliasesOfVirtualFunctionsAreDecimal) {
  EXPECT_EQ(physical_function("PF_0.175.0_VF_3"), "0000:af:00.0");
  EXPECT_EQ(physical_function("PF_0.175.9_VF_0"), "0000:af:01.1");
  EXPECT_EQ(physical_function("PF_1.59.1_VF_12"), "0001:3b:00.1");
  for (const char* bad : {"", "PF_", "PF_0.175.0", "PF_0.300.0_VF_1", "PF_0.1_VF_1", "_VF_PF_",
                          "PF_0.1.256_VF_1", "PF_..._VF_", "vmnic0"}) {
    EXPECT_EQ(physical_function(bad), std::nullopt) << bad;
  }
}

TEST(Esxcli, ValuesThatCannotBeAreErrorsAllAtOnce) {
  const auto reading = read(
      "0000:18:00.0\n   Address: 0000:18\n   Vendor ID: 0x10de\n\n"
      "0000:19:00.0\n   Address: 0000:19:00.0\n   Vendor ID: nvidia\n   NUMA Node: 5000\n\n"
      "Device ID     Enabled\n------------  -------\n0000:02:00.0    perhaps\n");
  EXPECT_FALSE(reading.ok);
  EXPECT_EQ(reading.codes(),
            (std::vector<std::string>{"2:13 E534", "7:15 E534", "8:15 E534", "12:17 E534"}));
}

TEST(Esxcli, OtherTextIsRefused) {
  EXPECT_EQ(read("").codes(), std::vector<std::string>{"1:1 E531"});
  EXPECT_EQ(read("hello\nworld: yes\n").codes(), std::vector<std::string>{"1:1 E531"});
  EXPECT_EQ(read(std::string("Address: a\0b", 12)).codes(), std::vector<std::string>{"1:11 E531"});
  EXPECT_FALSE(is_esxcli(""));
  EXPECT_FALSE(is_esxcli("3b:00.0 3D controller: NVIDIA Corporation GH100 (rev a1)\n"));
  EXPECT_FALSE(is_esxcli("0000:3b:00.0 3D controller: NVIDIA Corporation GH100 [H100 PCIe]\n"))
      << "lspci -D of Linux";
  EXPECT_FALSE(
      is_esxcli("    Product Name                  : NVIDIA H100\n"
                "    Vendor Name                   : x\n"))
      << "nvidia-smi -q";
  EXPECT_FALSE(is_esxcli("Slot:\t0000:3b:00.0\nClass:\t3D controller\nVendor:\tNVIDIA\n"))
      << "lspci -vmm";
}

}  // namespace esxcli_test
}  // namespace vgsim::vsphere::import
