#include "models/vsphere/import/vm_scenario.hpp"

#include <gmock/gmock.h>

#include "tests/topology/machine/small_hosts.hpp"

namespace vgsim::vsphere::import {
namespace vm_scenario_test {

using nlohmann::ordered_json;
using ::testing::Contains;
using ::testing::HasSubstr;

/// A VM with devices of the two-socket host of small_hosts.hpp.
VmFacts vm_with(std::vector<VmPciDevice> pci) {
  VmFacts vm;
  vm.name = {"vm1", "vm1.vmx"};
  vm.pci = std::move(pci);
  return vm;
}

VmPciDevice passed_through(const std::string& bus_id) {
  VmPciDevice device;
  device.bus_id = {bus_id, "vm1.vmx"};
  device.vendor = {"10de", "vm1.vmx"};
  return device;
}

VmPciDevice vgpu(const std::string& profile, std::optional<std::int64_t> group = {}) {
  VmPciDevice device;
  device.kind = PciKind::kVgpu;
  device.profile = {profile, "vm1.vmx"};
  if (group) device.group = {*group, "vm1.vmx"};
  return device;
}

ordered_json only_vm(const VmFragment& fragment) { return fragment.vms.begin().value(); }

TEST(VmScenario, DevicesAreNamedAsInTheHost) {
  VmPciDevice function = passed_through("0000:98:00.0");
  function.kind = PciKind::kSriov;
  const auto fragment = to_scenario(
      {vm_with({passed_through("0000:92:00.0"), passed_through("0000:18:00.0"), function})},
      {topology::inventory::two_socket_host()});
  const ordered_json vm = only_vm(fragment);
  EXPECT_EQ(vm["host"], "host1");
  EXPECT_EQ(vm["gpus"]["devices"], ordered_json::array({"gpu2"}));
  EXPECT_EQ(vm["nics"]["mlx5_0"], "passthrough");
  EXPECT_EQ(vm["nics"]["mlx5_1"], "sriov");
}

TEST(VmScenario, DeviceGroupsComeAsAWhole) {
  VmFacts vm = vm_with({vgpu("grid_a100d-80c", 7), vgpu("grid_a100d-80c", 7)});
  vm.device_groups[7] = {"Nvidia:2@grid_a100d-80c%NVLink", "vm1.vmx"};
  const ordered_json gpus = only_vm(to_scenario({vm}, {}))["gpus"];
  EXPECT_EQ(gpus["device_groups"], ordered_json::array({"Nvidia:2@grid_a100d-80c%NVLink"}));
  EXPECT_FALSE(gpus.contains("profile"));
}

TEST(VmScenario, SingleVgpusAreCountedByProfile) {
  const ordered_json gpus =
      only_vm(to_scenario({vm_with({vgpu("grid_a100d-20c"), vgpu("grid_a100d-20c")})}, {}))["gpus"];
  EXPECT_EQ(gpus["mode"], "vgpu");
  EXPECT_EQ(gpus["profile"], "grid_a100d-20c");
  EXPECT_EQ(gpus["count"], 2);
}

TEST(VmScenario, WithoutItsHostNvidiasFunctionsNumberZeroAreGpus) {
  const auto fragment =
      to_scenario({vm_with({passed_through("0000:02:00.0"), passed_through("0000:02:00.1")})}, {});
  EXPECT_EQ(only_vm(fragment)["gpus"]["count"], 1);
  EXPECT_THAT(fragment.assumed, Contains(HasSubstr("host is not among the files")));
}

TEST(VmScenario, PeerToPeerNeedsBothSettings) {
  VmFacts vm = vm_with({passed_through("0000:12:00.0")});
  EXPECT_EQ(only_vm(to_scenario({vm}, {}))["allow_p2p"], false);
  vm.allow_p2p = {true, "vm1.vmx"};
  EXPECT_EQ(only_vm(to_scenario({vm}, {}))["allow_p2p"], false);
  vm.relax_acs = {true, "vm1.vmx"};
  EXPECT_EQ(only_vm(to_scenario({vm}, {}))["allow_p2p"], true);
}

TEST(VmScenario, StaticAndDynamicPassthroughTogetherLoseNoGpu) {
  VmPciDevice any;
  any.kind = PciKind::kDynamicPassthrough;
  any.label = "PCI device 1";
  any.vendor = {"10de", "vm1.vmx"};
  const auto fragment = to_scenario(
      {vm_with({any, passed_through("0000:12:00.0")}), vm_with({passed_through("0000:13:00.0")})},
      {topology::inventory::two_socket_host()});
  const ordered_json gpus = only_vm(fragment)["gpus"];
  EXPECT_EQ(gpus["mode"], "passthrough_static");
  EXPECT_EQ(gpus["devices"], ordered_json::array({"gpu0", "gpu2"}));
  EXPECT_THAT(fragment.assumed, Contains(HasSubstr("PCI device 1 in dynamic passthrough is gpu2")));
  const auto unknown = to_scenario({vm_with({any, passed_through("0000:12:00.0")})}, {});
  EXPECT_EQ(only_vm(unknown)["gpus"]["count"], 2);
}

TEST(VmScenario, AGpuThatItsHostDoesNotListIsNotLost) {
  VmPciDevice any;
  any.kind = PciKind::kDynamicPassthrough;
  any.vendor = {"10de", "vm1.vmx"};
  VmFacts vm = vm_with({any, passed_through("0000:fa:00.0")});
  vm.host = {"esx01", "vm1.vmx"};
  topology::inventory::Inventory host = topology::inventory::two_socket_host();
  host.name = {"esx01", "esx01.json"};
  const auto fragment = to_scenario({vm}, {host});
  EXPECT_EQ(only_vm(fragment)["gpus"],
            (ordered_json{{"mode", "passthrough_dynamic"}, {"count", 2}}));
  EXPECT_THAT(fragment.assumed, Contains(HasSubstr("which its host does not list")));
}

TEST(VmScenario, PeerToPeerIsKeptWithoutDevices) {
  VmFacts vm = vm_with({});
  vm.allow_p2p = {true, "extraConfig.json"};
  vm.relax_acs = {true, "extraConfig.json"};
  EXPECT_EQ(only_vm(to_scenario({vm}, {}))["allow_p2p"], true);
}

TEST(VmScenario, AVirtualAdapterIsBehindTheFastestNic) {
  VmFacts vm = vm_with({passed_through("0000:12:00.0")});
  vm.adapters.resize(2);
  const auto fragment = to_scenario({vm}, {topology::inventory::two_socket_host()});
  EXPECT_EQ(only_vm(fragment)["nics"], (ordered_json{{"mlx5_0", "vmxnet3"}}));
  EXPECT_THAT(fragment.assumed, Contains(HasSubstr("the fastest NIC of its host")));
}

TEST(VmScenario, VmsWithoutGpusOrPowerTakeNoPart) {
  VmFacts off = vm_with({passed_through("0000:12:00.0")});
  off.powered_on = {false, "vms.json"};
  VmFacts on = vm_with({passed_through("0000:12:00.0")});
  on.powered_on = {true, "vms.json"};
  const auto fragment =
      to_scenario({vm_with({}), off, on}, {topology::inventory::two_socket_host()});
  ASSERT_EQ(fragment.vms.size(), 1U);
  EXPECT_EQ(only_vm(fragment)["gpus"]["devices"], ordered_json::array({"gpu0"}));
  EXPECT_EQ(fragment.skipped.size(), 2U);
  EXPECT_EQ(to_scenario({vm_with({})}, {}).vms.size(), 1U);
}

TEST(VmScenario, WhatHoldsForManyVmsIsSaidOnce) {
  const auto fragment = to_scenario(
      {vm_with({passed_through("0000:12:00.0")}), vm_with({passed_through("0000:13:00.0")})}, {});
  EXPECT_THAT(fragment.assumed, Contains(HasSubstr("vm1 and 1 more: its host is not")));
}

TEST(VmScenario, AVmIsOnTheOnlyHostThatHasItsDevices) {
  topology::inventory::Inventory other;
  other.name = {"esx02", "esx02.xml"};
  const auto hosts = std::vector{other, topology::inventory::two_socket_host()};
  EXPECT_EQ(only_vm(to_scenario({vm_with({passed_through("0000:12:00.0")})}, hosts))["host"],
            scenario_names(hosts)[1]);
}

TEST(VmScenario, AVmFindsItsHostByItsId) {
  topology::inventory::Inventory first;
  first.object_id = {"host-25", "a.xml"};
  topology::inventory::Inventory second;
  second.object_id = {"host-35", "b.xml"};
  VmFacts vm = vm_with({vgpu("grid_a100d-80c")});
  vm.host_id = {"host-35", "vm.xml"};
  EXPECT_EQ(only_vm(to_scenario({vm}, {first, second}))["host"], "host2");
}

TEST(VmScenario, VersionsOfEsxiAreThoseOfTheScenario) {
  Inventory host;
  host.hypervisor = {"VMware ESXi 8.0.3 build-24022510", "host.xml"};
  EXPECT_EQ(vsphere_version(host), "8.0U3");
  host.hypervisor->value = "VMware ESXi 7.0.0 build-1";
  EXPECT_EQ(vsphere_version(host), "7.0");
  host.hypervisor->value = "KVM";
  EXPECT_EQ(vsphere_version(host), "");
}

}  // namespace vm_scenario_test
}  // namespace vgsim::vsphere::import
