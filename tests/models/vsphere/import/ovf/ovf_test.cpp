#include "models/vsphere/import/ovf/ovf.hpp"

#include <gtest/gtest.h>

#include "tests/models/vsphere/import/facts_fixture.hpp"

namespace vgsim::vsphere::import {
namespace ovf_test {

using testing::Reading;
using testing::shown;

Reading read(const std::string& text) { return testing::read_text(read_ovf, text); }

/// An envelope with one VM that has this in its hardware section.
std::string with_hardware(const std::string& hardware, const std::string& before = "") {
  return R"(<?xml version="1.0"?>
<Envelope xmlns="http://schemas.dmtf.org/ovf/envelope/1" xmlns:ovf="http://schemas.dmtf.org/ovf/envelope/1"
  xmlns:rasd="r" xmlns:vssd="v" xmlns:vmw="http://www.vmware.com/schema/ovf">)" +
         before + R"(
  <VirtualSystem ovf:id="vm-id">
    <Name>train</Name>
    <OperatingSystemSection ovf:id="1" vmw:osType="ubuntu64Guest"><Info/></OperatingSystemSection>
    <VirtualHardwareSection>
      <System><vssd:VirtualSystemType>vmx-20 vmx-21</vssd:VirtualSystemType></System>)" +
         hardware + R"(
    </VirtualHardwareSection>
  </VirtualSystem>
</Envelope>)";
}

std::string item(const std::string& subtype, const std::string& more, int type = 1) {
  return fmt::format(
      "<Item><rasd:ElementName>PCI device 0</rasd:ElementName><rasd:ResourceSubType>{}"
      "</rasd:ResourceSubType><rasd:ResourceType>{}</rasd:ResourceType>{}</Item>",
      subtype, type, more);
}

std::string config(const std::string& key, const std::string& value) {
  return fmt::format("<vmw:Config ovf:required=\"false\" vmw:key=\"{}\" vmw:value=\"{}\"/>", key,
                     value);
}

std::string amount(int type, const std::string& quantity, const std::string& more = "") {
  return fmt::format(
      "<Item><rasd:ResourceType>{}</rasd:ResourceType><rasd:VirtualQuantity>{}"
      "</rasd:VirtualQuantity>{}</Item>",
      type, quantity, more);
}

TEST(Ovf, TheSizeOfAVmIsRead) {
  const auto reading = read(with_hardware(
      amount(3, "32", "<vmw:CoresPerSocket ovf:required=\"false\">16</vmw:CoresPerSocket>") +
      amount(4, "64",
             "<rasd:AllocationUnits>byte * 2^30</rasd:AllocationUnits>"
             "<rasd:Reservation>64</rasd:Reservation>") +
      config("firmware", "efi") +
      "<vmw:ExtraConfig vmw:key=\"pciPassthru.use64bitMMIO\" vmw:value=\"TRUE\"/>"
      "<vmw:ExtraConfig vmw:key=\"sched.cpu.latencySensitivity\" vmw:value=\"high\"/>"));
  ASSERT_TRUE(reading.ok);
  const VmFacts& vm = reading.vm();
  EXPECT_EQ(shown(vm.name), "train");
  EXPECT_EQ(shown(vm.guest_os), "ubuntu64Guest");
  EXPECT_EQ(shown(vm.hardware_version), "20");
  EXPECT_EQ(shown(vm.vcpus), "32");
  EXPECT_EQ(shown(vm.cores_per_socket), "16");
  EXPECT_EQ(shown(vm.memory), "68719476736");
  EXPECT_EQ(shown(vm.memory_reserved), "true");
  EXPECT_EQ(shown(vm.firmware), "efi");
  EXPECT_EQ(shown(vm.wide_mmio), "true");
  EXPECT_EQ(shown(vm.latency_sensitivity), "high");
}

TEST(Ovf, MemoryCountsInItsUnits) {
  const auto memory = [](const std::string& units) {
    return shown(read(with_hardware(amount(
                          4, "1024", "<rasd:AllocationUnits>" + units + "</rasd:AllocationUnits>")))
                     .vm()
                     .memory);
  };
  EXPECT_EQ(memory("byte * 2^20"), "1073741824");
  EXPECT_EQ(memory("MegaBytes"), "1073741824");
  EXPECT_EQ(memory("byte * 2^10"), "1048576");
  EXPECT_EQ(memory("byte"), "1024");
}

