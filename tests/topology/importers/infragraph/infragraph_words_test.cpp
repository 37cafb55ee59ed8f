#include "topology/importers/infragraph/infragraph_words.hpp"

#include <gtest/gtest.h>

#include "topology/importers/infragraph/infragraph_slices.hpp"
#include "topology/importers/text.hpp"

namespace vgsim::topology::infragraph {
namespace infragraph_words_test {

Role role(ComponentKind kind, const std::string& name, const std::string& description = {},
          const std::string& custom_type = {}) {
  return role_of({name, description, kind, custom_type, 1});
}

TEST(InfragraphWords, TheKindOfAComponentGoesBeforeItsName) {
  EXPECT_EQ(role(ComponentKind::kCpu, "gpu"), Role::kCpu);
  EXPECT_EQ(role(ComponentKind::kXpu, "cpu"), Role::kGpu);
  EXPECT_EQ(role(ComponentKind::kNic, "mgmt"), Role::kNic);
  EXPECT_EQ(role(ComponentKind::kSwitch, "pciesw", "PCIe Gen5 switch"), Role::kBridge);
}

TEST(InfragraphWords, ASwitchThatSpeaksOfNvlinkIsAnNvswitch) {
  EXPECT_EQ(role(ComponentKind::kSwitch, "nvlsw", "switch"), Role::kNvSwitch);
  EXPECT_EQ(role(ComponentKind::kSwitch, "sw", "NVLink Switch"), Role::kNvSwitch);
  EXPECT_EQ(role(ComponentKind::kCustom, "nv-sw"), Role::kNvSwitch);
  EXPECT_EQ(role(ComponentKind::kCustom, "nvsw", "NVSwitch", "switch"), Role::kNvSwitch);
  EXPECT_EQ(role(ComponentKind::kCustom, "bridge", "below the NVSwitch", "pci_bridge"),
            Role::kBridge);
}

TEST(InfragraphWords, CustomComponentsAreWhatTheirTypeNameOrDescriptionSays) {
  EXPECT_EQ(role(ComponentKind::kCustom, "rb", "", "root_bridge"), Role::kRoot);
  EXPECT_EQ(role(ComponentKind::kCustom, "pci_device"), Role::kConnector);
  EXPECT_EQ(role(ComponentKind::kCustom, "pciesl", "slots (NIC / storage)"), Role::kConnector);
  EXPECT_EQ(role(ComponentKind::kCustom, "a", "Front-end NIC"), Role::kNic);
  EXPECT_EQ(role(ComponentKind::kCustom, "disks", "2.5 inch U.2 NVMe SSD"), Role::kStorage);
  EXPECT_EQ(role(ComponentKind::kCustom, "bmc", "", "bmc_nic"), Role::kOther);
  EXPECT_EQ(role(ComponentKind::kCustom, "osfp", "800 Gbit/s port"), Role::kOther);
}

TEST(InfragraphWords, GraphicsOfAManagementControllerAreNoGpu) {
  EXPECT_EQ(role(ComponentKind::kXpu, "ASPEED Graphics Family"), Role::kDisplay);
}

TEST(InfragraphWords, AModelIsMoreThanTheNameOfTheKind) {
  const auto model = [](const char* name, const char* description) {
    return model_of({name, description, ComponentKind::kXpu, "", 1});
  };
  EXPECT_EQ(model("xpu", "NVIDIA H100"), "NVIDIA H100");
  EXPECT_EQ(model("xpu", "xpu"), "");
  EXPECT_EQ(model("IRONWOOD", ""), "IRONWOOD");
  EXPECT_EQ(model("pci_bridge_2", ""), "");
}

TEST(InfragraphWords, LinksAreNamedOrDescribed) {
  const auto kind = [](const char* name, const char* description) {
    return kind_of({name, description, std::nullopt});
  };
  EXPECT_EQ(kind("pcie", "near the memory"), LinkKind::kPcie);
  EXPECT_EQ(kind("xpu_fabric", "nvlink_3"), LinkKind::kNvLink);
  EXPECT_EQ(kind("gpus", "NV12"), LinkKind::kNvLink);
  EXPECT_EQ(kind("nvlink_c2c", ""), LinkKind::kC2c);
  EXPECT_EQ(kind("l", "Chip to Chip Nvlink"), LinkKind::kC2c);
  EXPECT_EQ(kind("infinity_fabric", "xGMI mesh"), LinkKind::kXgmi);
  EXPECT_EQ(kind("ddr5", ""), LinkKind::kMemory);
  EXPECT_EQ(kind("eth1", ""), LinkKind::kNetwork);
  EXPECT_EQ(kind("ici", "Interconnect"), LinkKind::kOther);
}

struct WidthCase {
  const char* name;
  const char* description;
  std::optional<std::int64_t> generation;
  std::optional<std::int64_t> lanes;
};

TEST(InfragraphWords, PcieGenerationAndWidthAreToldInManyWords) {
  const WidthCase cases[] = {
      {"pcie", "PCIe Gen4 x16", 4, 16},
      {"pcie", "PCI Express PCIE_GEN4 x16", 4, 16},
      {"pcie", "PCI Express Gen 5.0 x16 32 GT/s", 5, 16},
      {"pcie", "PCIe 5.0 x8", 5, 8},
      {"pcie", "PCIe 3.0", 3, {}},
      {"pcie_gen5", "", 5, {}},
      {"pcie3", "", 3, {}},
      {"gen4x8", "", 4, 8},
      {"pcie", "16 GT/s, 16 lanes", 4, 16},
      {"pcie", "PCIe 4 lanes", {}, 4},
      {"pcie", "PCIe 16x", {}, 16},
      {"pcie", "Host PCIe interconnect", {}, {}},
      {"pcie", "PCIe Gen9 x99", {}, {}},
      {"pcie", "PCIe 32 GB/s", {}, {}},
  };
  for (const WidthCase& c : cases) {
    const PcieTold told = pcie_of({c.name, c.description, std::nullopt});
    EXPECT_EQ(told.generation, c.generation) << c.name << ", " << c.description;
    EXPECT_EQ(told.lanes, c.lanes) << c.name << ", " << c.description;
    EXPECT_FALSE(told.inferred);
  }
}

TEST(InfragraphWords, BandwidthTellsLanesOnceTheGenerationIsKnown) {
  const auto lanes = [](const char* description, double value, BandwidthUnit unit) {
    return pcie_of({"pcie", description, Bandwidth{value, unit}}).lanes;
  };
  EXPECT_EQ(lanes("PCIe Gen4", 32, BandwidthUnit::kGigabytes), 16);
  EXPECT_EQ(lanes("PCIe Gen4", 31.508, BandwidthUnit::kGigabytes), 16);
  EXPECT_EQ(lanes("PCIe Gen5", 128, BandwidthUnit::kGigabits), 4);
  EXPECT_EQ(lanes("PCIe Gen4", 64, BandwidthUnit::kGigabytes), std::nullopt) << "both directions";
  EXPECT_EQ(lanes("PCIe", 32, BandwidthUnit::kGigabytes), std::nullopt) << "Gen4 x16, or Gen5 x8";
}

TEST(InfragraphWords, TransfersOfALaneTellTheGeneration) {
  const Link link{"bus", "", Bandwidth{8, BandwidthUnit::kGigatransfers}};
  EXPECT_EQ(pcie_of(link).generation, 3);
}

TEST(InfragraphWords, NumbersOfNvlinksAreToldInManyWords) {
  const auto count = [](const char* name, const char* description) -> std::int64_t {
    const auto told = links_of({name, description, std::nullopt});
    return told ? told->count : 0;
  };
  EXPECT_EQ(count("l", "18 NVLinks, 25 GB/s each"), 18);
  EXPECT_EQ(count("nvlink_x4", ""), 4);
  EXPECT_EQ(count("NV12", ""), 12);
  EXPECT_EQ(count("l", "3 xGMI links"), 3);
  EXPECT_EQ(count("nvlink", "NVLink 4.0 (H100) 100 GT/s"), 0);
  EXPECT_EQ(count("xpu_fabric", "nvlink_3"), 0);
  EXPECT_EQ(links_of({"l", "18 NVLinks, 26.5 GB/s each", {}})->gigabytes_each, 26.5);
}

TEST(InfragraphWords, ListsAreCutAfterFive) {
  EXPECT_EQ(few_of({"a", "b"}), "a, b");
  EXPECT_EQ(few_of({"a", "b", "c", "d", "e", "f", "g"}), "a, b, c, d, e and 2 more");
}

std::vector<std::int64_t> indexes(const char* slice, std::int64_t count) {
  return indexes_of(parse_slice(slice).value(), count);
}

TEST(InfragraphSlices, AreThoseOfPython) {
  using Indexes = std::vector<std::int64_t>;
  EXPECT_EQ(indexes("", 3), (Indexes{0, 1, 2}));
  EXPECT_EQ(indexes("[2]", 4), (Indexes{2}));
  EXPECT_EQ(indexes("[-1]", 4), (Indexes{3}));
  EXPECT_EQ(indexes("[1:3]", 4), (Indexes{1, 2}));
  EXPECT_EQ(indexes("[:]", 2), (Indexes{0, 1}));
  EXPECT_EQ(indexes("[0:4:2]", 8), (Indexes{0, 2}));
  EXPECT_EQ(indexes("[::-1]", 3), (Indexes{2, 1, 0}));
  EXPECT_EQ(indexes("[-2:]", 5), (Indexes{3, 4}));
  EXPECT_EQ(indexes("[5:9]", 4), (Indexes{}));
  EXPECT_EQ(indexes("[7]", 4), (Indexes{}));
  for (const char* slice : {"", "[2]", "[1:9:3]", "[::-2]", "[3:0:-1]", "[-9:2]"}) {
    for (std::int64_t count = 0; count < 7; ++count) {
      const auto size = static_cast<std::int64_t>(indexes(slice, count).size());
      EXPECT_EQ(size_of(parse_slice(slice).value(), count), size) << slice << count;
    }
  }
}

TEST(InfragraphSlices, ThatReachBeyondAreNoticed) {
  EXPECT_TRUE(reaches_beyond(parse_slice("[0:19]").value(), 18));
  EXPECT_TRUE(reaches_beyond(parse_slice("[18]").value(), 18));
  EXPECT_FALSE(reaches_beyond(parse_slice("[0:18]").value(), 18));
  EXPECT_FALSE(reaches_beyond(parse_slice("[-18]").value(), 18));
}

TEST(InfragraphSlices, NonsenseIsNone) {
  for (const char* slice : {"[", "[]", "[a]", "[1:2:3:4]", "[::0]", "[1", "1]", "[99999999999]"}) {
    EXPECT_FALSE(parse_slice(slice)) << slice;
  }
}

}  // namespace infragraph_words_test
}  // namespace vgsim::topology::infragraph
