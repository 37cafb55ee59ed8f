#include "models/vsphere/import/vim/vim_host.hpp"

#include <gtest/gtest.h>

#include "models/vsphere/import/vim/vim.hpp"
#include "tests/models/vsphere/import/facts_fixture.hpp"

namespace vgsim::vsphere::import {
namespace vim_host_test {

using testing::device_at;
using testing::Reading;
using testing::shown;
using testing::tree_of;

Reading read(const std::string& text) { return testing::read_text(read_vim, text); }

constexpr const char* kHardware = R"({
  "systemInfo": {"vendor": "Dell Inc.", "model": "PowerEdge XE9680"},
  "cpuInfo": {"numCpuPackages": 2, "numCpuCores": 4, "numCpuThreads": 8},
  "cpuPkg": [
    {"index": 0, "vendor": "amd", "description": "AMD EPYC 7742", "threadId": [0, 1, 2, 3],
     "cpuFeature": [{"level": 0, "eax": "0"},
                    {"level": 1, "eax": "0000:0000:1000:0011:0000:1111:0001:0000"}]},
    {"index": 1, "vendor": "amd", "description": "AMD EPYC 7742", "threadId": [4, 5, 6, 7]}],
  "memorySize": 2199023255552,
  "numaInfo": {"type": "NUMA", "numNodes": 2, "numaNode": [
    {"typeId": 0, "cpuID": [0, 1, 2, 3], "memorySize": 1099511627776, "memoryRangeLength": 5,
     "pciId": ["0000:17:00.0", "0000:18:00.0"]},
    {"typeId": 1, "cpuID": [4, 5, 6, 7], "memoryRangeLength": 1099511627776,
     "pciId": ["0000:99:00.0"]}]},
  "pciDevice": [
    {"id": "0000:16:01.0", "classId": 1540, "vendorId": -32634, "deviceId": 1, "subVendorId": 0,
     "subDeviceId": 0, "deviceName": "Root Port"},
    {"id": "0000:17:00.0", "classId": 770, "vendorId": 4318, "deviceId": 9008, "subVendorId": 4318,
     "subDeviceId": 5665, "deviceName": "GH100 [H100 SXM5]", "parentBridge": "0000:16:01.0",
     "slotDescription": "PCIe Slot 31", "physicalSlot": 31},
    {"id": "0000:98:01.0", "classId": 1540, "vendorId": 4130, "deviceId": 1},
    {"id": "0000:99:00.0", "classId": 512, "vendorId": 5555, "deviceId": 4129,
     "deviceName": "MT2910 Family [ConnectX-7]", "parentBridge": "0000:98:01.0",
     "physicalSlot": 4294967295},
    {"id": "0000:99:00.2", "classId": 512, "vendorId": 5555, "deviceId": 4126,
     "deviceName": "ConnectX Family mlx5 Virtual Function", "parentBridge": "0000:98:01.0"}]
})";

constexpr const char* kConfig = R"({
  "product": {"name": "VMware ESXi", "fullName": "VMware ESXi 8.0.3 build-24022510"},
  "network": {"pnic": [
    {"key": "k0", "device": "vmnic4", "pci": "0000:99:00.0", "driver": "nmlx5_core",
     "linkSpeed": {"speedMb": 400000, "duplex": true}},
    {"key": "k1", "device": "vmnic32", "pci": "usb", "driver": "x"}]},
  "graphicsInfo": [
    {"deviceName": "NVIDIA H100", "vendorName": "NVIDIA Corporation", "pciId": "0000:17:00.0",
     "graphicsType": "sharedDirect", "memorySizeInKB": 83886080, "vgpuMode": "multiInstanceGpu",
     "vm": [{"type": "VirtualMachine", "value": "vm-7"}]},
    {"deviceName": "Integrated Matrox G200eW3", "vendorName": "Matrox", "pciId": "0000:03:00.0",
     "graphicsType": "basic", "memorySizeInKB": 0}],
  "pciPassthruInfo": [
    {"id": "0000:17:00.0", "dependentDevice": "0000:17:00.0", "passthruEnabled": true,
     "passthruCapable": true, "passthruActive": false, "hardwareLabel": "Training"},
    {"id": "0000:99:00.0", "passthruEnabled": false, "passthruCapable": true,
     "passthruActive": false, "sriovEnabled": true, "sriovCapable": true, "sriovActive": true,
     "numVirtualFunctionRequested": 8, "numVirtualFunction": 8, "maxVirtualFunctionSupported": 16},
    {"id": "0000:00:1f.0", "passthruEnabled": false, "passthruCapable": false,
     "passthruActive": false}],
  "sharedPassthruGpuTypes": ["nvidia_h100xm-80c", "nvidia_h100xm-40c"],
  "graphicsConfig": {"hostDefaultGraphicsType": "sharedDirect",
                     "sharedPassthruAssignmentPolicy": "performance"}
})";

