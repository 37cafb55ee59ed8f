#include <fmt/core.h>
#include <gtest/gtest.h>

#include <string>

#include "hwloc_fixture.hpp"
#include "topology/importers/hwloc/hwloc_xml.hpp"

namespace vgsim::topology {
namespace hwloc_xml_errors_test {

using pci_testing::codes_of;
using pci_testing::host_bridge;
using pci_testing::hwloc_host;
using pci_testing::Imported;
using pci_testing::kNic;
using pci_testing::pci;
using pci_testing::read_hwloc;
using pci_testing::sets;
using pci_testing::two_gpus;

TEST(HwlocXmlErrors, VersionThreeIsRefusedWithAWayOut) {
  std::string text = hwloc_host("");
  text.replace(text.find("2.0\""), 3, "3.0");
  EXPECT_TRUE(is_hwloc_xml(text));
  const Imported stated = read_hwloc(text);
  EXPECT_EQ(codes_of(stated), "E535");
  EXPECT_NE(stated.error().items().front().expected.find("--export-xml-flags v2"),
            std::string::npos);
}

TEST(HwlocXmlErrors, IsToldFromOtherTexts) {
  EXPECT_TRUE(is_hwloc_xml(hwloc_host("")));
  EXPECT_TRUE(is_hwloc_xml("<!-- licence -->\n<topology version=\"2.0\">\n<object type="));
  for (const char* text :
       {"", "<topology/>", "<topologydiff><object", "<topology version=\"2.0\">", "<system>",
        "<!-- <topology><object", "Machine (P#0 total=252GiB)", "-[0000:00]-"}) {
    EXPECT_FALSE(is_hwloc_xml(text)) << text;
  }
}

TEST(HwlocXmlErrors, WhatLstopoPrintsIsRefusedWithAWayOut) {
  const std::string text = "Machine (P#0 total=64GiB)\n  Package L#0 (P#0)\n    Core L#0 (P#0)\n";
  EXPECT_TRUE(is_lstopo_text(text));
  EXPECT_FALSE(is_lstopo_text(hwloc_host("")));
  EXPECT_EQ(codes_of(read_hwloc(text)), "E531");
}

TEST(HwlocXmlErrors, SaysWhyAFileIsNotRead) {
  EXPECT_EQ(codes_of(read_hwloc("")), "E502");
  EXPECT_EQ(codes_of(read_hwloc("<system version=\"1\"/>")), "E531");
  EXPECT_EQ(codes_of(read_hwloc("<topology version=\"2.0\"/>")), "E534");
  EXPECT_EQ(codes_of(read_hwloc("<topology version=\"x\"/>")), "E535");
  EXPECT_EQ(codes_of(read_hwloc(hwloc_host("").substr(0, 500))), "E502");
  EXPECT_EQ(codes_of(read_hwloc("<!DOCTYPE topology [<!ENTITY x SYSTEM \"file:///etc/passwd\">]>"
                                "<topology>&x;</topology>")),
            "E503");
  EXPECT_EQ(codes_of(read_hwloc(std::string(17u << 20, ' '))), "E504");
  EXPECT_EQ(codes_of(read_hwloc(
                "<topology><object type=\"Machine\" cpuset=\"0x1\">"
                "<object type=\"PU\" os_index=\"0\" cpuset=\"0x1\"/></object></topology>")),
            "E532");
  EXPECT_EQ(codes_of(read_hwloc(
                "<topology><object type=\"Machine\" cpuset=\"0x1\"><object type=\"OSDev\">"
                "<object type=\"Core\" cpuset=\"0x1\"/></object></object></topology>")),
            "E534");
}

TEST(HwlocXmlErrors, BadValuesAreAllReportedAtTheirPlace) {
  std::string text = hwloc_host(two_gpus());
  const auto spoil = [&](const std::string& good, const std::string& bad) {
    ASSERT_NE(text.find(good), text.npos) << good;
    text.replace(text.find(good), good.size(), bad);
  };
  spoil("pci_busid=\"0000:3d:00.0\"", "pci_busid=\"0000:3d:00\"");
  spoil("bridge_type=\"0-1\"", "bridge_type=\"7-9\"");
  spoil("bridge_pci=\"0000:[3f-3f]\"", "bridge_pci=\"0000:3f\"");
  spoil("type=\"Core\" os_index=\"0\" cpuset=\"0x0", "type=\"Core\" os_index=\"0\" cpuset=\"zzz");
  spoil("type=\"PU\" os_index=\"1\"", "type=\"PU\" os_index=\"4294967295\"");
  const Imported stated = read_hwloc(text);
  ASSERT_FALSE(stated);
  EXPECT_EQ(codes_of(stated), "E534 E534 E534 E534 E534");
  const input::Diagnostic first = stated.error().items().front();
  EXPECT_EQ(text.substr(first.location.offset, 3), "zzz");
}

TEST(HwlocXmlErrors, OddValuesArePassedOver) {
  const Imported stated = read_hwloc(hwloc_host(host_bridge(
      "00-00", pci("0000:00:05.0", kNic, "nan") + pci("0000:00:06.0", "0207 15b3", "1.0"))));
  ASSERT_TRUE(stated);
  EXPECT_EQ(codes_of(stated), "W531 W531");
}

TEST(HwlocXmlErrors, IsBounded) {
  std::string devices;
  for (int i = 0; i < 4200; ++i) {
    devices += pci(fmt::format("{:04x}:{:02x}:{:02x}.{}", i / 2048, i / 256 % 8, i / 8 % 32, i % 8),
                   kNic, "0");
  }
  EXPECT_EQ(codes_of(read_hwloc(hwloc_host(host_bridge("00-07", devices)))), "E533");

  std::string deep;
  for (int i = 0; i < 40; ++i) deep = "<object type=\"Group\">" + deep + "</object>";
  EXPECT_EQ(codes_of(read_hwloc(hwloc_host(deep))), "E504");

  std::string nodes;
  for (int i = 2; i < 1100; ++i) {
    nodes += fmt::format(R"(<object type="NUMANode" os_index="{}" {}/>)", i, sets("0x3", "0x1"));
  }
  EXPECT_EQ(codes_of(read_hwloc(hwloc_host("", "", nodes))), "E533");
}

}  // namespace hwloc_xml_errors_test
}  // namespace vgsim::topology
