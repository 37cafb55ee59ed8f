#include "topology/importers/nccl/nccl_xml_writer.hpp"

#include <gmock/gmock.h>

#include <filesystem>

#include "tests/support/extra.hpp"
#include "tests/topology/machine/small_hosts.hpp"
#include "topology/importers/topology_file/topology_file.hpp"
#include "topology/input/load_source.hpp"
#include "topology/machine/path_classes.hpp"

namespace vgsim::topology::inventory {
namespace nccl_xml_writer_test {

/// Through the inventory, a topology file and back to NCCL's form.
std::string there_and_back(const Inventory& host) {
  const auto read =
      read_topology_file(input::make_source("host.json", to_topology_text(host))).value();
  return to_nccl_xml(read);
}

TEST(NcclXmlWriter, ADumpComesBackAsItWas) {
  const Inventory host = parsed(two_socket_dump());
  EXPECT_EQ(there_and_back(host), to_nccl_xml(host));
}

TEST(NcclXmlWriter, WhatOnlyNcclUnderstandsIsPassedOn) {
  const std::string xml =
      "<system version=\"2\"><cpu numaid=\"1\" host_hash=\"0x1f\" arch=\"arm64\">"
      "<pci busid=\"0000:05:00.0\" class=\"0x120000\" vendor=\"0x1002\" device=\"0x74a1\" "
      "link_speed=\"32 GT/s\" link_width=\"0\"><gpu dev=\"3\" sm=\"304\" gcn=\"gfx942\" "
      "arch=\"38911\""
      " rank=\"3\" gdr=\"0\"><xgmi target=\"0000:06:00.0\" count=\"2\" tclass=\"0x120000\"/>"
      "<c2c bw=\"44712\" count=\"5\"/></gpu></pci>"
      "<nic><net name=\"eth0\" dev=\"7\" speed=\"10000\" port=\"0\" guid=\"0x0\" rail=\"2\" "
      "keep=\"1\" coll=\"1\"/></nic></cpu></system>";
  const Inventory host = parsed(xml);
  const std::string back = there_and_back(host);
  EXPECT_EQ(back, to_nccl_xml(host));
  for (const char* part :
       {"gcn=\"gfx942\"", "arch=\"38911\"", "<xgmi", "bw=\"44712\"", "rail=\"2\"", "keep=\"1\"",
        "host_hash=\"0x1f\"", "link_speed=\"32 GT/s\""}) {
    EXPECT_THAT(back, ::testing::HasSubstr(part));
  }
}

TEST(NcclXmlWriter, AFileOfSeveralHostsIsThatManyInventories) {
  std::string xml = "<system version=\"1\">";
  for (int host = 0; host < 3; ++host) {
    for (int numa = 0; numa < 2; ++numa) {
      xml += fmt::format("<cpu host_hash=\"0x{}\" numaid=\"{}\"/>", host + 1, numa);
    }
  }
  const auto hosts = hosts_of(parsed(xml + "</system>"));
  ASSERT_EQ(hosts.size(), 3u);
  for (const Inventory& host : hosts) EXPECT_EQ(host.numa_nodes.size(), 2u);
}

TEST(NcclXmlWriter, EveryValueNamesItsFile) {
  const Inventory host = two_socket_host();
  for_each_device(host, [](const Device& device) {
    EXPECT_EQ(device.pci_class->source, "host.xml");
    EXPECT_EQ(device.link->source, "host.xml");
  });
}

using ExtraNcclXmlWriter = test::NeedsExtraFiles;

TEST_F(ExtraNcclXmlWriter, AllDumpsComeBackAsTheyWere) {
  const std::filesystem::path folder = test::extra_files() / "topologies/nccl-xml";
  std::size_t read = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const auto system = read_nccl_xml(*input::load_source(entry.path().string()), NcclGpus::kAny);
    if (!system) {
      EXPECT_THAT(entry.path().string(), ::testing::HasSubstr("TRUNC")) << "cut files alone fail";
      continue;
    }
    ++read;
    const auto hosts = hosts_of(*system);
    ASSERT_EQ(hosts.size(), 1u) << entry.path();
    EXPECT_EQ(there_and_back(hosts.front()), to_nccl_xml(*system)) << entry.path();
    // The graph of the written file is that of the first.
    const std::string written = to_nccl_xml(*system);
    const auto again = parsed(written, entry.path().string());
    EXPECT_EQ(to_topology_text(again), to_topology_text(hosts.front())) << entry.path();
    EXPECT_EQ(path_classes(again).cells, path_classes(hosts.front()).cells) << entry.path();
  }
  EXPECT_EQ(read, 71u);
}

TEST(NcclXmlWriter, WhatAFileLeavesToNcclIsNotWritten) {
  const std::string xml =
      "<system version=\"2\"><cpu numaid=\"0\"><pci busid=\"0000:05:00.0\" class=\"0x020700\">"
      "<nic><net name=\"mlx5_0\" dev=\"0\" guid=\"12345\"/></nic></pci></cpu></system>";
  const std::string back = there_and_back(parsed(xml));
  EXPECT_THAT(back, ::testing::Not(::testing::HasSubstr("link_speed")));
  EXPECT_THAT(back, ::testing::Not(::testing::HasSubstr("link_width")));
  EXPECT_THAT(back, ::testing::HasSubstr("guid=\"0x3039\""))
      << "decimal digits, as NCCL reads them";
  EXPECT_THAT(back, ::testing::HasSubstr("<system version=\"2\">"));
}

}  // namespace nccl_xml_writer_test
}  // namespace vgsim::topology::inventory
