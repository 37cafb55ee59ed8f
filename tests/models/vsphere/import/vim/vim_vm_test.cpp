#include "models/vsphere/import/vim/vim_vm.hpp"

#include <gtest/gtest.h>

#include "models/vsphere/import/vim/vim.hpp"
#include "tests/models/vsphere/import/facts_fixture.hpp"

namespace vgsim::vsphere::import {
namespace vim_vm_test {

using testing::Reading;
using testing::shown;

Reading read(const std::string& text) { return testing::read_text(read_vim, text); }

/// A VM with this in its config.
std::string with_config(const std::string& config) {
  return fmt::format(
      R"({{"virtualMachines": [{{"self": {{"type": "VirtualMachine", "value": "vm-1"}},
    "name": "train", "runtime": {{"host": {{"type": "HostSystem", "value": "host-1"}},
    "powerState": "poweredOn"}}, "config": {{"guestId": "ubuntu64Guest"{}}}}}]}})",
      config);
}

std::string with_devices(const std::string& devices) {
  return with_config(R"(, "hardware": {"numCPU": 4, "memoryMB": 1024, "device": [)" + devices +
                     "]}");
}

TEST(VimVm, TheSizeOfAVmIsRead) {
  const auto reading = read(with_config(R"json(, "guestFullName": "Ubuntu Linux (64-bit)",
    "version": "vmx-21", "firmware": "efi",
    "hardware": {"numCPU": 48, "numCoresPerSocket": 24, "memoryMB": 524288},
    "memoryAllocation": {"reservation": 524288},
    "latencySensitivity": {"level": "high"},
    "numaInfo": {"coresPerNumaNode": 24, "autoCoresPerNumaNode": false},
    "extraConfig": [{"key": "pciPassthru.allowP2P", "value": "TRUE"},
                    {"key": "pciPassthru0.cfg.enable_uvm",
                     "value": {"_typeName": "string", "_value": "1"}},
                    {"key": "sched.cpu.latencySensitivity", "value": "HIGH"},
                    {"key": "numa.nodeAffinity", "value": "0"},
                    {"key": "svga.present", "value": "TRUE"}])json"));
  ASSERT_TRUE(reading.ok) << reading.says("");
  const VmFacts& vm = reading.vm();
  EXPECT_EQ(shown(vm.name), "train");
  EXPECT_EQ(shown(vm.powered_on), "true");
  EXPECT_EQ(shown(vm.guest_os), "Ubuntu Linux (64-bit)");
  EXPECT_EQ(shown(vm.hardware_version), "21");
  EXPECT_EQ(shown(vm.firmware), "efi");
  EXPECT_EQ(shown(vm.vcpus), "48");
  EXPECT_EQ(shown(vm.cores_per_socket), "24");
  EXPECT_EQ(shown(vm.memory), "549755813888");
  EXPECT_EQ(shown(vm.memory_reserved), "true");
  EXPECT_EQ(shown(vm.latency_sensitivity), "high");
  EXPECT_EQ(shown(vm.vcpus_per_numa_node), "24");
  EXPECT_EQ(shown(vm.allow_p2p), "true");
  EXPECT_EQ(shown(vm.unified_memory), "true");
  EXPECT_EQ(shown(vm.numa_affinity), "0");
  EXPECT_TRUE(vm.advanced.empty());
  EXPECT_TRUE(reading.codes().empty());
}

TEST(VimVm, ItsHostIsKnownByItsIdWhereItsNameIsNotTold) {
  const auto reading = read(with_config(""));
  ASSERT_TRUE(reading.ok);
  EXPECT_EQ(shown(reading.vm().host), "-");
  EXPECT_EQ(shown(reading.vm().host_id), "host-1");
}

TEST(VimVm, MemoryIsReservedByALockOrByItsAmount) {
  const auto reserved = [](const std::string& more) {
    return shown(read(with_config(R"(, "hardware": {"numCPU": 1, "memoryMB": 100})" + more))
                     .vm()
                     .memory_reserved);
  };
  EXPECT_EQ(reserved(""), "-");
  EXPECT_EQ(reserved(R"(, "memoryReservationLockedToMax": true)"), "true");
  EXPECT_EQ(reserved(R"(, "memoryReservationLockedToMax": false)"), "-");
  EXPECT_EQ(reserved(R"(, "memoryAllocation": {"reservation": 99})"), "false");
}

TEST(VimVm, NumaNodesThatTheHostChoosesAreNoSetting) {
  const auto reading =
      read(with_config(R"(, "numaInfo": {"coresPerNumaNode": 24, "autoCoresPerNumaNode": true})"));
  EXPECT_EQ(shown(reading.vm().vcpus_per_numa_node), "-");
}

TEST(VimVm, BackingsWithoutATypeAreKnownByTheirMembers) {
  const auto reading = read(with_devices(R"(
    {"key": 13000, "deviceInfo": {"label": "PCI device 0"}, "backing": {"vgpu": "nvidia_h100xm-80c"},
     "deviceGroupInfo": {"groupInstanceKey": 2, "sequenceId": 0}},
    {"key": 13001, "deviceInfo": {"label": "PCI device 1"}, "backing": {"id": "0000:ca:00.0",
     "deviceId": "20b5", "vendorId": 4318, "systemId": "s", "deviceName": ""}},
    {"key": 13002, "deviceInfo": {"label": "PCI device 2"}, "backing": {
     "allowedDevice": [{"vendorId": 4318, "deviceId": 8373},
                       {"vendorId": 32902, "deviceId": 5490, "subVendorId": 1}],
     "customLabel": "Training", "assignedId": "0000:e1:00.0"}},
    {"key": 13003, "backing": {"deviceClass": "com.example"}},
    {"key": 13031, "deviceInfo": {"label": "SR-IOV 1"}, "macAddress": "00:50:56:00:00:01",
     "backing": {"port": {"portgroupKey": "dvportgroup-3"}},
     "sriovBacking": {"physicalFunctionBacking": {"id": "0000:19:00.0", "deviceId": "0",
                                                  "vendorId": 0, "systemId": "BYPASS"}}},
    {"key": 4000, "deviceInfo": {"label": "Network adapter 1"}, "macAddress": "00:50:56:00:00:02",
     "backing": {"deviceName": "VM Network"}},
    {"key": 2000, "backing": {"fileName": "disk.vmdk"}})"));
  ASSERT_TRUE(reading.ok) << reading.says("");
  const auto& pci = reading.vm().pci;
  ASSERT_EQ(pci.size(), 5U);
  EXPECT_EQ(pci[0].kind, PciKind::kVgpu);
  EXPECT_EQ(shown(pci[0].profile), "nvidia_h100xm-80c");
  EXPECT_EQ(shown(pci[0].group), "2");
  EXPECT_EQ(pci[1].kind, PciKind::kPassthrough);
  EXPECT_EQ(pci[1].label, "PCI device 1");
  EXPECT_EQ(shown(pci[1].bus_id), "0000:ca:00.0");
  EXPECT_EQ(shown(pci[1].vendor), "10de");
  EXPECT_EQ(shown(pci[1].device), "20b5");
  EXPECT_EQ(pci[2].kind, PciKind::kDynamicPassthrough);
  EXPECT_EQ(pci[2].allowed, (std::vector<std::string>{"10de:20b5", "8086:1572"}));
  EXPECT_EQ(shown(pci[2].custom_label), "Training");
  EXPECT_EQ(shown(pci[2].bus_id), "0000:e1:00.0");
  EXPECT_EQ(pci[3].kind, PciKind::kDvx);
  EXPECT_EQ(pci[3].label, "device 13003");
  EXPECT_EQ(pci[4].kind, PciKind::kSriov);
  EXPECT_EQ(shown(pci[4].bus_id), "0000:19:00.0");
  EXPECT_EQ(shown(pci[4].device), "-");
  EXPECT_EQ(shown(pci[4].vendor), "-");
  EXPECT_EQ(shown(pci[4].network), "dvportgroup-3");
  ASSERT_EQ(reading.vm().adapters.size(), 1U);
  EXPECT_EQ(shown(reading.vm().adapters[0].type), "-");
  EXPECT_EQ(shown(reading.vm().adapters[0].network), "VM Network");
}

TEST(VimVm, TypesAreUsedWhereTheyAreTold) {
  const auto reading = read(with_devices(R"(
    {"_typeName": "VirtualVmxnet3", "key": 4000, "deviceInfo": {"label": "Network adapter 1"}},
    {"_vimtype": "vim.vm.device.VirtualVmxnet3Vrdma", "key": 4001},
    {"_typeName": "VirtualUSBController", "key": 7000, "backing": {"id": "x", "systemId": "y"}},
    {"_typeName": "VirtualPCIPassthrough", "key": 13000, "backing": {"somethingNew": "1"}})"));
  ASSERT_TRUE(reading.ok);
  ASSERT_EQ(reading.vm().adapters.size(), 2U);
  EXPECT_EQ(shown(reading.vm().adapters[0].type), "vmxnet3");
  EXPECT_EQ(shown(reading.vm().adapters[1].type), "pvrdma");
  EXPECT_TRUE(reading.vm().pci.empty());
  EXPECT_TRUE(reading.says("unknown kind are omitted: device 13000"));
}

TEST(VimVm, DeviceGroupsAreReadByInstance) {
  const auto reading = read(with_config(R"(, "deviceGroups": {"deviceGroup": [
    {"groupInstanceKey": 0, "deviceGroupName": "Nvidia:4@nvidia_h200x-141c%NVLink"}]})"));
  ASSERT_TRUE(reading.ok);
  EXPECT_EQ(reading.vm().device_groups.at(0).value, "Nvidia:4@nvidia_h200x-141c%NVLink");
}

TEST(VimVm, ObjectSaveKeepsTypes) {
  const auto reading = read(R"(<ObjectContent><obj type="VirtualMachine">vm-1</obj>
<propSet><name>config</name><val xmlns:XMLSchema-instance="http://www.w3.org/2001/XMLSchema-instance"
 XMLSchema-instance:type="VirtualMachineConfigInfo"><name>train</name>
  <hardware><numCPU>8</numCPU><memoryMB>2048</memoryMB>
  <device XMLSchema-instance:type="VirtualE1000e"><key>4000</key>
   <deviceInfo><label>Network adapter 1</label></deviceInfo>
   <backing><deviceName>VM Network</deviceName></backing></device>
  <device XMLSchema-instance:type="VirtualPCIPassthrough"><key>13000</key>
   <backing XMLSchema-instance:type="VirtualPCIPassthroughVmiopBackingInfo">
    <vgpu>grid_a100-40c</vgpu></backing></device>
  </hardware>
  <extraConfig XMLSchema-instance:type="OptionValue"><key>pciPassthru.RelaxACSforP2P</key>
   <value XMLSchema-instance:type="xsd:string">TRUE</value></extraConfig></val></propSet>
</ObjectContent>)");
  ASSERT_TRUE(reading.ok) << reading.says("");
  EXPECT_EQ(shown(reading.vm().name), "train");
  EXPECT_EQ(shown(reading.vm().vcpus), "8");
  EXPECT_EQ(shown(reading.vm().relax_acs), "true");
  EXPECT_EQ(shown(reading.vm().adapters.at(0).type), "e1000e");
  EXPECT_EQ(shown(reading.vm().pci.at(0).profile), "grid_a100-40c");
}

TEST(VimVm, DeviceInfoAndSettingsByThemselvesAreAVmWithoutAName) {
  const auto devices = read(R"({"devices": [{"name": "pcipassthrough-13000",
    "type": "VirtualPCIPassthrough", "key": 13000, "deviceInfo": {"label": "PCI device 0"},
    "backing": {"vgpu": "grid_a100-40c"}}]})");
  ASSERT_TRUE(devices.ok);
  EXPECT_EQ(shown(devices.vm().name), "-");
  EXPECT_EQ(devices.vm().pci.size(), 1U);

  const std::string settings = R"([{"key": "pciPassthru.use64bitMMIO", "value": "TRUE"}])";
  EXPECT_TRUE(is_vim(settings));
  EXPECT_EQ(shown(read(settings).vm().wide_mmio), "true");
  EXPECT_EQ(read(R"([{"key": "svga.present", "value": "TRUE"}])").codes(),
            std::vector<std::string>{"1:1 E532"});
}

