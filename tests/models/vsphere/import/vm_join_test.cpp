#include "models/vsphere/import/vm_join.hpp"

#include <gtest/gtest.h>

namespace vgsim::vsphere::import {
namespace vm_join_test {

VmFacts named(const std::string& name, const std::string& file, const std::string& host = {}) {
  VmFacts vm;
  vm.name = {name, file};
  if (!host.empty()) vm.host = {host, file};
  return vm;
}

VmFacts with_devices(VmFacts vm, std::size_t count) {
  vm.pci.resize(count);
  return vm;
}

TEST(VmJoin, FilesThatNameAVmAlikeAreOfOneVm) {
  VmFacts sizes = named("vm1", "x.xlsx!vInfo", "esx01");
  sizes.vcpus = {8, "x.xlsx!vInfo"};
  VmFacts adapters = named("vm1", "x.xlsx!vNetwork", "esx01");
  adapters.adapters.resize(2);
  const JoinedVms joined = join_vms({sizes, named("vm2", "x.xlsx!vInfo"), adapters});
  ASSERT_EQ(joined.vms.size(), 2U);
  EXPECT_EQ(joined.vms[0].vcpus->value, 8);
  EXPECT_EQ(joined.vms[0].adapters.size(), 2U);
}

TEST(VmJoin, VmsOfOneFileOrOfDifferentHostsAreDifferent) {
  EXPECT_EQ(join_vms({named("vm1", "a.json"), named("vm1", "a.json")}).vms.size(), 2U);
  EXPECT_EQ(join_vms({named("vm1", "a", "esx01"), named("vm1", "b", "esx02")}).vms.size(), 2U);
  const JoinedVms crossed =
      join_vms({named("vm1", "a", "esx01"), named("vm1", "a", "esx02"),
                with_devices(named("vm1", "b", "esx02"), 3), named("vm1", "b", "esx01")});
  ASSERT_EQ(crossed.vms.size(), 2U);
  EXPECT_EQ(crossed.vms[1].pci.size(), 3U);
}

TEST(VmJoin, DevicesAndSettingsAloneBelongToTheOnlyVm) {
  VmFacts settings;
  settings.allow_p2p = {true, "extraConfig.json"};
  const VmFacts devices = with_devices({}, 2);
  const JoinedVms two = join_vms({settings, devices});
  ASSERT_EQ(two.vms.size(), 1U);
  EXPECT_EQ(two.vms[0].pci.size(), 2U);
  EXPECT_TRUE(two.vms[0].allow_p2p);
  EXPECT_EQ(join_vms({settings, devices, named("vm1", "vm.json")}).vms.size(), 1U);
  EXPECT_EQ(join_vms({named("vm1", "a"), named("vm2", "a"), devices}).vms.size(), 3U);
  EXPECT_EQ(join_vms({devices, devices}).vms.size(), 2U);
}

TEST(VmJoin, SizesThatDifferAreSaid) {
  VmFacts first = named("vm1", "a", "esx01");
  first.vcpus = {8, "a"};
  VmFacts second = named("vm1", "b", "esx01");
  second.vcpus = {16, "b"};
  const JoinedVms joined = join_vms({first, second});
  EXPECT_EQ(joined.vms[0].vcpus->value, 8);
  EXPECT_EQ(joined.warnings.items().size(), 1U);
  first.host.reset();
  EXPECT_EQ(join_vms({first, second}).vms.size(), 2U);
}

}  // namespace vm_join_test
}  // namespace vgsim::vsphere::import
