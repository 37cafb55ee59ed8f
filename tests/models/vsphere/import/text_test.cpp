#include <gtest/gtest.h>

#include "models/vsphere/import/pci_ids.hpp"
#include "models/vsphere/import/reading.hpp"
#include "models/vsphere/import/utf8_source.hpp"
#include "tests/models/vsphere/import/facts_fixture.hpp"

namespace vgsim::vsphere::import {
namespace text_test {

using topology::inventory::DeviceKind;

TEST(Text, ResultsArePrintableAndShort) {
  EXPECT_EQ(printable("  vm\x01\xC3\xA9 \n"), "vm???");
  EXPECT_EQ(printable(std::string(400, 'x')).size(), 255U);
  EXPECT_EQ(printable(""), "");
}

TEST(Text, HeadingsAreTheSameInEveryVersion) {
  EXPECT_EQ(bare_key("Vendor ID"), "vendorid");
  EXPECT_EQ(bare_key("VendorID"), "vendorid");
  EXPECT_EQ(bare_key("# CPU"), "numcpu");
  EXPECT_EQ(bare_key("Shared Passthru Assignment Policy"), "sharedpassthruassignmentpolicy");
}

TEST(Text, NumbersAreReadWholeOrNotAtAll) {
  EXPECT_EQ(whole_number(" -32634 "), -32634);
  EXPECT_EQ(whole_number("+5"), 5);
  EXPECT_EQ(whole_number("+-5"), std::nullopt);
  EXPECT_EQ(whole_number("5x"), std::nullopt);
  EXPECT_EQ(whole_number(""), std::nullopt);
  EXPECT_EQ(whole_number("99999999999999999999"), std::nullopt);
  EXPECT_EQ(hex_number("0x10de"), 0x10de);
  EXPECT_EQ(hex_number("10DE"), 0x10de);
  EXPECT_EQ(hex_number("-1"), std::nullopt);
  EXPECT_EQ(any_number("0x10"), 16);
  EXPECT_EQ(any_number("10"), 10);
}

TEST(Text, CpusBecomeRanges) {
  EXPECT_EQ(cpu_ranges({5, 0, 1, 2, 7, 8, 1}), "0-2,5,7-8");
  EXPECT_EQ(cpu_ranges({}), "");
}

TEST(Text, LinesEndInEveryWay) {
  Lines lines("a\r\nb\rc\n\nd");
  std::string joined;
  while (const auto line = lines.next()) joined += std::string(line->text) + "|";
  EXPECT_EQ(joined, "a|b|c||d|");
}

TEST(Text, ASentenceListsFiveAndCountsTheRest) {
  topology::DeviceSentences sentences;
  for (int i = 0; i < 7; ++i) sentences.add("left out", "d" + std::to_string(i));
  sentences.add("alone");
  sentences.add("alone");
  std::vector<std::string> stated;
  sentences.tell(stated);
  EXPECT_EQ(stated, (std::vector<std::string>{"left out: d0, d1, d2, d3, d4 and 2 more", "alone"}));
}

TEST(Utf8Source, WindowsFilesAreConverted) {
  const auto text = [](std::string bytes) {
    return in_utf8(input::make_source("f", std::move(bytes)))->text;
  };
  EXPECT_EQ(text("\xEF\xBB\xBFVM"), "VM");
  EXPECT_EQ(text(testing::utf16("VM,Host")), "VM,Host");
  EXPECT_EQ(text(testing::utf16("VM,Host", false)), "VM,Host");
  EXPECT_EQ(text(std::string("\xFF\xFE\xE4\x00\x3D\xD8\x00\xDE", 8)), "\xC3\xA4\xF0\x9F\x98\x80");
  // A half of a pair, and half a unit at the end.
  EXPECT_EQ(text(std::string("\xFF\xFE\x3D\xD8\x41\x00\x42", 7)),
            "\xEF\xBF\xBD"
            "A");
  EXPECT_EQ(text("plain"), "plain");
}

TEST(PciIds, TheApiHasSignedIds) {
  EXPECT_EQ(pci_id(-32634), "8086");
  EXPECT_EQ(pci_id(4318), "10de");
  EXPECT_EQ(pci_id(32902), "8086");
  EXPECT_EQ(pci_id(-32769), "");
  EXPECT_EQ(pci_id(65536), "");
}

TEST(PciIds, VmxAddressesAreDecimal) {
  EXPECT_EQ(decimal_bus_id("00000:026:00.1"), "0000:1a:00.1");
  EXPECT_EQ(decimal_bus_id("00000:175:31.7"), "0000:af:1f.7");
  EXPECT_EQ(decimal_bus_id("130:00.0"), "0000:82:00.0");
  EXPECT_EQ(decimal_bus_id("0:66:0.0"), "0000:42:00.0");
  EXPECT_EQ(decimal_bus_id("65537:01:00.0"), "10001:01:00.0");
  for (const char* bad : {"", "0", "26.0", "0:256:0.0", "0:1:32.0", "0:1:0.8", "0:1:0", "af:00.0",
                          "0000:af:00.0", "1:2:3:4.0", "-1:0:0.0", "0:1:0.0x", "0: 1:0.0"}) {
    EXPECT_EQ(decimal_bus_id(bad), "") << bad;
  }
}

TEST(PciIds, OtherAddressesAreHex) {
  EXPECT_EQ(hex_bus_id("0000:1A:00.1"), "0000:1a:00.1");
  EXPECT_EQ(hex_bus_id("05:00.0"), "0000:05:00.0");
  EXPECT_EQ(hex_bus_id("00000000:3b:00.0"), "0000:3b:00.0");
  EXPECT_EQ(hex_bus_id("Pseudo"), "");
  EXPECT_EQ(esxcli_bus_id("PCI 0:174:0:0"), "0000:ae:00.0");
  EXPECT_EQ(esxcli_bus_id("PCI 0:256:0:0"), "");
  EXPECT_EQ(esxcli_bus_id("0:174:0:0"), "");
  EXPECT_EQ(esxcli_bus_id(""), "");
  EXPECT_EQ(bus_of("0000:1a:00.1"), "0000:1a");
}

TEST(PciIds, KindsFollowFromClassAndVendor) {
  EXPECT_EQ(device_kind("0302", "10de"), DeviceKind::kGpu);
  EXPECT_EQ(device_kind("0300", "10de"), DeviceKind::kGpu);
  EXPECT_EQ(device_kind("0300", "1a03"), std::nullopt) << "display of a management controller";
  EXPECT_EQ(device_kind("0380", "1002"), DeviceKind::kGpu);
  EXPECT_EQ(device_kind("1200", "1002"), DeviceKind::kGpu);
  EXPECT_EQ(device_kind("0207", "15b3"), DeviceKind::kNic);
  EXPECT_EQ(device_kind("0108", "144d"), DeviceKind::kStorage);
  EXPECT_EQ(device_kind("0680", "10de"), DeviceKind::kNvSwitch);
  EXPECT_EQ(device_kind("0680", "8086"), std::nullopt) << "part of a chipset";
  EXPECT_EQ(device_kind("0604", "1000"), DeviceKind::kBridge);
  EXPECT_EQ(device_kind("0403", "10de"), std::nullopt);
  EXPECT_EQ(device_kind("", ""), std::nullopt);
}

}  // namespace text_test
}  // namespace vgsim::vsphere::import