std::string host_json() {
  return fmt::format(R"({{"hostSystems": [{{"self": {{"type": "HostSystem", "value": "host-9"}},
    "name": "esx01.example.com", "hardware": {}, "config": {}, "vm": null}}]}})",
                     kHardware, kConfig);
}

void expect_host(const Reading& reading) {
  ASSERT_TRUE(reading.ok) << reading.says("");
  ASSERT_EQ(reading.facts.hosts.size(), 1U);
  const Inventory& host = reading.host();
  EXPECT_EQ(shown(host.vendor), "Dell Inc.");
  EXPECT_EQ(shown(host.model), "PowerEdge XE9680");
  EXPECT_EQ(shown(host.packages), "2");
  EXPECT_EQ(shown(host.cores), "4");
  EXPECT_EQ(shown(host.threads), "8");
  EXPECT_EQ(shown(host.memory), "2199023255552");
  EXPECT_EQ(shown(host.cpu_name), "AMD EPYC 7742");
  EXPECT_EQ(tree_of(host), "0: 17:00.0; 1: 99:00.0; unplaced: ");
}

TEST(VimHost, JsonTellsItsIdByWhichVmsNameIt) {
  const auto reading = testing::read_text(
      read_vim, R"({"hostSystems": [{"self": {"type": "HostSystem", "value": "host-25"},
                    "name": "esx01", "hardware": {"memorySize": 68719476736}}]})");
  ASSERT_TRUE(reading.ok) << reading.says("");
  EXPECT_EQ(testing::shown(reading.host().object_id), "host-25");
}

TEST(VimHost, EveryPartOfItIsRead) {
  const auto reading = read(host_json());
  expect_host(reading);
  const Inventory& host = reading.host();
  EXPECT_EQ(shown(host.name), "esx01.example.com");
  EXPECT_EQ(shown(host.hypervisor), "VMware ESXi 8.0.3 build-24022510");
  EXPECT_EQ(host.profiles, (std::vector<std::string>{"nvidia_h100xm-80c", "nvidia_h100xm-40c"}));
  EXPECT_TRUE(reading.codes().empty());
}

TEST(VimHost, NumaNodesHaveCpusMemoryAndTheirSocket) {
  const auto reading = read(host_json());
  const auto& nodes = reading.host().numa_nodes;
  ASSERT_EQ(nodes.size(), 2U);
  EXPECT_EQ(shown(nodes[0].cpu_list), "0-3");
  EXPECT_EQ(shown(nodes[0].memory), "1099511627776") << "memorySize, not the deprecated range";
  EXPECT_EQ(shown(nodes[0].package), "0");
  EXPECT_EQ(shown(nodes[0].vendor), "AuthenticAMD");
  EXPECT_EQ(shown(nodes[0].cpu_name), "AMD EPYC 7742");
  EXPECT_EQ(shown(nodes[0].family), "143") << "as NCCL counts: 15 + (8 << 4)";
  EXPECT_EQ(shown(nodes[0].model), "49");
  EXPECT_EQ(shown(nodes[0].cores), "2?");
  EXPECT_EQ(shown(nodes[1].memory), "1099511627776");
  EXPECT_EQ(shown(nodes[1].package), "1");
  EXPECT_EQ(shown(nodes[1].family), "-");
}

