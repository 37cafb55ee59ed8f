#include "topology/importers/nccl/nccl_xml.hpp"

#include <fmt/core.h>
#include <gmock/gmock.h>

#include "tests/topology/importers/import_fixture.hpp"
#include "topology/machine/device_facts.hpp"
#include "topology/machine/import_codes.hpp"
#include "topology/machine/topology_words.hpp"

namespace vgsim::topology::testing {
namespace nccl_xml_test {

using namespace inventory;
using namespace vgsim::literals;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

Inventory read(const std::string& xml) {
  auto host = read_nccl_xml(input::make_source("test.xml", xml));
  if (!host) throw std::runtime_error(render(host.error()));
  return *host;
}

/// The parser's own messages: an import that stops at parsing.
std::vector<std::string> codes_of(const std::string& xml) { return import_text(xml).codes(); }

std::string gpu(const std::string& busid, const std::string& inside = {}) {
  return "<pci busid=\"" + busid + "\" class=\"0x030200\" vendor=\"0x10de\" device=\"0x20b0\">" +
         inside + "</pci>";
}

constexpr const char* kFullDump = R"(<?xml version="1.0"?>
<!-- a comment, as AWS writes it -->
<system version="1">
  <cpu host_hash="0xAB" numaid="1" affinity="ff" arch="x86_64" vendor="GenuineIntel" familyid="6" modelid="106">
    <pci busid="0000:17:00.0" class="0x060400" link_speed="16.0 GT/s PCIe" link_width="16">
      <pci busid="00000000:1A:00.0" class="0x030200" vendor="0x10DE" device="0x20b0" link_speed="16 GT/s" link_width="8">
        <gpu dev="0x1" sm="80" rank="3" gdr="1">
          <nvlink target="0000:c7:00.0" count="2" tclass="0x068000"/>
          <c2c bw="44712" count="5"/>
        </gpu>
      </pci>
      <pci busid="0000:1b:00.0" class="0x020700">
        <nic>
          <net name="mlx5_0" dev="2" speed="200000" port="1" latency="0.5" guid="0xA262550003a1420c" maxconn="131072" gdr="1" coll="1"/>
          <net name="mlx5_1" dev="3" speed="100000" port="2" guid="0x1"/>
        </nic>
      </pci>
      <pcilink target="0000:1c:00.0" anything="goes"/>
    </pci>
    <nic><net name="eth0" speed="10000"/></nic>
  </cpu>
</system>)";

/// "-" for what the file does not state.
template <class Value>
std::string shown(const inventory::Maybe<Value>& stated) {
  return stated ? fmt::format("{}", stated->value) : "-";
}

TEST(NcclXml, ReadsWhatADumpSays) {
  const Inventory host = read(kFullDump);
  ASSERT_EQ(host.numa_nodes.size(), 1u);
  EXPECT_TRUE(host.warnings.empty()) << render(host.warnings);
  const inventory::NumaNode& node = host.numa_nodes[0];
  EXPECT_EQ(shown(node.id), "1");
  EXPECT_EQ(shown(node.host_hash), "0xAB");
  EXPECT_EQ(shown(node.vendor), "GenuineIntel");
  EXPECT_EQ(shown(node.family), "6");
  EXPECT_EQ(shown(node.model), "106");
  ASSERT_EQ(node.without_pcie.size(), 1u);
  EXPECT_EQ(shown(node.without_pcie[0].ports.at(0).name), "eth0");
  EXPECT_EQ(shown(node.without_pcie[0].ports.at(0).dev), "-");
  ASSERT_EQ(node.devices.size(), 1u);
  EXPECT_EQ(shown(node.devices[0].pci_class), "060400");
  EXPECT_EQ(shown(node.devices[0].nccl_speed), "16.0 GT/s PCIe");
  EXPECT_EQ(to_text(node.devices[0].link->value), "Gen4 x16");
  EXPECT_EQ(node.devices[0].below.size(), 2u);
}

TEST(NcclXml, ReadsGpusAndNets) {
  const Inventory host = read(kFullDump);
  const Device& device = host.numa_nodes[0].devices[0].below[0];
  EXPECT_EQ(device.bus_id, "0000:1a:00.0");
  EXPECT_EQ(shown(device.vendor), "10de");
  EXPECT_EQ(shown(device.nccl_width), "8");
  ASSERT_TRUE(device.gpu);
  const Gpu& gpu = *device.gpu;
  EXPECT_EQ(shown(gpu.index), "1");
  EXPECT_EQ(shown(gpu.sm), "80");
  EXPECT_EQ(shown(gpu.rank), "3");
  EXPECT_EQ(shown(gpu.gdr), "true");
  ASSERT_EQ(gpu.c2c.size(), 1u);
  EXPECT_EQ(gpu.c2c[0].rate.value, 44'712_MBps);
  EXPECT_EQ(gpu.c2c[0].count.value, 5);
  ASSERT_EQ(gpu.nvlinks.size(), 1u);
  EXPECT_EQ(gpu.nvlinks[0].target.value, "0000:c7:00.0");
  EXPECT_EQ(shown(gpu.nvlinks[0].target_class), "068000");
  EXPECT_EQ(gpu.nvlinks[0].count.value, 2);
  const std::vector<Port>& ports = host.numa_nodes[0].devices[0].below[1].ports;
  ASSERT_EQ(ports.size(), 2u);
  EXPECT_EQ(ports[0].rate->value, 200_Gbitps);
  EXPECT_EQ(shown(ports[0].guid), "0xa262550003a1420c");
  EXPECT_EQ(ports[0].latency->value, 500_ns);
  EXPECT_EQ(shown(ports[0].coll), "true");
  EXPECT_EQ(shown(ports[1].coll), "-");
  EXPECT_EQ(shown(ports[1].port), "2");
}

TEST(NcclXml, PlacesAreThoseOfTheElements) {
  const std::string text = kFullDump;
  const Inventory host = read(text);
  const Device& gpu = host.numa_nodes[0].devices[0].below[0];
  EXPECT_EQ(text.substr(gpu.place.offset, 11), "pci busid=\"");
  EXPECT_EQ(text.substr(gpu.gpu->nvlinks[0].place.offset, 13), "nvlink target");
  EXPECT_EQ(text.substr(host.numa_nodes[0].place.offset, 8), "cpu host");
}

TEST(NcclXml, SkipsAByteOrderMark) {
  EXPECT_EQ(read("\xEF\xBB\xBF" + one_cpu(gpu("0000:01:00.0"))).numa_nodes.size(), 1u);
}

TEST(NcclXml, ReadsAmdGpusOnRequest) {
  const std::string text =
      one_cpu("<pci busid=\"0000:01:00.0\" class=\"0x038000\" vendor=\"0x1002\"/>");
  const auto source = input::make_source("rccl.xml", text);
  EXPECT_FALSE(read_nccl_xml(source));
  EXPECT_TRUE(read_nccl_xml(source, NcclGpus::kAny));
}

TEST(NcclXml, RefusesWhatIsNotATopology) {
  EXPECT_THAT(codes_of("<graphs version=\"1\"/>"), ElementsAre("1:2 E505"));
  EXPECT_THAT(codes_of("<system/>"), ElementsAre("1:2 E505"));
  EXPECT_THAT(codes_of("<system version=\"3\"/>"), ElementsAre("1:2 E505"));
  EXPECT_THAT(codes_of("<system version=\"one\"/>"), ElementsAre("1:18 E508"));
  EXPECT_THAT(codes_of(""), ElementsAre("1:1 E502"));
  EXPECT_THAT(codes_of("<!-- nothing -->"), ElementsAre("1:1 E502"));
}

TEST(NcclXml, RefusesAmdGpus) {
  const std::string reason = "AMD GPUs are not supported, NVIDIA GPUs only";
  for (const std::string& xml :
       {std::string("<system version=\"2\"><cpu/></system>"),
        one_cpu("<pci busid=\"0000:01:00.0\"><gpu dev=\"0\"><xgmi target=\"x\"/></gpu></pci>"),
        one_cpu("<pci busid=\"0000:01:00.0\"><gpu dev=\"0\" gcn=\"908\"/></pci>"),
        one_cpu("<pci busid=\"0000:01:00.0\" class=\"0x038000\" vendor=\"0x1002\"/>")}) {
    const Imported result = import_text(xml);
    ASSERT_EQ(result.diagnostics.items().size(), 1u) << xml;
    EXPECT_EQ(result.diagnostics.items()[0].code, "E506");
    EXPECT_EQ(result.diagnostics.items()[0].message, reason);
  }
}

TEST(NcclXml, NamesTheElementWhereXmlBreaks) {
  const Imported cut =
      import_text("<system version=\"1\">\n  <cpu numaid=\"0\">\n    <pci busid=\"");
  EXPECT_THAT(cut.codes(), ElementsAre("3:16 E502"));
  EXPECT_TRUE(cut.says("<pci>"));
  const Imported crossed = import_text("<system version=\"1\">\n  <cpu></pci>\n</system>");
  EXPECT_THAT(crossed.codes(), ElementsAre(HasSubstr("E501")));
  EXPECT_TRUE(crossed.says("</pci>"));
  EXPECT_THAT(codes_of("<system version=\"1\">\n<cpu numaid=0/></system>"),
              ElementsAre(HasSubstr("2:13 E501")));
  EXPECT_THAT(codes_of("<system version=\"1\" version=\"1\"/>"), ElementsAre("1:30 E501"));
  EXPECT_THAT(codes_of("<system version=\"1\"/>\n<system version=\"1\"/>"),
              ElementsAre("2:2 E501"));
}

TEST(NcclXml, RefusesElementsInTheWrongPlace) {
  const Imported result = import_text(
      one_cpu("<gpu dev=\"0\"/>\n<pci busid=\"0000:01:00.0\"><net name=\"eth0\"/></pci>\n<cpu/>\n"
              "<nic><pci busid=\"0000:02:00.0\"/></nic>"));
  EXPECT_THAT(result.codes(), ElementsAre("3:2 E507", "4:28 E507", "5:2 E507", "6:7 E507"));
  EXPECT_TRUE(result.says("<gpu> inside <cpu>"));
  EXPECT_TRUE(result.says("inside one of: cpu pci"));
}

TEST(NcclXml, ReportsAllBadAttributesAtOnce) {
  const Imported result = import_text(one_cpu(
      "<pci class=\"0x0302\"/>\n"
      "<pci busid=\"nonsense\" class=\"display\" link_width=\"wide\"/>\n"
      "<pci busid=\"0000:03:00.0\" link_width=\"33\"><gpu dev=\"zero\" sm=\"8.0\">\n"
      "<nvlink count=\"65\" target=\"0000:04:00.0\"/><nvlink "
      "target=\"0000:04:00.0\"/></gpu></pci>\n"
      "<nic><net name=\"a\" speed=\"1000000001\"/><net latency=\"nan\" guid=\"xyz\"/></nic>"));
  EXPECT_THAT(result.codes(), ElementsAre("3:2 E508", "4:13 E508", "4:30 E508", "4:51 E508",
                                          "5:39 E509", "5:53 E508", "5:63 E508", "6:16 E509",
                                          "6:44 E508", "7:27 E509", "7:54 E509", "7:65 E508"));
}

TEST(NcclXml, ASpeedInKilobitsIsKeptAndNotUsed) {
  const Inventory host =
      read(one_cpu("<nic><net name=\"cxi0\" dev=\"0\" speed=\"200000000\"/></nic>"));
  const std::vector<Port>& ports = host.numa_nodes[0].without_pcie[0].ports;
  EXPECT_EQ(ports[0].rate->value, 200'000_Gbitps);
  EXPECT_EQ(stated_rate(ports), BytesPerSecond{});
  EXPECT_EQ(host.warnings.items().at(0).code, "W508");
}

TEST(NcclXml, RefusesGpusThatCannotBeToldApart) {
  EXPECT_THAT(codes_of(one_cpu(gpu("0000:01:00.0") + "\n" + gpu("0000:01:00.0"))),
              ElementsAre("4:2 E510"));
  EXPECT_THAT(codes_of(one_cpu(gpu("0000:01:00.0", "<gpu dev=\"0\"/>") + "\n" +
                               gpu("0000:02:00.0", "<gpu dev=\"0\"/>"))),
              ElementsAre(HasSubstr("E510")));
  EXPECT_THAT(
      codes_of(one_cpu(gpu("0000:01:00.0", "<gpu dev=\"0\" mlopart=\"0\"/><gpu dev=\"1\"/>"))),
      ElementsAre(HasSubstr("E510")));
}

TEST(NcclXml, PassesOverWhatItDoesNotKnow) {
  std::string content = "0";
  content += gpu("0000:01:00.0", "<gpu dev=\"0\" shiny=\"1\"/>");
  content += "1";
  content += gpu("0000:02:00.0", "<gpu dev=\"1\" shiny=\"1\"/><novelty><gpu dev=\"5\"/></novelty>");
  const Inventory host = read(one_cpu(content));
  const auto items = host.warnings.items();
  ASSERT_EQ(items.size(), 3u) << render(host.warnings);
  std::vector<std::string> codes;
  for (const auto& item : items) codes.push_back(item.code);
  EXPECT_THAT(codes, ElementsAre("W503", "W502", "W501"));
  EXPECT_EQ(host.numa_nodes[0].devices.size(), 2u);
}

TEST(NcclXml, WarnsOfSharedBusIds) {
  const Inventory host =
      read(one_cpu(gpu("0000:01:00.0") + "\n<pci busid=\"0000:01:00.0\" class=\"0x020700\"/>"));
  ASSERT_EQ(host.warnings.items().size(), 1u);
  EXPECT_EQ(host.warnings.items()[0].code, "W504");
}

TEST(NcclXml, CodesAreSortedAndUnique) {
  const auto codes = import_codes::all();
  ASSERT_FALSE(codes.empty());
  for (std::size_t i = 1; i < codes.size(); ++i) EXPECT_LT(codes[i - 1].code, codes[i].code);
}

}  // namespace nccl_xml_test
}  // namespace vgsim::topology::testing
