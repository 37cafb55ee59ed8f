#include "models/vsphere/import/vmx/vmx.hpp"

#include <gtest/gtest.h>

#include "tests/models/vsphere/import/facts_fixture.hpp"

namespace vgsim::vsphere::import {
namespace vmx_test {

using testing::Reading;
using testing::shown;

Reading read(const std::string& text) { return testing::read_text(read_vmx, text); }

TEST(Vmx, TheSizeOfAVmIsRead) {
  const auto reading = read(R"vmx(#!/usr/bin/vmware
.encoding = "UTF-8"
config.version = "8"
virtualHW.version = "20"
displayName = "train |2201|22"
numvcpus = "48"
cpuid.coresPerSocket = "24"
memSize = "524288"
sched.mem.min = "524288"
firmware = "efi"
guestOS = "ubuntu-64"
sched.cpu.latencySensitivity = "high"
numa.nodeAffinity = "0,1"
numa.vcpu.maxPerVirtualNode = "24"
)vmx");
  ASSERT_TRUE(reading.ok) << reading.says("");
  const VmFacts& vm = reading.vm();
  EXPECT_EQ(shown(vm.name), "train \"01\"");
  EXPECT_EQ(shown(vm.hardware_version), "20");
  EXPECT_EQ(shown(vm.vcpus), "48");
  EXPECT_EQ(shown(vm.cores_per_socket), "24");
  EXPECT_EQ(shown(vm.memory), "549755813888");
  EXPECT_EQ(shown(vm.memory_reserved), "true");
  EXPECT_EQ(shown(vm.firmware), "efi");
  EXPECT_EQ(shown(vm.guest_os), "ubuntu-64");
  EXPECT_EQ(shown(vm.latency_sensitivity), "high");
  EXPECT_EQ(shown(vm.numa_affinity), "0,1");
  EXPECT_EQ(shown(vm.vcpus_per_numa_node), "24");
  EXPECT_EQ(vm.name->source, "file");
}

TEST(Vmx, WhatIsNotToldStaysEmpty) {
  const auto reading = read("displayname = \"a\"\n");
  ASSERT_TRUE(reading.ok);
  EXPECT_EQ(shown(reading.vm().vcpus), "-");
  EXPECT_EQ(shown(reading.vm().memory_reserved), "-");
  EXPECT_EQ(shown(reading.vm().allow_p2p), "-");
}

TEST(Vmx, MemoryIsReservedByPinOrByAMinimumOfAllOfIt) {
  const auto reserved = [](const std::string& lines) {
    return shown(read("memsize = \"4096\"\n" + lines).vm().memory_reserved);
  };
  EXPECT_EQ(reserved("sched.mem.pin = \"TRUE\""), "true");
  EXPECT_EQ(reserved("sched.mem.min = \"4096\""), "true");
  EXPECT_EQ(reserved("sched.mem.min = \"4095\""), "false");
  EXPECT_EQ(reserved("sched.mem.pin = \"FALSE\""), "-");
  EXPECT_EQ(shown(read("sched.mem.min = \"4096\"").vm().memory_reserved), "-");
}

TEST(Vmx, KeysMeanTheSameInAnyCaseAndLinesNeedNoQuotes) {
  const auto reading = read(
      "MEMSIZE = 4096\r\nPciPassthru.Use64bitMMIO=TRUE\r\n"
      "pcipassthru.64BITMMIOSIZEGB = \"128\"   # comment\r\n"
      "\r\n# comment\r\nnumvcpus = 8 # eight");
  ASSERT_TRUE(reading.ok);
  EXPECT_EQ(shown(reading.vm().memory), "4294967296");
  EXPECT_EQ(shown(reading.vm().wide_mmio), "true");
  EXPECT_EQ(shown(reading.vm().mmio_gb), "128");
  EXPECT_EQ(shown(reading.vm().vcpus), "8");
}

TEST(Vmx, QuotesOfWebPagesCount) {
  const auto reading = read("pciPassthru.allowP2P = \xE2\x80\x9CTRUE\xE2\x80\x9D\n");
  ASSERT_TRUE(reading.ok);
  EXPECT_EQ(shown(reading.vm().allow_p2p), "true");
}

TEST(Vmx, AllSpellingsOfRelaxedAcsAreOneSetting) {
  for (const char* key : {"RelaxACSforP2P", "relaxACSforP2P", "RelaxACSCheck", "RelaxACS"}) {
    const auto reading = read(fmt::format("pciPassthru.{} = \"TRUE\"", key));
    ASSERT_TRUE(reading.ok) << key;
    EXPECT_EQ(shown(reading.vm().relax_acs), "true") << key;
    EXPECT_TRUE(reading.vm().advanced.empty()) << key;
  }
}

TEST(Vmx, AddressesAreDecimal) {
  const auto reading = read(R"(pciPassthru0.id = "00000:026:00.1"
pciPassthru0.deviceId = "0x2335"
pciPassthru0.vendorId = "0x10de"
pciPassthru0.systemId = "5aec7ae7-0000"
pciPassthru0.present = "TRUE"
pciPassthru10.id = "130:00.0"
pciPassthru10.present = "TRUE"
pciPassthru2.id = "00000:011:00.0"
pciPassthru2.present = "FALSE"
)");
  ASSERT_TRUE(reading.ok);
  ASSERT_EQ(reading.vm().pci.size(), 2U);
  const VmPciDevice& device = reading.vm().pci[0];
  EXPECT_EQ(device.label, "pciPassthru0");
  EXPECT_EQ(device.kind, PciKind::kPassthrough);
  EXPECT_EQ(shown(device.bus_id), "0000:1a:00.1");
  EXPECT_EQ(shown(device.vendor), "10de");
  EXPECT_EQ(shown(device.device), "2335");
  EXPECT_EQ(reading.vm().pci[1].label, "pciPassthru10");
  EXPECT_EQ(shown(reading.vm().pci[1].bus_id), "0000:82:00.0");
}

TEST(Vmx, HexLettersMakeAllAddressesOfTheirFormHex) {
  const auto reading = read(R"(pciPassthru0.id = "0000:AF:00.0"
pciPassthru1.id = "0000:18:00.0"
pciPassthru2.id = "00000:018:00.0"
)");
  ASSERT_TRUE(reading.ok);
  EXPECT_EQ(shown(reading.vm().pci[0].bus_id), "0000:af:00.0?");
  EXPECT_EQ(shown(reading.vm().pci[1].bus_id), "0000:18:00.0?");
  EXPECT_EQ(shown(reading.vm().pci[2].bus_id), "0000:12:00.0");
  EXPECT_TRUE(reading.says("bus ids are read as hex"));
  EXPECT_TRUE(reading.says("without .present count as present: pciPassthru0, pciPassthru1"));

  const auto alone = read("pciPassthru1.id = \"0000:18:00.0\"");
  EXPECT_EQ(shown(alone.vm().pci[0].bus_id), "0000:12:00.0");
  EXPECT_TRUE(alone.says("bus ids are read as decimal"));
}

TEST(Vmx, DynamicDirectPathNamesModelsAndALabel) {
  const auto reading = read(R"(pciPassthru0.present = "TRUE"
pciPassthru0.allowedDevices = "0x10de:0x20f1, 0x10de:0x2331:s=0x10de:t=0x1626"
pciPassthru0.customLabel = "Training"
)");
  ASSERT_TRUE(reading.ok);
  const VmPciDevice& device = reading.vm().pci.at(0);
  EXPECT_EQ(device.kind, PciKind::kDynamicPassthrough);
  EXPECT_EQ(device.allowed, (std::vector<std::string>{"10de:20f1", "10de:2331"}));
  EXPECT_EQ(shown(device.custom_label), "Training");
  EXPECT_EQ(shown(device.bus_id), "-");
  EXPECT_TRUE(reading.says("subsystem and revision of allowed devices"));
}

TEST(Vmx, VgpusHaveAProfileAndPluginSettings) {
  const auto reading = read(R"(pciPassthru0.present = "TRUE"
pciPassthru0.virtualDev = "vmiop"
pciPassthru0.vgpu = "nvidia_h100xm-80c"
pciPassthru0.cfg.enable_uvm = "1"
pciPassthru0.cfg.gpu-pci-id = "0000:3B:00.0"
pciPassthru1.present = "TRUE"
pciPassthru1.vgpu = "nvidia_h100xm-80c"
pciPassthru1.cfg.enable_uvm = "0"
pciPassthru1.cfg.frame_rate_limiter = "0"
pciPassthru1.pciSlotNumber = "33"
)");
  ASSERT_TRUE(reading.ok);
  ASSERT_EQ(reading.vm().pci.size(), 2U);
  EXPECT_EQ(reading.vm().pci[0].kind, PciKind::kVgpu);
  EXPECT_EQ(shown(reading.vm().pci[0].profile), "nvidia_h100xm-80c");
  EXPECT_EQ(shown(reading.vm().pci[0].bus_id), "0000:3b:00.0") << "the plugin's address is hex";
  EXPECT_EQ(shown(reading.vm().unified_memory), "true");
  EXPECT_EQ(reading.vm().advanced.size(), 2U);
  EXPECT_EQ(reading.vm().advanced.at("pciPassthru1.cfg.frame_rate_limiter").value, "0");
  EXPECT_TRUE(reading.says("device groups are not read"));
}

TEST(Vmx, SriovAdaptersNameThePhysicalFunction) {
  const auto reading = read(R"(pciPassthru31.present = "TRUE"
pciPassthru31.pfId = "00000:059:00.1"
pciPassthru31.id = "00000:059:02.3"
pciPassthru31.deviceId = "0"
pciPassthru31.vendorId = "0"
pciPassthru31.systemId = "BYPASS"
pciPassthru31.dvs.portgroupId = "dvportgroup-7"
pciPassthru30.present = "TRUE"
pciPassthru30.id = "00000:060:00.0"
pciPassthru30.systemId = "BYPASS"
pciPassthru30.networkName = "storage"
pciPassthru29.present = "TRUE"
pciPassthru29.id = "00000:061:00.0"
pciPassthru29.systemId = "BYPASS"
pciPassthru29.deviceId = "0x1021"
pciPassthru29.vendorId = "0x15b3"
)");
  ASSERT_TRUE(reading.ok);
  ASSERT_EQ(reading.vm().pci.size(), 3U);
  EXPECT_EQ(reading.vm().pci[0].kind, PciKind::kPassthrough) << "BYPASS alone is ambiguous";
  EXPECT_EQ(reading.vm().pci[1].kind, PciKind::kSriov);
  EXPECT_EQ(shown(reading.vm().pci[1].bus_id), "0000:3c:00.0?");
  EXPECT_EQ(shown(reading.vm().pci[1].network), "storage");
  EXPECT_EQ(reading.vm().pci[2].kind, PciKind::kSriov);
  EXPECT_EQ(shown(reading.vm().pci[2].bus_id), "0000:3b:00.1");
  EXPECT_EQ(shown(reading.vm().pci[2].device), "-");
  EXPECT_EQ(shown(reading.vm().pci[2].network), "dvportgroup-7");
}

TEST(Vmx, DvxDevicesHaveAClass) {
  const auto reading = read(R"(pciPassthru0.present = "TRUE"
pciPassthru0.virtualDev = "dvx"
pciPassthru0.dvx.deviceClass = "com.intel.dsa"
pciPassthru0.dvx.config.profile_id = "1"
)");
  ASSERT_TRUE(reading.ok);
  EXPECT_EQ(reading.vm().pci.at(0).kind, PciKind::kDvx);
  EXPECT_EQ(shown(reading.vm().pci[0].device_class), "com.intel.dsa");
}

TEST(Vmx, AdaptersArePresentOrNotThere) {
  const auto reading = read(R"(ethernet0.present = "TRUE"
ethernet0.virtualDev = "vmxnet3"
ethernet0.networkName = "VM Network"
ethernet1.present = "TRUE"
ethernet1.virtualDev = "vrdma"
ethernet1.dvs.portgroupId = "dvportgroup-9"
ethernet2.virtualDev = "e1000"
)");
  ASSERT_TRUE(reading.ok);
  ASSERT_EQ(reading.vm().adapters.size(), 2U);
  EXPECT_EQ(reading.vm().adapters[0].label, "ethernet0");
  EXPECT_EQ(shown(reading.vm().adapters[0].type), "vmxnet3");
  EXPECT_EQ(shown(reading.vm().adapters[0].network), "VM Network");
  EXPECT_EQ(shown(reading.vm().adapters[1].type), "pvrdma");
  EXPECT_EQ(shown(reading.vm().adapters[1].network), "dvportgroup-9");
}

TEST(Vmx, SettingsThatConcernDevicesAreKeptByName) {
  const auto reading = read(R"(sched.cpu.affinity = "0-23"
numa.autosize.once = "FALSE"
pciPassthru.someNewSetting = "5"
hypervisor.cpuid.v0 = "FALSE"
pciPassthru0.msiEnabled = "TRUE"
tools.syncTime = "FALSE"
)");
  ASSERT_TRUE(reading.ok);
  std::vector<std::string> keys;
  for (const auto& [key, value] : reading.vm().advanced) keys.push_back(key);
  EXPECT_EQ(keys, (std::vector<std::string>{"hypervisor.cpuid.v0", "numa.autosize.once",
                                            "pciPassthru.someNewSetting", "pciPassthru0.msiEnabled",
                                            "sched.cpu.affinity"}));
}

TEST(Vmx, ValuesThatCannotBeAreErrorsAtTheirPlaceAllAtOnce) {
  const auto reading = read(
      "memsize = \"many\"\n"
      "pciPassthru0.id = \"00000:300:00.0\"\n"
      "pciPassthru.allowP2P = \"perhaps\"\n"
      "numvcpus = \"-4\"\n"
      "pciPassthru1.present = \"maybe\"\n"
      "pciPassthru2.allowedDevices = \"nvidia\"\n"
      "pciPassthru3.vendorId = \"0x12345\"\n"
      "pciPassthru3.present = \"TRUE\"\n");
  EXPECT_FALSE(reading.ok);
  EXPECT_EQ(reading.codes(),
            (std::vector<std::string>{"1:12 E534", "2:20 E534", "3:25 E534", "4:13 E534",
                                      "5:25 E534", "6:32 E534", "7:26 E534"}));
}

TEST(Vmx, ADeviceThatNothingDescribesIsAWarning) {
  const auto reading = read("pciPassthru0.present = \"TRUE\"\nmemsize = \"4\"");
  ASSERT_TRUE(reading.ok);
  EXPECT_TRUE(reading.vm().pci.empty());
  EXPECT_EQ(reading.codes(), std::vector<std::string>{"1:25 W531"});
}

TEST(Vmx, AKeyThatIsThereTwiceIsAWarning) {
  const auto reading = read("memsize = \"4\"\nMemSize = \"8\"\n");
  ASSERT_TRUE(reading.ok);
  EXPECT_EQ(shown(reading.vm().memory), "8388608");
  EXPECT_EQ(reading.codes(), std::vector<std::string>{"2:12 W532"});
}

TEST(Vmx, SpellingsThatDisagreeAreAWarning) {
  const auto reading =
      read("pciPassthru.RelaxACSforP2P = \"TRUE\"\npciPassthru.RelaxACSCheck = \"FALSE\"\n");
  ASSERT_TRUE(reading.ok);
  EXPECT_EQ(shown(reading.vm().relax_acs), "true");
  EXPECT_EQ(reading.codes(), std::vector<std::string>{"2:30 W532"});
}

TEST(Vmx, OtherTextIsRefused) {
  EXPECT_EQ(read("").codes(), std::vector<std::string>{"1:1 E532"});
  EXPECT_EQ(read("nvram = \"a.nvram\"\n").codes(), std::vector<std::string>{"1:1 E532"});
  EXPECT_EQ(read("memsize = \"4\"\nhello\n").codes(), std::vector<std::string>{"2:1 E531"});
  EXPECT_EQ(read("memsize = \"4\nnumvcpus = \"4\"\n").codes(),
            std::vector<std::string>{"1:1 E534"});
  EXPECT_EQ(read("memsize = \"4\"\nnumvcpus = \"4").codes(), std::vector<std::string>{"2:1 E532"});
  EXPECT_EQ(read(std::string("memsize = \"4\0\"", 14)).codes(),
            std::vector<std::string>{"1:13 E531"});
  EXPECT_EQ(read(std::string((std::size_t{1} << 20) + 1, '#')).codes(),
            std::vector<std::string>{"1:1 E533"});
}

TEST(Vmx, FilesOfWindowsAreRead) {
  const auto reading = read(testing::utf16("memsize = \"4096\"\r\n"));
  ASSERT_TRUE(reading.ok);
  EXPECT_EQ(shown(reading.vm().memory), "4294967296");
  EXPECT_TRUE(is_vmx(testing::utf16("memsize = \"4096\"\r\n")));
  EXPECT_TRUE(is_vmx("\xEF\xBB\xBF.encoding = \"UTF-8\"\nmemsize = \"4096\"\n"));
}

TEST(Vmx, ItIsKnownByItsKeys) {
  EXPECT_TRUE(is_vmx("pciPassthru0.id = \"00000:026:00.1\"\n"));
  EXPECT_TRUE(is_vmx("#!/usr/bin/vmware\n.encoding = \"UTF-8\"\nvirtualHW.version = \"20\"\n"));
  EXPECT_FALSE(is_vmx("key = \"value\"\n"));
  EXPECT_FALSE(is_vmx("Memory size\nmemsize = 4\nand\nother lines of prose\n"));
  EXPECT_FALSE(is_vmx("{\"memsize\": 4}"));
  EXPECT_FALSE(is_vmx(""));
}

}  // namespace vmx_test
}  // namespace vgsim::vsphere::import