TEST(VimHost, GpusHaveWhatGraphicsInfoTells) {
  const auto reading = read(host_json());
  const auto& gpu = device_at(reading.host(), "0000:17:00.0");
  EXPECT_EQ(shown(gpu.name), "NVIDIA H100");
  EXPECT_EQ(shown(gpu.pci_class), "0302");
  EXPECT_EQ(shown(gpu.vendor), "10de");
  EXPECT_EQ(shown(gpu.device), "2330");
  EXPECT_EQ(shown(gpu.subsystem_device), "1621");
  EXPECT_EQ(shown(gpu.slot), "PCIe Slot 31");
  EXPECT_EQ(shown(gpu.passthrough), "false") << "enabled, but not active before the next boot";
  EXPECT_EQ(shown(gpu.gpu.value().memory), "85899345920");
  EXPECT_EQ(shown(gpu.gpu->mig), "true");
  EXPECT_EQ(shown(gpu.gpu->virtualization), "Host VGPU?");
  ASSERT_EQ(gpu.gpu->vgpus.size(), 1U);
  EXPECT_EQ(gpu.gpu->vgpus[0].vm, "vm-7");
  EXPECT_TRUE(reading.says("\"Training\" of 0000:17:00.0"));
  EXPECT_TRUE(reading.says("Matrox") || reading.says("0000:03:00.0"));
}

TEST(VimHost, NicsHavePortsAndVirtualFunctions) {
  const auto reading = read(host_json());
  const auto& nic = device_at(reading.host(), "0000:99:00.0");
  EXPECT_EQ(shown(nic.driver), "nmlx5_core");
  EXPECT_EQ(shown(nic.virtual_functions), "8");
  EXPECT_EQ(shown(nic.slot), "-");
  ASSERT_EQ(nic.ports.size(), 1U);
  EXPECT_EQ(shown(nic.ports[0].name), "vmnic4");
  EXPECT_EQ(shown(nic.ports[0].rate), "50000000000");
  EXPECT_TRUE(reading.says("not separate cards: 0000:99:00.2"));
  EXPECT_TRUE(reading.says("vmnic32"));
}

/// The same host as old versions of Go wrote it: with capital first letters.
std::string capitalised(std::string json) {
  for (std::size_t i = 0; (i = json.find('"', i)) != json.npos; ++i) {
    const std::size_t end = json.find('"', i + 1);
    const bool is_key = json.compare(end, 2, "\":") == 0;
    if (is_key && json[i + 1] >= 'a' && json[i + 1] <= 'z') {
      json[i + 1] = static_cast<char>(json[i + 1] - 32);
    }
    i = end;
  }
  return json;
}

TEST(VimHost, GovcOfOldWroteCapitals) {
  const std::string text = capitalised(host_json());
  EXPECT_NE(text.find("\"HostSystems\""), text.npos);
  EXPECT_TRUE(is_vim(text));
  expect_host(read(text));
  EXPECT_EQ(shown(read(text).host().name), "esx01.example.com");
}

TEST(VimHost, PropertyListsAreTheSameHost) {
  const std::string text = fmt::format(
      R"([{{"name": "hardware", "op": "assign", "val": {}}},
          {{"name": "config.graphicsInfo", "val": {{"_typeName": "ArrayOfHostGraphicsInfo",
            "_value": [{{"pciId": "0000:17:00.0", "deviceName": "NVIDIA H100",
                        "vendorName": "NVIDIA", "graphicsType": "basic", "memorySizeInKB": 4}}]}}}},
          {{"name": "name", "val": {{"_typeName": "string", "_value": "esx02"}}}},
          {{"name": "config.product.fullName", "val": "VMware ESXi 9"}}])",
      kHardware);
  EXPECT_TRUE(is_vim(text));
  const auto reading = read(text);
  expect_host(reading);
  EXPECT_EQ(shown(reading.host().name), "esx02");
  EXPECT_EQ(shown(reading.host().hypervisor), "VMware ESXi 9");
  EXPECT_EQ(shown(device_at(reading.host(), "0000:17:00.0").gpu.value().memory), "4096");
}

