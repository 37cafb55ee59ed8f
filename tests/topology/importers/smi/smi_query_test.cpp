#include "smi_fixture.hpp"
#include "topology/importers/smi/smi_parts.hpp"

namespace vgsim::topology::testing {
namespace smi_query_test {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const inventory::Gpu& gpu(const SmiResult& host, std::size_t i) {
  return *host->unplaced.at(i).gpu;
}

std::string xml_gpu(const std::string& bus_id, const std::string& content) {
  return fmt::format("<gpu id=\"{}\">{}</gpu>\n", bus_id, content);
}

std::string xml_log(const std::string& attached, const std::string& gpus) {
  return fmt::format(
      "<?xml version=\"1.0\" ?>\n<!DOCTYPE nvidia_smi_log SYSTEM \"nvsmi_device_v12.dtd\">\n"
      "<nvidia_smi_log>\n<driver_version>535.54.03</driver_version>\n"
      "<attached_gpus>{}</attached_gpus>\n{}</nvidia_smi_log>\n",
      attached, gpus);
}

std::string xml_link(const char* max, const char* device, const char* host, const char* now) {
  return fmt::format(
      "<pci><pci_gpu_link_info><pcie_gen><max_link_gen>{}</max_link_gen><current_link_gen>{}"
      "</current_link_gen><max_device_link_gen>{}</max_device_link_gen><max_host_link_gen>{}"
      "</max_host_link_gen></pcie_gen><link_widths><max_link_width>16x</max_link_width>"
      "<current_link_width>8x</current_link_width></link_widths></pci_gpu_link_info></pci>",
      max, now, device, host);
}

const std::string kFullGpu =
    "<product_name>NVIDIA H100 PCIe</product_name><uuid>GPU-aa11</uuid>"
    "<mig_mode><current_mig>Enabled</current_mig><pending_mig>Disabled</pending_mig></mig_mode>"
    "<mig_devices><mig_device><index>0</index><fb_memory_usage><total>9984 MiB</total>"
    "</fb_memory_usage></mig_device></mig_devices>"
    "<platformInfo><module_id>4</module_id></platformInfo>"
    "<gpu_virtualization_mode><virtualization_mode>Host VGPU</virtualization_mode>"
    "</gpu_virtualization_mode>"
    "<pci><pci_base_class>3</pci_base_class><pci_sub_class>2</pci_sub_class>"
    "<pci_device_id>233110DE</pci_device_id><pci_bus_id>00000000:3B:00.0</pci_bus_id>"
    "<pci_sub_system_id>162610DE</pci_sub_system_id></pci>"
    "<fb_memory_usage><total>81559 MiB</total></fb_memory_usage>";

TEST(SmiQueryXml, AGpuHasItsIdentityAndModes) {
  const std::string text = xml_log("1", xml_gpu("00000000:3B:00.0", kFullGpu));
  EXPECT_TRUE(is_smi_query_xml(text));
  const auto host = read_with(read_smi_query_xml, text);
  ASSERT_TRUE(host) << input::render(host.error());
  EXPECT_EQ(value_of(host->driver), "535.54.03");
  ASSERT_EQ(host->unplaced.size(), 1U);
  const auto& device = host->unplaced[0];
  EXPECT_EQ(device.kind, inventory::DeviceKind::kGpu);
  EXPECT_EQ(device.bus_id, "0000:3b:00.0");
  EXPECT_EQ(value_of(device.name), "NVIDIA H100 PCIe");
  EXPECT_EQ(value_of(device.vendor) + ":" + value_of(device.device), "10de:2331");
  EXPECT_EQ(value_of(device.subsystem_vendor) + ":" + value_of(device.subsystem_device),
            "10de:1626");
  EXPECT_EQ(value_of(device.pci_class), "0302");
  EXPECT_EQ(value_of(device.gpu->memory).count(), 81559LL << 20);
  EXPECT_TRUE(value_of(device.gpu->mig));
  EXPECT_EQ(value_of(device.gpu->module_id), 4);
  EXPECT_EQ(value_of(device.gpu->virtualization), "Host VGPU");
  EXPECT_EQ(value_of(device.gpu->uuid), "GPU-aa11");
  EXPECT_EQ(device.gpu->index->source, "smi.txt");
  EXPECT_FALSE(device.link);
  EXPECT_THAT(host->skipped, ElementsAre(HasSubstr("MIG instances")));
}

TEST(SmiQueryXml, WhatIsNotAvailableIsNotTold) {
  const auto host =
      read_with(read_smi_query_xml,
                xml_log("1", xml_gpu("00000000:3B:00.0",
                                     "<product_name>[Unknown Error]</product_name><uuid>N/A</uuid>"
                                     "<mig_mode><current_mig>N/A</current_mig></mig_mode>"
                                     "<fb_memory_usage><total>N/A</total></fb_memory_usage>")));
  ASSERT_TRUE(host);
  EXPECT_FALSE(host->unplaced[0].name);
  EXPECT_FALSE(gpu(host, 0).uuid);
  EXPECT_FALSE(gpu(host, 0).mig);
  EXPECT_FALSE(gpu(host, 0).memory);
  EXPECT_THAT(messages_of(host), IsEmpty());
}

TEST(SmiQueryXml, ALinkIsAsFastAsItsSlowerEnd) {
  const auto link = [](const char* max, const char* device, const char* host, const char* now) {
    const auto read =
        read_with(read_smi_query_xml,
                  xml_log("1", xml_gpu("00000000:3B:00.0", xml_link(max, device, host, now))));
    return link_of(read->unplaced.at(0).link) + ", now " + link_of(read->unplaced[0].link_now);
  };
  EXPECT_EQ(link("4", "5", "4", "1"), "gen4 x16, now gen1 x8");
  EXPECT_EQ(link("5", "5", "4", "4"), "gen4 x16, now gen4 x8");
  EXPECT_EQ(link("5", "N/A", "N/A", "5"), "gen5 x16, now gen5 x8");
  EXPECT_EQ(link("N/A", "5", "N/A", "N/A"), "-, now -");
  EXPECT_EQ(link("9", "5", "5", "0"), "-, now -");
}

TEST(SmiQueryXml, ARootPortIsNotSlowerThanTheLinkRuns) {
  const auto host = read_with(
      read_smi_query_xml, xml_log("1", xml_gpu("00000000:3B:00.0", xml_link("6", "6", "4", "6"))));
  ASSERT_TRUE(host);
  EXPECT_EQ(link_of(host->unplaced[0].link), "gen6 x16");
  EXPECT_THAT(messages_of(host), ElementsAre(HasSubstr("is ignored: 0000:3b:00.0")));
}

TEST(SmiQueryXml, NumbersAreKnownOnlyIfAllGpusAreThere) {
  const std::string two = xml_gpu("00000000:3B:00.0", "") + xml_gpu("00000000:86:00.0", "");
  const auto all = read_with(read_smi_query_xml, xml_log("2", two));
  EXPECT_EQ(value_of(gpu(all, 1).index), 1);
  const auto some = read_with(read_smi_query_xml, xml_log("8", two));
  EXPECT_FALSE(gpu(some, 0).index);
  EXPECT_THAT(some->skipped, ElementsAre(HasSubstr("2 of 8 GPUs")));
  const auto untold = read_with(read_smi_query_xml, xml_log("N/A", two));
  EXPECT_EQ(gpu(untold, 1).index->source, inventory::kAssumed);
  EXPECT_EQ(untold->assumed.size(), 1U);
}

TEST(SmiQueryXml, ModuleIdsOfPcieCardsAreAllTheSame) {
  const std::string module = "<platformInfo><module_id>1</module_id></platformInfo>";
  const auto host = read_with(
      read_smi_query_xml,
      xml_log("2", xml_gpu("00000000:3B:00.0", module) + xml_gpu("00000000:86:00.0", module)));
  ASSERT_TRUE(host);
  EXPECT_FALSE(gpu(host, 0).module_id);
  EXPECT_FALSE(gpu(host, 1).module_id);
  EXPECT_THAT(host->skipped, ElementsAre(HasSubstr("Module ids")));
}

TEST(SmiQueryXml, AFabricThatIsNotHealthyIsAWarning) {
  const auto fabric = [](const char* content) {
    return messages_of(read_with(
        read_smi_query_xml,
        xml_log("1", xml_gpu("00000000:3B:00.0", fmt::format("<fabric>{}</fabric>", content)))));
  };
  EXPECT_THAT(fabric("<state>Completed</state><status>Success</status>"
                     "<health><bandwidth>Full</bandwidth></health>"),
              IsEmpty());
  EXPECT_THAT(fabric("<state>N/A</state><status>N/A</status>"), IsEmpty());
  EXPECT_THAT(fabric("<state>In Progress</state>"),
              ElementsAre(HasSubstr("(registration: In Progress): 0000:3b:00.0")));
  EXPECT_THAT(
      fabric("<health><summary>Unhealthy</summary><bandwidth>Degraded</bandwidth></health>"),
      ElementsAre(HasSubstr("health: Unhealthy"), HasSubstr("bandwidth: Degraded")));
}

TEST(SmiQueryXml, OtherHostsOfAFabricAreMentioned) {
  const auto host = read_with(
      read_smi_query_xml, xml_log("1", xml_gpu("00000000:3B:00.0",
                                               "<fabric><cliqueId>7</cliqueId><clusterUuid>c0ffee"
                                               "</clusterUuid></fabric>")));
  ASSERT_TRUE(host);
  EXPECT_THAT(host->skipped, ElementsAre(HasSubstr("cluster c0ffee, clique 7")));
}

TEST(SmiQueryXml, ValuesThatCannotBeAreWarnings) {
  const auto host =
      read_with(read_smi_query_xml,
                xml_log("1", xml_gpu("3B:00",
                                     "<fb_memory_usage><total>many</total></fb_memory_usage>"
                                     "<pci><pci_device_id>H100</pci_device_id></pci>"
                                     "<mig_mode><current_mig>Perhaps</current_mig></mig_mode>")));
  ASSERT_TRUE(host);
  EXPECT_EQ(host->unplaced[0].bus_id, "");
  EXPECT_THAT(messages_of(host),
              ::testing::UnorderedElementsAre(
                  HasSubstr("The bus id cannot be read"), HasSubstr("The memory size"),
                  HasSubstr("The PCI device id"), HasSubstr("The MIG mode")));
}

TEST(SmiQueryXml, OneBusIdIsOneGpu) {
  const auto host = read_with(read_smi_query_xml, xml_log("2", xml_gpu("00000000:3B:00.0", "") +
                                                                   xml_gpu("0000:3b:00.0", "")));
  ASSERT_FALSE(host);
  EXPECT_THAT(codes_of(host.error()), ElementsAre("7:2 E534"));
}

TEST(SmiQueryXml, BrokenXmlIsRefusedWhereItBreaks) {
  EXPECT_THAT(messages_of(read_with(read_smi_query_xml, "<nvidia_smi_log><gpu")),
              ElementsAre(HasSubstr("ends too early")));
  EXPECT_THAT(messages_of(read_with(read_smi_query_xml, "<nvidia_smi_log></nvidia_smi_log>")),
              ElementsAre(HasSubstr("no GPU")));
  EXPECT_THAT(
      messages_of(read_with(read_smi_query_xml,
                            "<!DOCTYPE nvidia_smi_log [<!ENTITY a \"b\">]><nvidia_smi_log/>")),
      ElementsAre(HasSubstr("DOCTYPE")));
}

TEST(SmiQueryXml, LogsMayStandBetweenOtherText) {
  const std::string idle = xml_log("1", xml_gpu("00000000:3B:00.0", xml_link("5", "5", "5", "1")));
  const std::string busy = xml_log("1", xml_gpu("00000000:3B:00.0", xml_link("5", "5", "5", "5")));
  const auto host =
      read_with(read_smi_query_xml, "$ nvidia-smi -q -x\n" + idle + "$ # & now\n" + busy + "$\n");
  ASSERT_TRUE(host) << input::render(host.error());
  ASSERT_EQ(host->unplaced.size(), 1U);
  EXPECT_EQ(link_of(host->unplaced[0].link_now), "gen5 x8");
  const auto bad = read_with(read_smi_query_xml, "$ nvidia-smi\n<nvidia_smi_log></gpu>");
  EXPECT_THAT(codes_of(bad.error()), ElementsAre(HasSubstr("2:")));
}

constexpr const char* kText =
    "==============NVSMI LOG==============\n\n"
    "Driver Version                        : 510.85.03\n"
    "Attached GPUs                         : 2\n"
    "GPU 00000000:82:00.0\n"
    "    Product Name                      : Tesla P40\n"
    "    MIG Mode\n"
    "        Current                       : Disabled\n"
    "    MIG Device\n"
    "        FB Memory Usage\n"
    "            Total                     : 9984 MiB\n"
    "    GPU UUID                          : GPU-aa11\n"
    "    Module ID                         : 3\n"
    "    GPU Virtualization Mode\n"
    "        Virtualization Mode           : Host VGPU\n"
    "    PCI\n"
    "        Device Id                     : 0x1B3810DE\n"
    "        Bus Id                        : 00000000:82:00.0\n"
    "        Sub System Id                 : 0x11D910DE\n"
    "        GPU Link Info\n"
    "            PCIe Generation\n"
    "                Max                   : 3\n"
    "                Current               : 1\n"
    "            Link Width\n"
    "                Max                   : 16x\n"
    "                Current               : 16x\n"
    "    FB Memory Usage\n"
    "        Total                         : 23040 MiB\n"
    "    BAR1 Memory Usage\n"
    "        Total                         : 32768 MiB\n"
    "    Fabric\n"
    "        State                         : Completed\n"
    "        Health\n"
    "            Summary                   : Limited Capacity\n"
    "GPU 00000000:C1:00.0\n"
    "    Product Name                      : Tesla P40\n";

TEST(SmiQueryText, TellsWhatTheXmlTells) {
  EXPECT_TRUE(is_smi_query_text(kText));
  const auto host = read_with(read_smi_query_text, kText);
  ASSERT_TRUE(host) << input::render(host.error());
  EXPECT_EQ(value_of(host->driver), "510.85.03");
  ASSERT_EQ(host->unplaced.size(), 2U);
  const auto& device = host->unplaced[0];
  EXPECT_EQ(device.bus_id, "0000:82:00.0");
  EXPECT_EQ(value_of(device.device) + ":" + value_of(device.subsystem_device), "1b38:11d9");
  EXPECT_EQ(link_of(device.link), "gen3 x16");
  EXPECT_EQ(link_of(device.link_now), "gen1 x16");
  EXPECT_EQ(value_of(device.gpu->memory).count(), 23040LL << 20);
  EXPECT_EQ(value_of(device.gpu->module_id), 3);
  EXPECT_EQ(value_of(device.gpu->virtualization), "Host VGPU");
  EXPECT_EQ(value_of(gpu(host, 1).index), 1);
  EXPECT_THAT(codes_of(host->warnings), ElementsAre("34:41 W531"));
}

TEST(SmiQueryText, ARecordingOfTwoHostsIsRefused) {
  std::string other = kText;
  other.replace(other.find("GPU-aa11"), 8, "GPU-bb22");
  const auto host = read_with(read_smi_query_text, kText + other);
  ASSERT_FALSE(host);
  EXPECT_THAT(messages_of(host), Contains(HasSubstr("one host in one file")));
}

TEST(SmiQueryText, WithoutAHeaderTheGpusHaveNoNumbers) {
  const auto host = read_with(read_smi_query_text,
                              "GPU 00000000:82:00.0\n    FB Memory Usage\n        Total : 5 MiB\n");
  ASSERT_TRUE(host);
  EXPECT_FALSE(gpu(host, 0).index);
  EXPECT_EQ(value_of(gpu(host, 0).memory).count(), 5LL << 20);
}

TEST(SmiQueryText, OtherTextTellsNothing) {
  EXPECT_FALSE(is_smi_query_text("Driver Version : 5\nGPU 00000000:82:00.0\n    Product Name\n"));
  const auto host = read_with(read_smi_query_text, "Attached GPUs : 0\n");
  ASSERT_FALSE(host);
  EXPECT_THAT(codes_of(host.error()), ElementsAre("1:1 E532"));
}

TEST(SmiQueryText, TitlesMayBeNestedAsDeepAsTheyLike) {
  std::string text = "GPU 00000000:82:00.0\n    Product Name : A\n";
  for (std::size_t depth = 1; depth < 300; ++depth) text += std::string(depth, ' ') + "a : b\n";
  const auto host = read_with(read_smi_query_text, text);
  ASSERT_TRUE(host);
  EXPECT_EQ(value_of(host->unplaced.at(0).name), "A");
}

TEST(SmiQueryCsv, PropertiesAreReadByName) {
  const char* text =
      "$ nvidia-smi --query-gpu=... --format=csv\n"
      "name, pci.bus_id, compute_cap, memory.total [MiB], index, hostname, driver_version\n"
      "NVIDIA B300, 00000000:3B:00.0, 10.3, 275040 MiB, 0, node7, 580.1\n"
      "NVIDIA B300, 00000000:86:00.0, [N/A], 275040, 1, node7, 580.1\n";
  EXPECT_TRUE(is_smi_query_csv(text));
  const auto host = read_with(read_smi_query_csv, text);
  ASSERT_TRUE(host) << input::render(host.error());
  EXPECT_EQ(value_of(host->name), "node7");
  EXPECT_EQ(value_of(host->driver), "580.1");
  ASSERT_EQ(host->unplaced.size(), 2U);
  EXPECT_EQ(value_of(gpu(host, 0).sm), 103);
  EXPECT_FALSE(gpu(host, 1).sm);
  EXPECT_EQ(value_of(gpu(host, 1).memory).count(), 275040LL << 20);
  EXPECT_EQ(value_of(gpu(host, 1).index), 1);
}

TEST(SmiQueryCsv, ListsOfProcessesAndPagesAreOthers) {
  EXPECT_FALSE(is_smi_query_csv("gpu_name, gpu_bus_id, pid\nA, 00000000:3B:00.0, 5\n"));
  EXPECT_FALSE(is_smi_query_csv("gpu_uuid, retired_pages.address\nA, [N/A]\n"));
  EXPECT_FALSE(is_smi_query_csv("index, uuid\n"));
  EXPECT_FALSE(is_smi_query_csv("name, power.draw [W]\nA, 5 W\n"));
  const auto host = read_with(read_smi_query_csv, "index, uuid\n");
  ASSERT_FALSE(host);
  EXPECT_THAT(codes_of(host.error()), ElementsAre("1:1 E532"));
}

}  // namespace smi_query_test
}  // namespace vgsim::topology::testing
