#include <gmock/gmock.h>

#include <set>

#include "tests/topology/importers/import_fixture.hpp"
#include "topology/machine/build_host.hpp"

namespace vgsim::topology::testing {
namespace dumped_host_test {

using namespace vgsim::literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string gpu(const std::string& busid, const std::string& more = {},
                const std::string& inside = {}) {
  return "<pci busid=\"" + busid + "\" class=\"0x030200\" " + more + ">" + inside + "</pci>\n";
}

std::string bridge(const std::string& busid, const std::string& more, const std::string& inside) {
  return "<pci busid=\"" + busid + "\" class=\"0x060400\" " + more + ">" + inside + "</pci>\n";
}

constexpr const char* kGen4 = "link_speed=\"16.0 GT/s PCIe\" link_width=\"16\"";
constexpr const char* kA100 = "vendor=\"0x10de\" device=\"0x20b0\"";

TEST(DumpedHost, EveryTopLevelDeviceHasItsOwnRootComplex) {
  const Imported result =
      import_text(one_cpu(bridge("0000:10:00.0", kGen4, gpu("0000:11:00.0") + gpu("0000:12:00.0")) +
                          gpu("0000:20:00.0")));
  ASSERT_TRUE(result.ok()) << render(result.diagnostics);
  EXPECT_EQ(result.count(NodeKind::kRootComplex), 2u);
  EXPECT_EQ(result.count(NodeKind::kPcieSwitch), 1u);
  EXPECT_EQ(result.gpu_path(0, 1), PathClass::kPix);
  EXPECT_EQ(result.gpu_path(0, 2), PathClass::kPhb);
  EXPECT_TRUE(result.assumes("does not state root complexes"));
}

TEST(DumpedHost, BridgesWithoutDevicesAreDropped) {
  const Imported result = import_text(one_cpu(
      gpu("0000:01:00.0") + bridge("0000:10:00.0", kGen4, bridge("0000:11:00.0", kGen4, ""))));
  EXPECT_EQ(result.count(NodeKind::kRootComplex), 1u);
  EXPECT_EQ(result.count(NodeKind::kPcieSwitch), 0u);
}

TEST(DumpedHost, GpusAreInTheOrderOfTheirNumbers) {
  const Imported result = import_text(
      one_cpu(gpu("0000:01:00.0", kA100, "<gpu dev=\"1\"/>") +
              gpu("0000:02:00.0", "vendor=\"0x10de\" device=\"0x2330\"", "<gpu dev=\"0\"/>")));
  const Host& host = result.host();
  EXPECT_EQ(result.topology.node(host.gpus.at(0)).model, "h100");
  EXPECT_EQ(result.topology.node(host.gpus.at(1)).model, "a100-40");
}

TEST(DumpedHost, GpusWithoutNumbersAreInTheOrderOfBusIds) {
  const Imported result = import_text(one_cpu(
      gpu("0000:02:00.0", kA100) + gpu("0000:01:00.0", "vendor=\"0x10de\" device=\"0x2330\"")));
  EXPECT_EQ(result.topology.node(result.host().gpus.at(0)).model, "h100");
  EXPECT_TRUE(result.assumes("in the order of bus ids"));
}

TEST(DumpedHost, GpusAreInferredFromTheirClass) {
  const Imported result = import_text(
      one_cpu(gpu("0000:01:00.0", kA100) + "<pci busid=\"0000:02:00.0\" class=\"0x030000\"/>"));
  EXPECT_EQ(result.host().gpus.size(), 2u);
  EXPECT_TRUE(result.assumes("without <gpu>: 0000:01:00.0, 0000:02:00.0"));
}

TEST(DumpedHost, TheModelComesFromCapabilityIfOnlyOneHasIt) {
  const Imported t4 = import_text(one_cpu(gpu("0000:01:00.0", "", "<gpu sm=\"75\"/>")));
  EXPECT_EQ(t4.topology.node(t4.host().gpus.at(0)).model, "t4");
  EXPECT_TRUE(t4.assumes("t4, the only one catalogued with compute capability 7.5"));
  const Imported a100 = import_text(one_cpu(gpu("0000:01:00.0", "", "<gpu sm=\"80\"/>")));
  EXPECT_EQ(a100.topology.node(a100.host().gpus.at(0)).model, "");
  EXPECT_TRUE(a100.assumes("unknown model, the file fits a100-40, a100-80: 0000:01:00.0"));
}

TEST(DumpedHost, CompletionOverridesTheFile) {
  const Imported result = import_text(
      one_cpu(gpu("0000:01:00.0", kA100) + gpu("0000:02:00.0", kA100)), [](const Catalog& catalog) {
        HostCompletion completion;
        completion.gpu = &catalog.gpus.at("a100-80");
        completion.gpus["00000000:02:00.0"] = &catalog.gpus.at("t4");
        return completion;
      });
  ASSERT_TRUE(result.ok()) << render(result.diagnostics);
  EXPECT_EQ(result.topology.node(result.host().gpus.at(0)).model, "a100-80");
  EXPECT_EQ(result.topology.node(result.host().gpus.at(1)).model, "t4");
  EXPECT_TRUE(result.assumes("although their device id is that of a100-40"));
}

TEST(DumpedHost, LinksHaveTheSpeedOfTheFile) {
  const Imported result = import_text(one_cpu(
      gpu("0000:01:00.0", "link_speed=\"8 GT/s\" link_width=\"8\"") + gpu("0000:02:00.0", kGen4)));
  EXPECT_EQ(result.uplink(result.host().gpus.at(0)).line_rate, 8_GBps);
  EXPECT_EQ(result.uplink(result.host().gpus.at(1)).line_rate, 32_GBps);
}

TEST(DumpedHost, UnknownSpeedIsTheCardsOwnOrGen3) {
  const Imported result = import_text(
      one_cpu(gpu("0000:01:00.0", std::string(kA100) + " link_speed=\"\" link_width=\"0\"") +
              gpu("0000:02:00.0", "link_speed=\"Unknown\" link_width=\"16\"")));
  EXPECT_EQ(result.uplink(result.host().gpus.at(0)).line_rate, 32_GBps);
  EXPECT_EQ(result.uplink(result.host().gpus.at(1)).line_rate, 16_GBps);
  EXPECT_TRUE(result.assumes("not given; taken as Gen4, the card's own: 0000:01:00.0"));
  EXPECT_TRUE(result.assumes("\"Unknown\" unknown; taken as Gen3, as NCCL does: 0000:02:00.0"));
  EXPECT_TRUE(result.assumes("width unknown; taken as x16, as NCCL does: 0000:01:00.0"));
}

TEST(DumpedHost, IdleGpusAreAsFastAsTheyCanBe) {
  const Imported result = import_text(one_cpu(
      gpu("0000:01:00.0", std::string(kA100) + " link_speed=\"2.5 GT/s\" link_width=\"16\"")));
  EXPECT_EQ(result.uplink(result.host().gpus.at(0)).line_rate, 32_GBps);
  EXPECT_TRUE(result.assumes("GPUs at PCIe Gen1 are idle"));
}

TEST(DumpedHost, EmulatedBridgesAreNotABottleneck) {
  const std::string emulated = "link_speed=\"2.5 GT/s PCIe\" link_width=\"1\"";
  const std::string vmware =
      "vendor=\"0x15ad\" device=\"0x07a0\" link_speed=\"8 GT/s\" link_width=\"4\"";
  const Imported result =
      import_text(one_cpu(bridge("0000:10:00.0", emulated, gpu("0000:11:00.0", kGen4)) +
                          bridge("0000:20:00.0", vmware, gpu("0000:21:00.0", kGen4))));
  std::size_t switches = 0;
  for (Vertex v = 0; v < result.topology.nodes().size(); ++v) {
    if (result.topology.node(v).kind != NodeKind::kPcieSwitch) continue;
    EXPECT_EQ(result.uplink(v).line_rate, 32_GBps);
    ++switches;
  }
  EXPECT_EQ(switches, 2u);
  EXPECT_TRUE(result.assumes("assumed as fast as these: 0000:10:00.0, 0000:20:00.0"));
}

TEST(DumpedHost, RealNarrowUplinksStay) {
  const Imported result =
      import_text(one_cpu(bridge("0000:10:00.0", "link_speed=\"16 GT/s\" link_width=\"8\"",
                                 gpu("0000:11:00.0", kGen4) + gpu("0000:12:00.0", kGen4))));
  const Vertex first = result.host().gpus.at(0);
  EXPECT_EQ(result.uplink(first).line_rate, 32_GBps);
  for (Vertex v = 0; v < result.topology.nodes().size(); ++v) {
    if (result.topology.node(v).kind == NodeKind::kPcieSwitch) {
      EXPECT_EQ(result.uplink(v).line_rate, 16_GBps);
    }
  }
}

TEST(DumpedHost, BroadcomsTwoLevelsAreOneSwitch) {
  const std::string ids =
      "vendor=\"0x1000\" device=\"0xc010\" subsystem_vendor=\"0x1000\" "
      "subsystem_device=\"0xa096\" " +
      std::string(kGen4);
  const std::string tree = bridge("0000:10:00.0", ids,
                                  bridge("0000:11:00.0", ids, gpu("0000:12:00.0")) +
                                      bridge("0000:13:00.0", ids, gpu("0000:14:00.0")));
  const Imported merged = import_text(one_cpu(tree));
  EXPECT_EQ(merged.count(NodeKind::kPcieSwitch), 1u);
  EXPECT_EQ(merged.gpu_path(0, 1), PathClass::kPix);
  EXPECT_TRUE(merged.assumes("are one switch, as for NCCL: 0000:11:00.0, 0000:13:00.0"));
  const Imported apart =
      import_text(one_cpu(bridge("0000:10:00.0", kGen4,
                                 bridge("0000:11:00.0", kGen4, gpu("0000:12:00.0")) +
                                     bridge("0000:13:00.0", kGen4, gpu("0000:14:00.0")))));
  EXPECT_EQ(apart.count(NodeKind::kPcieSwitch), 3u);
  EXPECT_EQ(apart.gpu_path(0, 1), PathClass::kPxb);
}

TEST(DumpedHost, DevicesWithoutAKindNeedCompletion) {
  const std::string xml = one_cpu("<pci busid=\"0000:00:16.0\"/>\n<pci busid=\"0000:00:17.0\"/>");
  const Imported bare = import_text(xml);
  EXPECT_THAT(bare.codes(), ElementsAre("3:2 E522", "4:2 E522"));
  EXPECT_TRUE(bare.says("\"devices\": {\"0000:00:16.0\": {\"gpu\": ...}}"));
  const Imported completed = import_text(xml, [](const Catalog& catalog) {
    HostCompletion completion;
    completion.gpus["0000:00:16.0"] = &catalog.gpus.at("t4");
    completion.nics["0000:00:17.0"] = &catalog.nics.at("rdma-100g");
    return completion;
  });
  ASSERT_TRUE(completed.ok()) << render(completed.diagnostics);
  EXPECT_EQ(completed.host().gpus.size(), 1u);
  EXPECT_EQ(completed.host().nics.size(), 1u);
}

TEST(DumpedHost, CompletionMustNameDevicesOfTheFile) {
  const Imported result =
      import_text(one_cpu(gpu("0000:01:00.0", kA100)), [](const Catalog& catalog) {
        HostCompletion completion;
        completion.gpus["0000:02:00.0"] = &catalog.gpus.at("t4");
        completion.nics["0000:01:00.0"] = &catalog.nics.at("rdma-100g");
        return completion;
      });
  EXPECT_THAT(result.codes(), ElementsAre(HasSubstr("E524"), HasSubstr("E524")));
  EXPECT_TRUE(result.says("the file has no such device"));
  EXPECT_TRUE(result.says("0000:01:00.0 is a NIC in the scenario, but not in the file"));
}

TEST(DumpedHost, AFileWithoutGpusIsRefused) {
  const Imported result = import_text(one_cpu("<pci busid=\"0000:01:00.0\" class=\"0x020000\"/>"));
  EXPECT_THAT(result.codes(), ElementsAre(HasSubstr("E521")));
  EXPECT_TRUE(result.topology.nodes().empty());
}

TEST(DumpedHost, SeveralHostsAreRefused) {
  const Imported result = import_text(
      system_of("<cpu numaid=\"0\" host_hash=\"0x1\"/>\n<cpu numaid=\"0\" host_hash=\"0x2\"/>"));
  EXPECT_THAT(result.codes(), ElementsAre(HasSubstr("E520")));
  EXPECT_TRUE(result.says("2 hosts"));
}

TEST(DumpedHost, DevicesThatShareABusIdAreKeptApart) {
  const Imported result = import_text(one_cpu(gpu("0000:ba:00.0", kA100) +
                                              "<pci busid=\"0000:ba:00.0\" class=\"0x020700\"/>\n"
                                              "<pci busid=\"0000:ba:00.0\" class=\"0x020700\"/>"));
  ASSERT_TRUE(result.ok()) << render(result.diagnostics);
  EXPECT_THAT(result.codes(), ElementsAre("4:2 W504"));
  EXPECT_EQ(result.host().gpus.size(), 1u);
  ASSERT_EQ(result.host().nics.size(), 2u);
  EXPECT_EQ(result.host().nics[1].name, "nic1");
  EXPECT_TRUE(result.assumes("a separate device at its place in the file: 0000:ba:00.0"));
}

TEST(DumpedHost, OtherDevicesAreIgnoredWithAWarning) {
  const Imported result = import_text(one_cpu(gpu("0000:01:00.0", kA100) +
                                              "<pci busid=\"0000:02:00.0\" class=\"0x010802\"/>\n"
                                              "<pci busid=\"0000:03:00.0\" class=\"0x068000\"/>"));
  EXPECT_THAT(result.codes(), ElementsAre("4:2 W507"));
}

TEST(DumpedHost, AnEmptyCatalogueIsAnErrorNotACrash) {
  const auto source = input::make_source("test.xml", one_cpu(gpu("0000:01:00.0")));
  EXPECT_TRUE(import_with(Catalog(), source).says("no PCIe generation"));
  Catalog only_pcie = small_catalog();
  only_pcie.cpus = {};
  only_pcie.nics = {};
  EXPECT_TRUE(import_with(std::move(only_pcie), source).says("no CPU"));
}

TEST(DumpedHost, AssumptionsAreTheSameEveryTime) {
  const std::string xml = one_cpu(gpu("0000:02:00.0") + gpu("0000:01:00.0", kA100) +
                                  "<pci busid=\"0000:03:00.0\" class=\"0x020000\"/>");
  const auto first = import_text(xml).host().assumptions;
  EXPECT_EQ(first, import_text(xml).host().assumptions);
  const std::set<std::string> unique(first.begin(), first.end());
  EXPECT_EQ(unique.size(), first.size());
}

}  // namespace dumped_host_test
}  // namespace vgsim::topology::testing