TEST(VimHost, ListsOfOldHadTheirTypeAsAMember) {
  const auto reading = read(R"([{"Name": "config.pciPassthruInfo", "Op": "assign", "Val":
      {"HostPciPassthruInfo": [{"Id": "0000:19:00.0", "PassthruEnabled": true,
                                "PassthruCapable": true, "PassthruActive": true}]}}])");
  ASSERT_TRUE(reading.ok);
  EXPECT_EQ(shown(device_at(reading.host(), "0000:19:00.0").passthrough), "true");
}

TEST(VimHost, SeveralDocumentsFollowEachOther) {
  const std::string update =
      R"({{"kind": "enter", "obj": {{"type": "{}", "value": "{}"}}, "changeSet": [
          {{"name": "name", "op": "assign", "val": "{}"}}, {}], "missingSet": null}}
)";
  const std::string text =
      fmt::format(fmt::runtime(update), "HostSystem", "host-1", "esx01",
                  R"({"name": "hardware.memorySize", "op": "assign", "val": 1024})") +
      fmt::format(fmt::runtime(update), "HostSystem", "host-2", "esx02",
                  R"({"name": "hardware.memorySize", "op": "assign", "val": 2048})") +
      fmt::format(fmt::runtime(update), "VirtualMachine", "vm-1", "train",
                  R"({"name": "runtime.host", "val": {"type": "HostSystem", "value": "host-2"}})") +
      fmt::format(fmt::runtime(update), "Datastore", "ds-1", "disk", R"({"name": "x", "val": 1})");
  EXPECT_TRUE(is_vim(text));
  const auto reading = read(text);
  ASSERT_TRUE(reading.ok);
  ASSERT_EQ(reading.facts.hosts.size(), 2U);
  EXPECT_EQ(shown(reading.facts.hosts[1].name), "esx02");
  EXPECT_EQ(shown(reading.facts.hosts[1].memory), "2048");
  EXPECT_EQ(shown(reading.vm().host), "esx02") << "by the id in the same file";
  EXPECT_TRUE(reading.says("other than hosts and VMs are omitted: ds-1"));
}

TEST(VimHost, SoapAnswersHoldTheSameObjects) {
  const auto reading = read(R"(<?xml version="1.0" encoding="UTF-8"?>
<soapenv:Envelope xmlns:soapenv="http://schemas.xmlsoap.org/soap/envelope/"
    xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
<soapenv:Body><RetrievePropertiesResponse xmlns="urn:vim25">
<returnval><obj type="HostSystem">host-1</obj>
  <propSet><name>name</name><val xsi:type="xsd:string">esx01</val></propSet>
  <propSet><name>hardware.pciDevice</name><val xsi:type="ArrayOfHostPciDevice">
    <HostPciDevice><id>0000:00:01.0</id><classId>1540</classId><vendorId>-32634</vendorId>
      <deviceId>1</deviceId></HostPciDevice>
    <HostPciDevice><id>0000:01:00.0</id><classId>770</classId><vendorId>4318</vendorId>
      <deviceId>8373</deviceId><parentBridge>0000:00:01.0</parentBridge></HostPciDevice>
  </val></propSet>
  <propSet><name>config.sharedPassthruGpuTypes</name><val xsi:type="ArrayOfString">
    <string>grid_a100d-80c</string></val></propSet>
</returnval>
<returnval><obj type="VirtualMachine">vm-1</obj>
  <propSet><name>name</name><val xsi:type="xsd:string">train</val></propSet>
  <propSet><name>runtime.host</name><val type="HostSystem" xsi:type="ManagedObjectReference">host-1</val></propSet>
</returnval></RetrievePropertiesResponse></soapenv:Body></soapenv:Envelope>)");
  ASSERT_TRUE(reading.ok) << reading.says("");
  EXPECT_EQ(tree_of(reading.host()), "-: 01:00.0; unplaced: ");
  EXPECT_EQ(shown(device_at(reading.host(), "0000:01:00.0").device), "20b5");
  EXPECT_EQ(reading.host().profiles, std::vector<std::string>{"grid_a100d-80c"});
  EXPECT_EQ(shown(reading.vm().host), "esx01");
}

