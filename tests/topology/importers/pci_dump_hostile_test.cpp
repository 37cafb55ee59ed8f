#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "pci_dump_fixture.hpp"
#include "topology/importers/hwloc/hwloc_xml.hpp"
#include "topology/importers/lspci/lspci_tree.hpp"
#include "topology/importers/lspci/lspci_verbose.hpp"

/// Files that are damaged in every place. Nothing is asked of the result but that there is one.
namespace vgsim::topology {
namespace pci_dump_hostile_test {

using Reader = pci_testing::Imported (*)(const input::SourcePtr&);

constexpr std::string_view kVerbose =
    "3a:00.0 PCI bridge [0604]: Intel Corporation Device [8086:352a] (rev 04)\n"
    "\tNUMA node: 1\n\tBus: primary=3a, secondary=3b, subordinate=3f, sec-latency=0\n"
    "\tCapabilities: [40] Express (v2) Root Port (Slot-), MSI 00\n"
    "\t\tLnkCap:\tPort #0, Speed 32GT/s, Width x16\n\t\tACSCtl:\tReqRedir+ CmpltRedir-\n"
    "3b:00.0 3D controller [0302]: NVIDIA Corporation GH100 [10de:2330] (rev a1)\n"
    "\tSubsystem: NVIDIA Corporation Device [10de:16c1]\n\tFlags: fast devsel, NUMA node 1\n"
    "\t\tLnkSta:\tSpeed 2.5GT/s (downgraded), Width x16 (ok)\n"
    "\t\tInitial VFs: 16, Total VFs: 16, Number of VFs: 2, Function Dependency Link: 00\n"
    "\t\tVF offset: 4, stride: 1, Device ID: 2330\n\tKernel driver in use: nvidia\n"
    "3b:00.4 3D controller [0302]: NVIDIA Corporation GH100 [10de:2330] (rev a1)\n";

constexpr std::string_view kTree =
    "-+-[0000:80-85]-+-00.0  Intel Corporation Device 09a2\n"
    " |              \\-01.0-[81-85]----00.0-[82-85]--+-00.0-[83]----00.0  NVIDIA Corporation x\n"
    " |                                              \\-01.0-[84]----00.0  10de:2330\n"
    " \\-[0000:00]---1f.0  Intel Corporation x [8086:7a04]\n";

constexpr std::string_view kHwloc =
    "<topology version=\"2.0\"><object type=\"Machine\" cpuset=\"0x3\" complete_cpuset=\"0x3\" "
    "nodeset=\"0x1\" complete_nodeset=\"0x1\"><info name=\"HostName\" value=\"a\"/>"
    "<object type=\"NUMANode\" os_index=\"0\" cpuset=\"0x3\" complete_cpuset=\"0x3\" "
    "nodeset=\"0x1\" complete_nodeset=\"0x1\" local_memory=\"1024\"/>"
    "<object type=\"Core\" os_index=\"0\" cpuset=\"0x3\" complete_cpuset=\"0x3\" nodeset=\"0x1\" "
    "complete_nodeset=\"0x1\"><object type=\"PU\" os_index=\"0\" cpuset=\"0x1\" "
    "complete_cpuset=\"0x1\" nodeset=\"0x1\" complete_nodeset=\"0x1\"/></object>"
    "<object type=\"Bridge\" bridge_type=\"0-1\" bridge_pci=\"0000:[3a-3b]\">"
    "<object type=\"Bridge\" bridge_type=\"1-1\" bridge_pci=\"0000:[3b-3b]\" "
    "pci_busid=\"0000:3a:01.0\" pci_type=\"0604 [8086:352a] [0000:0000] 04\">"
    "<object type=\"PCIDev\" gp_index=\"7\" pci_busid=\"0000:3b:00.0\" "
    "pci_type=\"0302 [10de:2330] [10de:16c1] a1\" pci_link_speed=\"63.015385\">"
    "<object type=\"OSDev\" gp_index=\"8\" name=\"nvml0\" osdev_type=\"1\"/></object>"
    "<object type=\"PCIDev\" gp_index=\"9\" pci_busid=\"0000:3b:00.1\" "
    "pci_type=\"0302 [10de:2330] [10de:16c1] a1\"/></object></object></object>"
    "<distances2hetero nbobjs=\"2\" kind=\"25\" name=\"NVLinkBandwidth\">"
    "<indexes length=\"17\">OSDev:8 PCIDev:9 </indexes>"
    "<u64values length=\"16\">0 25000 25000 0 </u64values></distances2hetero></topology>";

void damage(std::string_view text, Reader read) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    for (const char byte : {'\0', '9', 'f', ' ', '<', '\xff'}) {
      if ((at + static_cast<unsigned char>(byte)) % 3 != 0) continue;
      std::string damaged(text);
      damaged[at] = byte;
      (void)read(pci_testing::source_of(damaged));
    }
    if (at % 4 == 0) (void)read(pci_testing::source_of(std::string(text.substr(0, at))));
    if (at % 4 == 1) (void)read(pci_testing::source_of(std::string(text.substr(at))));
    if (at % 4 == 2) {
      std::string shorter(text);
      (void)read(pci_testing::source_of(shorter.erase(at, 5)));
    }
  }
}

TEST(DamagedDumps, OfLspciDoNoHarm) {
  EXPECT_TRUE(read_lspci_verbose(pci_testing::source_of(std::string(kVerbose))));
  damage(kVerbose, read_lspci_verbose);
}

TEST(DamagedDumps, OfTheTreeOfLspciDoNoHarm) {
  EXPECT_TRUE(read_lspci_tree(pci_testing::source_of(std::string(kTree))));
  damage(kTree, read_lspci_tree);
}

TEST(DamagedDumps, OfHwlocDoNoHarm) {
  EXPECT_TRUE(read_hwloc_xml(pci_testing::source_of(std::string(kHwloc))));
  damage(kHwloc, read_hwloc_xml);
}

TEST(DamagedDumps, OfHwlocAreNotTalkedAbout) {
  ::testing::internal::CaptureStderr();
  std::string text(kHwloc);
  text.replace(text.find("\"0x3\" complete_cpuset=\"0x3\" nodeset=\"0x1\" "
                         "complete_nodeset=\"0x1\"><object type=\"PU"),
               5, "\"0xf\"");
  (void)read_hwloc_xml(pci_testing::source_of(text));
  (void)read_hwloc_xml(pci_testing::source_of("<topology><object type=\"Machine\"/></topology>"));
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

}  // namespace pci_dump_hostile_test
}  // namespace vgsim::topology
