#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "models/vsphere/import/esxcli/esxcli.hpp"
#include "models/vsphere/import/ovf/ovf.hpp"
#include "models/vsphere/import/rvtools/rvtools.hpp"
#include "models/vsphere/import/vim/vim.hpp"
#include "models/vsphere/import/vmx/vmx.hpp"
#include "tests/models/vsphere/import/facts_fixture.hpp"
#include "tests/support/growth.hpp"

namespace vgsim::vsphere::import {
namespace hostile_test {

struct Named {
  const char* name;
  tl::expected<VsphereFacts, input::Diagnostics> (*read)(const input::SourcePtr&);
};
constexpr Named kReaders[] = {{"vmx", read_vmx},
                              {"ovf", read_ovf},
                              {"vim", read_vim},
                              {"esxcli", read_esxcli},
                              {"rvtools", read_rvtools}};

/// Reads a text as every format; whatever comes of it, errors lie in the file.
void read_as_all(const std::string& text) {
  for (const Named& reader : kReaders) {
    const auto reading = testing::read_text(reader.read, text);
    for (const input::Diagnostic& item : reading.messages.items()) {
      EXPECT_FALSE(item.code.empty());
      ASSERT_NE(item.location.source, nullptr) << item.message;
      EXPECT_LE(item.location.offset, item.location.source->text.size()) << item.message;
    }
    (void)is_vmx(text);
    (void)is_ovf(text);
    (void)is_vim(text);
    (void)is_esxcli(text);
    (void)is_rvtools(text);
  }
}

std::string repeated(const std::string& part, std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) text += part;
  return text;
}

TEST(Hostile, OddTextsAreReadWithoutHarm) {
  const std::vector<std::string> texts = {
      "",
      "\n",
      "\xEF\xBB\xBF",
      "\xFF\xFE",
      "\xFE\xFF\xD8",
      std::string(3, '\0'),
      "[",
      "{",
      "<",
      "\"",
      "[{\"key\": \"",
      "[[[[[[",
      "{\"obj\": {\"type\": \"HostSystem\"}, \"propSet\": {\"name\": \"a.b\", \"val\": 1}}",
      "{\"obj\": 1, \"changeSet\": [{\"name\": \"....\", \"val\": {}}]}",
      "[{\"name\": \"config[\", \"val\": [1]}]",
      "[{\"name\": \"config.extraConfig[\\\"a.b\\\"]\", \"val\": {\"key\": \"a\"}}]",
      "{\"hostSystems\": [1, null, [], {\"hardware\": {\"pciDevice\": [[]]}}]}",
      "{\"virtualMachines\": [{\"config\": {\"hardware\": {\"device\": [{\"backing\": []}]}}}]}",
      "pciPassthru.id = \"1\"\npciPassthru99999.id = \"1\"\npciPassthru0. = \"\"",
      "pciPassthru0.id = \"|\"\nmemsize = \"|4\"\nnumvcpus = \"|zz\"",
      "ethernet.present = \"TRUE\"\nethernet0 = \"x\"\nmemsize=",
      "Address: \nVendor ID: 0x\nDevice ID: 0xfffffffffffffffff",
      "--  --\na  b  c\n",
      "Device ID  Enabled\n--\n0000:01:00.0\n",
      "0000:01:00.0 \n0000:01:00.0 x [vmnic\n0000:01:00.0 ]\n0000:01:00.0 [vmnic0]",
      "Host,CPU Model,# CPU,# Cores\n\"",
      "sep=",
      "sep=;\n",
      "<Envelope><VirtualSystem><VirtualHardwareSection><Item/><Config/><ExtraConfig/>"
      "</VirtualHardwareSection><VirtualDeviceGroupSection><DeviceGroup/>"
      "</VirtualDeviceGroupSection></VirtualSystem></Envelope>",
      "<ObjectContent><obj/><propSet/><propSet><name/><val/></propSet></ObjectContent>",
      "<a xsi:type=\"ArrayOf\"><b/></a>",
  };
  for (const std::string& text : texts) {
    SCOPED_TRACE(text);
    read_as_all(text);
  }
}

/// Reads a text of many parts as every format.
void read_large(const std::function<std::string(std::size_t parts)>& text) {
  constexpr std::size_t kParts = 60'000;
  read_as_all(text(kParts));
  for (const Named& reader : kReaders) {
    const auto read = [&](const std::string& whole) {
      (void)testing::read_text(reader.read, whole);
    };
    EXPECT_TRUE(test::is_read_in_linear_time(text, read, kParts)) << reader.name << "\n" << text(1);
  }
}

/// Repetitions of `part` between `begin` and `end`.
void read_repeated(const std::string& begin, const std::string& part, const std::string& end) {
  read_large([&](std::size_t parts) { return begin + repeated(part, parts) + end; });
}

TEST(Hostile, LargeTextsAreReadInLinearTime) {
  read_repeated("", "pciPassthru0.id = \"00000:026:00.1\"\n", "");
  read_repeated("", "0000:01:00.0\n   Address: 0000:01:00.0\n   Vendor ID: 0x10de\n", "");
  read_repeated("", "0000:01:00.0 Network controller: x [PF_0.1.0_VF_0]\n", "");
  read_repeated("Name  PCI Device  MAC Address\n----  ----------  -----------\n",
                "vmnic1  0000:01:00.0  aa\n", "");
  read_repeated("VM,Powerstate,CPUs,Memory\n", "a,poweredOn,1,1\n", "");
  read_repeated("{\"hostSystems\": [", "{\"name\": \"a\", \"hardware\": {}},", "1]}");
  read_repeated("[", "{\"name\": \"config.a\", \"val\": 1},", "1]");
  read_repeated("{\"pciDevice\": [",
                "{\"id\": \"0000:01:00.0\", \"classId\": 512, \"vendorId\": 1},", "1]}");
  read_repeated("<ObjectContent>", "<a><b>1</b></a>", "</ObjectContent>");
  read_repeated("<Envelope>", "<VirtualSystem/>", "</Envelope>");
  for (const char* part : {"[", "<a>", "\"", "{}"}) read_repeated("", part, "");
}

}  // namespace hostile_test
}  // namespace vgsim::vsphere::import