TEST(Ovf, APartOfTheMemoryIsNotAllOfIt) {
  EXPECT_EQ(
      shown(read(with_hardware(amount(4, "4096", "<rasd:Reservation>1024</rasd:Reservation>")))
                .vm()
                .memory_reserved),
      "false");
  EXPECT_EQ(
      shown(read(with_hardware(amount(4, "4096") + config("memoryReservationLockedToMax", "true")))
                .vm()
                .memory_reserved),
      "true");
  EXPECT_EQ(shown(read(with_hardware(amount(4, "4096"))).vm().memory_reserved), "-");
}

TEST(Ovf, FixedPassthroughNamesADevice) {
  const auto reading = read(with_hardware(
      item("vmware.pci.passthrough",
           config("backing.id", "0000:CA:00.0") + config("backing.vendorId", "-32634") +
               config("backing.deviceId", "10d3") + config("backing.systemId", "x"))));
  ASSERT_TRUE(reading.ok);
  const VmPciDevice& device = reading.vm().pci.at(0);
  EXPECT_EQ(device.kind, PciKind::kPassthrough);
  EXPECT_EQ(device.label, "PCI device 0");
  EXPECT_EQ(shown(device.bus_id), "0000:ca:00.0") << "hex, not decimal as in .vmx files";
  EXPECT_EQ(shown(device.vendor), "8086");
  EXPECT_EQ(shown(device.device), "10d3");
}

TEST(Ovf, EveryKindOfPassthroughIsKnown) {
  const auto reading = read(with_hardware(
      item("vmware.pci.passthrough-ah", config("backing.allowedDevice", "0x10de:0x20f1") +
                                            config("backing.customLabel", "Training")) +
      item("vmware.pci.passthrough-vmiop", config("backing.vgpu", "grid_a100-20c") +
                                               config("deviceGroupInfo.groupInstanceKey", "3")) +
      item("vmware.pci.passthrough-dvx", config("dvx.deviceClass", "com.example")) +
      item("SriovEthernetCard",
           "<rasd:Connection>net</rasd:Connection>" +
               config("sriovBacking.physicalFunctionBacking.id", "0000:3b:00.0") +
               config("sriovBacking.physicalFunctionBacking.vendorId", "5555") +
               config("sriovBacking.physicalFunctionBacking.deviceId", "1021"),
           10) +
      item("vmware.pci.passthrough-new", "")));
  ASSERT_TRUE(reading.ok);
  ASSERT_EQ(reading.vm().pci.size(), 4U);
  const auto& pci = reading.vm().pci;
  EXPECT_EQ(pci[0].kind, PciKind::kDynamicPassthrough);
  EXPECT_EQ(pci[0].allowed, std::vector<std::string>{"10de:20f1"});
  EXPECT_EQ(shown(pci[0].custom_label), "Training");
  EXPECT_EQ(pci[1].kind, PciKind::kVgpu);
  EXPECT_EQ(shown(pci[1].profile), "grid_a100-20c");
  EXPECT_EQ(shown(pci[1].group), "3");
  EXPECT_EQ(pci[2].kind, PciKind::kDvx);
  EXPECT_EQ(shown(pci[2].device_class), "com.example");
  EXPECT_EQ(pci[3].kind, PciKind::kSriov);
  EXPECT_EQ(shown(pci[3].network), "net");
  EXPECT_EQ(shown(pci[3].bus_id), "0000:3b:00.0");
  EXPECT_EQ(shown(pci[3].vendor), "15b3");
  EXPECT_EQ(shown(pci[3].device), "1021");
  EXPECT_TRUE(reading.says("vmware.pci.passthrough-new"));
  EXPECT_TRUE(reading.vm().adapters.empty());
}

TEST(Ovf, AdaptersHaveATypeAndANetwork) {
  const auto reading =
      read(with_hardware(item("VmxNet3", "<rasd:Connection>VM Network</rasd:Connection>", 10)));
  ASSERT_TRUE(reading.ok);
  EXPECT_EQ(shown(reading.vm().adapters.at(0).type), "vmxnet3");
  EXPECT_EQ(shown(reading.vm().adapters[0].network), "VM Network");
}