TEST(VimVm, ValuesThatCannotBeAreErrors) {
  const auto reading = read(with_devices(R"(
 {"key": 1, "backing": {"id": "00000:026:00.0", "systemId": "s", "deviceId": "20b512"}},
 {"key": 2, "backing": {"allowedDevice": [{"vendorId": 431800, "deviceId": 1}]}})"));
  EXPECT_FALSE(reading.ok);
  EXPECT_EQ(reading.codes().size(), 3U);
  EXPECT_TRUE(reading.says("a PCI address in hex"));
}

TEST(Vim, OtherDocumentsAreRefused) {
  const auto codes = [](const std::string& text) { return read(text).codes(); };
  EXPECT_EQ(codes(""), std::vector<std::string>{"1:1 E532"});
  EXPECT_EQ(codes("{}"), std::vector<std::string>{"1:1 E532"});
  EXPECT_EQ(codes(R"({"hostSystems": []})"), std::vector<std::string>{"1:1 E532"});
  EXPECT_EQ(codes(R"({"hostSystems": [)"), std::vector<std::string>{"1:18 E532"});
  EXPECT_EQ(codes(R"({"a": 1, oops})"), std::vector<std::string>{"1:11 E531"});
  EXPECT_EQ(codes("<ObjectContent>"), std::vector<std::string>{"1:15 E502"});
  EXPECT_EQ(codes("<a/>"), std::vector<std::string>{"1:1 E532"});
}

TEST(Vim, DepthAndSizeAreBounded) {
  std::string deep;
  for (int i = 0; i < 40; ++i) deep += R"({"a": )";
  EXPECT_TRUE(read(deep + "1" + std::string(40, '}')).says("E533"));
  std::string many = "[0";
  for (int i = 0; i < 1'000'001; ++i) many += ",0";
  EXPECT_TRUE(read(many + "]").says("E533"));
  std::string xml;
  for (int i = 0; i < 40; ++i) xml += "<a>";
  for (int i = 0; i < 40; ++i) xml += "</a>";
  EXPECT_TRUE(read(xml).says("E533"));
}

TEST(Vim, TreesOfSnapshotsMayBeDeep) {
  std::string snapshots = "1";
  for (int i = 0; i < 30; ++i) {
    snapshots = R"([{"name": "s", "childSnapshotList": )" + snapshots + "}]";
  }
  const auto reading = read(R"({"virtualMachines": [{"name": "a", "config": {"guestId": "g"},
    "snapshot": {"rootSnapshotList": )" +
                            snapshots + "}}]}");
  EXPECT_TRUE(reading.ok);
}

TEST(Vim, ItIsKnownByItsKeys) {
  EXPECT_TRUE(is_vim(R"({"hostSystems": []})"));
  EXPECT_TRUE(is_vim(R"({"VirtualMachines": []})"));
  EXPECT_TRUE(is_vim("<ObjectContent>"));
  EXPECT_TRUE(is_vim(testing::utf16(R"({"hostSystems": []})")));
  EXPECT_FALSE(is_vim(R"({"nvbandwidth": {}})"));
  EXPECT_FALSE(is_vim(R"([{"VMkernelName": "vmnic0", "PassthruCapable": true}])"));
  EXPECT_FALSE(is_vim("<system version=\"1\"/>"));
  EXPECT_FALSE(is_vim("hostSystems"));
  EXPECT_FALSE(is_vim(""));
}

}  // namespace vim_vm_test
}  // namespace vgsim::vsphere::import