TEST(VimHost, APartByItselfIsEnough) {
  EXPECT_EQ(tree_of(read(R"([{"id": "0000:01:00.0", "classId": 770, "vendorId": 4318,
                             "deviceId": 8373}])")
                        .host()),
            "unplaced: 01:00.0");
  EXPECT_EQ(read(R"({"type": "NUMA", "numNodes": 1, "numaNode": [{"typeId": 0, "cpuID": [0]}]})")
                .host()
                .numa_nodes.size(),
            1U);
  EXPECT_EQ(read(R"(["grid_a100-4c", "grid_a100-8c"])").host().profiles.size(), 2U);
  EXPECT_EQ(shown(read(fmt::format("{}", kHardware)).host().model), "PowerEdge XE9680");
  EXPECT_EQ(shown(read(R"({"summary": {"hardware": {"vendor": "HPE", "numCpuPkgs": 2,
                          "cpuModel": "Xeon"}}})")
                      .host()
                      .cpu_name),
            "Xeon");
}

TEST(VimHost, WithoutAListOfFunctionsGraphicsAndSriovStillTellDevices) {
  const auto reading = read(fmt::format(R"([{{"name": "config", "val": {}}}])", kConfig));
  ASSERT_TRUE(reading.ok);
  EXPECT_EQ(tree_of(reading.host()), "unplaced: 17:00.0 99:00.0");
  EXPECT_EQ(device_at(reading.host(), "0000:17:00.0").kind, testing::DeviceKind::kGpu);
  EXPECT_EQ(shown(device_at(reading.host(), "0000:99:00.0").virtual_functions), "8");
  EXPECT_TRUE(reading.says("displays other than GPUs"));
  EXPECT_TRUE(reading.says("the passthrough state of functions"));
}

TEST(VimHost, CpusThatDoNotAddUpAreAWarning) {
  const auto reading = read(R"({"hardware": {"cpuInfo": {"numCpuPackages": 1, "numCpuCores": 1,
      "numCpuThreads": 1}, "numaInfo": {"numNodes": 1, "numaNode": [{"typeId": 0,
      "cpuID": [0, 1]}]}}})");
  ASSERT_TRUE(reading.ok);
  EXPECT_EQ(reading.codes().size(), 1U);
  EXPECT_TRUE(reading.says("the NUMA nodes have 2 CPUs, the host has 1"));
  EXPECT_EQ(shown(reading.host().numa_nodes[0].cores), "-");
}

TEST(VimHost, ValuesThatCannotBeAreErrorsAllAtOnce) {
  const auto reading = read(R"({"hardware": {
 "memorySize": "much",
 "cpuInfo": {"numCpuPackages": -2},
 "numaInfo": {"numaNode": [{"typeId": 300, "pciId": ["zz"]}]},
 "pciDevice": [{"id": "0000:99", "classId": 512},
  {"id": "0000:99:00.0", "classId": 512000},
  {"classId": 512, "vendorId": 1}]}})");
  EXPECT_FALSE(reading.ok);
  EXPECT_EQ(reading.codes(),
            (std::vector<std::string>{"2:21 E534", "3:33 E534", "4:41 E534", "4:57 E534",
                                      "5:31 E534", "6:42 E534", "7:3 E534"}));
}