constexpr const char* kGroups = R"(<vmw:VirtualDeviceGroupSection>
  <DeviceGroup ovf:deviceGroupName="Nvidia:2@grid_a100-40c%NVLink" ovf:groupInstanceKey="0"/>
  <DeviceGroup ovf:deviceGroupName="Nvidia:4@grid_a100-40c%NVLink" ovf:groupInstanceKey="1"/>
</vmw:VirtualDeviceGroupSection>)";

TEST(Ovf, DeviceGroupsAreReadByInstance) {
  const auto reading = read(with_hardware("", kGroups));
  ASSERT_TRUE(reading.ok);
  EXPECT_EQ(reading.vm().device_groups.size(), 2U);
  EXPECT_EQ(reading.vm().device_groups.at(1).value, "Nvidia:4@grid_a100-40c%NVLink");
}

TEST(Ovf, OfSeveralVmsEachHasTheGroupsThatItUses) {
  const std::string vm = R"(<VirtualSystem ovf:id="{}"><VirtualHardwareSection>{}
    </VirtualHardwareSection></VirtualSystem>)";
  const std::string vgpu =
      item("vmware.pci.passthrough-vmiop", config("deviceGroupInfo.groupInstanceKey", "1"));
  const auto reading =
      read(R"(<Envelope xmlns:ovf="http://schemas.dmtf.org/ovf/envelope/1"
    xmlns:vmw="w" xmlns:rasd="r"><VirtualSystemCollection>)" +
           std::string(kGroups) + fmt::format(fmt::runtime(vm), "one", vgpu) +
           fmt::format(fmt::runtime(vm), "two", "") + "</VirtualSystemCollection></Envelope>");
  ASSERT_TRUE(reading.ok);
  ASSERT_EQ(reading.facts.vms.size(), 2U);
  EXPECT_EQ(shown(reading.facts.vms[0].name), "one");
  ASSERT_EQ(reading.facts.vms[0].device_groups.size(), 1U);
  EXPECT_TRUE(reading.facts.vms[0].device_groups.contains(1));
  EXPECT_TRUE(reading.facts.vms[1].device_groups.empty());
}

TEST(Ovf, ValuesThatCannotBeAreErrorsAllAtOnce) {
  const auto reading = read(with_hardware(
      "\n" + amount(3, "lots") + "\n" +
      item("vmware.pci.passthrough",
           config("backing.id", "00000:026:00.1") + config("backing.vendorId", "70000")) +
      "\n" + item("vmware.pci.passthrough-ah", config("backing.allowedDevice", "x"))));
  EXPECT_FALSE(reading.ok);
  const auto codes = reading.codes();
  ASSERT_EQ(codes.size(), 4U);
  for (const std::string& code : codes) EXPECT_TRUE(code.ends_with("E534")) << code;
  EXPECT_TRUE(codes[0].starts_with("9:")) << codes[0];
}

TEST(Ovf, OtherDocumentsAreRefused) {
  EXPECT_EQ(read("<Other/>").codes(), std::vector<std::string>{"1:2 E531"});
  EXPECT_EQ(read("<Envelope/>").codes(), std::vector<std::string>{"1:2 E532"});
  EXPECT_EQ(read("").codes(), std::vector<std::string>{"1:1 E502"});
  EXPECT_FALSE(read(with_hardware("").substr(0, 500)).ok) << "cut off";
  EXPECT_FALSE(read("<!DOCTYPE a [<!ENTITY b 'c'>]><Envelope/>").ok);
  std::string deep = "<Envelope>";
  for (int i = 0; i < 40; ++i) deep += "<VirtualSystemCollection>";
  for (int i = 0; i < 40; ++i) deep += "</VirtualSystemCollection>";
  EXPECT_TRUE(read(deep + "</Envelope>").says("E504"));
}

TEST(Ovf, ItIsKnownByItsNamespace) {
  EXPECT_TRUE(is_ovf(with_hardware("")));
  EXPECT_TRUE(is_ovf(testing::utf16(with_hardware(""))));
  EXPECT_FALSE(is_ovf("<soapenv:Envelope xmlns:soapenv=\"http://schemas.xmlsoap.org/\"/>"));
  EXPECT_FALSE(is_ovf("<system version=\"1\"/>"));
  EXPECT_FALSE(is_ovf(""));
}

}  // namespace ovf_test
}  // namespace vgsim::vsphere::import
