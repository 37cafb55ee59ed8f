#include "topology/importers/lspci/lspci_tree.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/topology/importers/pci_dump_fixture.hpp"

namespace vgsim::topology {
namespace lspci_tree_test {

using inventory::DeviceKind;
using pci_testing::any_has;
using pci_testing::codes_of;
using pci_testing::device_at;
using pci_testing::Imported;
using pci_testing::shape_of;

Imported read(const std::string& text) { return read_lspci_tree(pci_testing::source_of(text)); }

constexpr const char* kTree = R"(-+-[0000:80-8f]-+-00.0  Intel Corporation Device 09a2
 |              \-01.0-[81-8b]----00.0-[82-8b]--+-00.0-[83]----00.0  NVIDIA Corporation GH100 [H100 PCIe]
 |                                              +-01.0-[84]--+-00.0  Mellanox Technologies MT2892 Family [ConnectX-6 Dx]
 |                                              |            \-00.1  Mellanox Technologies MT2892 Family [ConnectX-6 Dx]
 |                                              +-02.0-[85]--
 |                                              \-03.0-[86]----00.0  NVIDIA Corporation GH100 [H100 PCIe]
 \-[0000:00]-+-00.0  Intel Corporation Device 09a2
             \-1c.0-[05]----00.0  Samsung Electronics Co Ltd NVMe SSD Controller PM9A1
)";

TEST(LspciTree, TellsTheTree) {
  const Imported host = read(kTree);
  ASSERT_TRUE(host) << codes_of(host);
  ASSERT_EQ(host->numa_nodes.size(), 1u);
  EXPECT_FALSE(host->numa_nodes[0].id);
  EXPECT_EQ(shape_of(host->numa_nodes[0].devices),
            "81:00.0(83:00.0 84:00.0 84:00.1 86:00.0) 05:00.0");
  EXPECT_EQ(device_at(*host, "0000:81:00.0").root_complex->value, "0000:80");
  EXPECT_EQ(device_at(*host, "0000:05:00.0").root_complex->value, "0000:00");
}

TEST(LspciTree, KindsAreJudgedByNames) {
  const Imported host = read(kTree);
  ASSERT_TRUE(host);
  EXPECT_EQ(device_at(*host, "0000:83:00.0").kind, DeviceKind::kGpu);
  EXPECT_EQ(device_at(*host, "0000:84:00.1").kind, DeviceKind::kNic);
  EXPECT_EQ(device_at(*host, "0000:05:00.0").kind, DeviceKind::kStorage);
  EXPECT_EQ(device_at(*host, "0000:83:00.0").name->value, "NVIDIA Corporation GH100 [H100 PCIe]");
  EXPECT_FALSE(device_at(*host, "0000:83:00.0").pci_class);
  EXPECT_TRUE(any_has(host->assumed, "inferred from names"));
  EXPECT_TRUE(any_has(host->skipped, "NUMA nodes and PCIe links"));
}

TEST(LspciTree, IdsAreTold) {
  for (const char* text :
       {"-[0000:00]-+-01.0-[01]----00.0  NVIDIA Corporation GH100 [H100 PCIe] [10de:2331]\n"
        "           \\-1f.0  Intel Corporation LPC Controller [8086:7a04]\n",
        "-[00]-+-01.0-[01]--+-00.0  10de:2331\n"
        "      |            \\-00.1  10de:22ba\n"
        "      \\-1f.0  8086:7a04\n"}) {
    const Imported host = read(text);
    ASSERT_TRUE(host) << text;
    EXPECT_EQ(shape_of(host->numa_nodes[0].devices), "01:00.0");
    EXPECT_EQ(device_at(*host, "0000:01:00.0").device->value, "2331");
  }
}

TEST(LspciTree, OneFunctionNeedsNoFork) {
  const Imported host = read("-[0000:00]---05.0  NVIDIA Corporation GH100 [H100 PCIe]\n");
  ASSERT_TRUE(host) << codes_of(host);
  EXPECT_EQ(shape_of(host->numa_nodes[0].devices), "00:05.0");
}

TEST(LspciTree, TextAroundItIsPassedOver) {
  const Imported host = read("$ lspci -tv\r\n" + std::string(kTree) + "\n$ exit\n");
  ASSERT_TRUE(host) << codes_of(host);
  EXPECT_EQ(pci_testing::count_of(*host, DeviceKind::kGpu), 2u);
}

TEST(LspciTree, BranchesMustHangOnSomething) {
  const std::string text(kTree);
  std::string shifted = text;
  shifted.insert(shifted.find("+-01.0"), " ");
  EXPECT_EQ(codes_of(read(shifted)), "E534");
  std::string blanks_lost;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != ' ' || (at + 1 < text.size() && text[at + 1] != ' ')) blanks_lost += text[at];
  }
  EXPECT_EQ(codes_of(read(blanks_lost)), "E534");
  std::string torn = text;
  torn.insert(torn.find(" \\-[0000:00]"), "--More--\n");
  EXPECT_EQ(codes_of(read(torn)), "E534");
}

TEST(LspciTree, IsToldFromOtherTexts) {
  EXPECT_TRUE(is_lspci_tree(kTree));
  EXPECT_TRUE(is_lspci_tree("-[00]-+-00.0\n"));
  for (const char* text : {"", "-", "-[", "-[]-", "-[0000:00]", "- [0000:00]-", "--[x]-",
                           "00:00.0 Host bridge: Intel", "[1] -[0000:00]-"}) {
    EXPECT_FALSE(is_lspci_tree(text)) << text;
  }
}

TEST(LspciTree, SaysWhyAFileIsNotRead) {
  EXPECT_EQ(codes_of(read("")), "E531");
  EXPECT_EQ(codes_of(read("-[0000:00]-+-00.0\n           \\-01.0-[01]----00.0\n")), "E532");
  EXPECT_EQ(codes_of(read("-[0000:0x]-+-00.0\n")), "E531");
  EXPECT_EQ(codes_of(read("-[0000:00]-+-0g.0\n")), "E534");
  EXPECT_EQ(codes_of(read(std::string(17u << 20, ' '))), "E533");
}

TEST(LspciTree, IsBounded) {
  std::string functions = "-[0000:00]-+-00.0  10de:2331\n";
  for (int i = 0; i < 4200; ++i) functions += "           +-00.0  10de:2331\n";
  EXPECT_EQ(codes_of(read(functions)), "E533");
  std::string chain = "-[0000:00]-";
  for (int bus = 1; bus < 40; ++bus) chain += fmt::format("--00.0-[{:02x}-ff]-", bus);
  EXPECT_EQ(codes_of(read(chain + "--00.0  10de:2331\n")), "E533");
}

TEST(LspciTree, NicsOfOneGigabitAreNics) {
  const Imported host = read(
      "-[0000:00]-+-1b.0  Intel Corporation I210 Gigabit Network Connection\n"
      "           +-1b.1  Intel Corporation I210 Gigabit Backplane Connection\n"
      "           \\-1b.2  Intel Corporation I210 Gigabit Fiber\n");
  ASSERT_TRUE(host) << codes_of(host);
  EXPECT_EQ(pci_testing::count_of(*host, DeviceKind::kNic), 3u);
}

}  // namespace lspci_tree_test
}  // namespace vgsim::topology