TEST(VimConfigTarget, DevicesNameBridgesThatAreNotListed) {
  const auto reading = read(R"(<ConfigTarget xmlns:x="http://www.w3.org/2001/XMLSchema-instance">
  <numCpus>80</numCpus><numCpuCores>40</numCpuCores><numNumaNodes>2</numNumaNodes>
  <pciPassthrough x:type="VirtualMachinePciPassthroughInfo"><name></name>
    <pciDevice><id>0000:05:00.1</id><classId>512</classId><vendorId>-32634</vendorId>
      <deviceId>5490</deviceId><parentBridge>0000:00:1d.4</parentBridge></pciDevice>
  </pciPassthrough>
  <sriov><pciDevice><id>0000:3b:00.0</id><classId>512</classId><vendorId>5555</vendorId>
      <deviceId>4129</deviceId><parentBridge>0000:3a:00.0</parentBridge></pciDevice>
    <virtualFunction>false</virtualFunction><pnic>vmnic5</pnic></sriov>
  <sriov><pciDevice><id>0000:3b:00.2</id><classId>512</classId><vendorId>5555</vendorId>
      <deviceId>4126</deviceId><parentBridge>0000:3a:00.0</parentBridge></pciDevice>
    <virtualFunction>true</virtualFunction></sriov>
  <sriov><pciDevice><id>0000:8a:00.0</id><classId>770</classId><vendorId>4318</vendorId>
      <deviceId>8433</deviceId><parentBridge>0000:85:03.0</parentBridge></pciDevice>
    <virtualFunction>false</virtualFunction></sriov>
  <sharedGpuPassthroughTypes><vgpu>grid_a100-40c</vgpu></sharedGpuPassthroughTypes>
  <vgpuDeviceInfo><deviceVendorId>552669406</deviceVendorId><maxFbSizeInGib>40</maxFbSizeInGib>
  </vgpuDeviceInfo>
  <vgpuProfileInfo><profileName>grid_a100-1-5c</profileName></vgpuProfileInfo>
  <vgpuProfileInfo><profileName>grid_a100-40c</profileName></vgpuProfileInfo>
  <vendorDeviceGroupInfo><deviceGroupName>Nvidia:2@grid_a100-40c%NVLink</deviceGroupName>
  </vendorDeviceGroupInfo>
</ConfigTarget>)");
  ASSERT_TRUE(reading.ok) << reading.says("");
  const Inventory& host = reading.host();
  EXPECT_EQ(tree_of(host), "unplaced: 05:00.1 3b:00.0 8a:00.0");
  EXPECT_EQ(shown(host.threads), "80");
  EXPECT_EQ(shown(host.cores), "40");
  EXPECT_EQ(shown(device_at(host, "0000:05:00.1").passthrough), "true");
  EXPECT_EQ(shown(device_at(host, "0000:3b:00.0").ports.at(0).name), "vmnic5");
  EXPECT_EQ(shown(device_at(host, "0000:8a:00.0").parent), "0000:85:03.0");
  EXPECT_EQ(shown(device_at(host, "0000:8a:00.0").gpu.value().memory), "42949672960?");
  EXPECT_EQ(host.profiles, std::vector<std::string>{"grid_a100-40c"});
  EXPECT_EQ(host.device_groups, std::vector<std::string>{"Nvidia:2@grid_a100-40c%NVLink"});
  EXPECT_TRUE(reading.says("does not offer now are omitted: grid_a100-1-5c"));
}

TEST(VimConfigTarget, WithoutAListOfWhatIsOfferedNowAllProfilesCount) {
  const auto reading = read(R"({"numCpus": 8, "numCpuCores": 4, "vgpuProfileInfo": [
      {"profileName": "grid_a100-4c"}, {"profileName": "grid_a100-1-5c"}]})");
  ASSERT_TRUE(reading.ok);
  EXPECT_EQ(reading.host().profiles.size(), 2U);
}

TEST(VimHost, TheOnlyNumaNodeHasAllDevices) {
  const auto reading = read(R"({"hostSystems": [{"self": {"type": "HostSystem", "value": "host-9"},
    "hardware": {
      "numaInfo": {"type": "NUMA", "numNodes": 1, "numaNode": [
        {"typeId": 0, "cpuID": [0, 1], "pciId": ["0000:17:00.0"]}]},
      "pciDevice": [
        {"id": "0000:17:00.0", "classId": 770, "vendorId": 4318, "deviceId": 9008},
        {"id": "0000:99:00.0", "classId": 512, "vendorId": 5555, "deviceId": 4129}]}}]})");
  ASSERT_TRUE(reading.ok) << reading.says("");
  ASSERT_EQ(reading.host().numa_nodes.size(), 1U);
}

}  // namespace vim_host_test
}  // namespace vgsim::vsphere::import
