// What follows from the way in which a VM gets its GPUs.

#include "models/vsphere/modes/gpu_modes.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "models/vsphere/gpu_sharing.hpp"
#include "tests/support/scenarios.hpp"

namespace vgsim::vsphere {
namespace gpu_modes_test {

TEST(GpuModes, AreNamedOnceAndTheirRulesAndParametersAreKnown) {
  const Facts& facts = *test::library().vsphere;
  std::set<std::string> keys;
  for (const GpuMode& mode : gpu_modes()) {
    ASSERT_EQ(mode.key == nullptr, &mode == &bare_metal_gpus());
    EXPECT_EQ(mode.is_virtual, mode.key != nullptr) << mode.title;
    if (mode.key != nullptr) {
      EXPECT_EQ(&gpu_mode(mode.key), &mode) << mode.title;
      EXPECT_TRUE(keys.insert(mode.key).second) << mode.title;
    }
    for (const char* rule : {mode.limit.rule, mode.no_pcie_rule}) {
      EXPECT_TRUE(rule == nullptr || facts.rules.contains(rule)) << rule;
    }
    for (const GpuSharing* sharing : {mode.sharing, mode.mig_sharing}) {
      if (sharing == nullptr || sharing->compute_share == nullptr) continue;
      EXPECT_FALSE(test::library().parameters.describe(sharing->compute_share).empty());
    }
  }
}

/// A GPU of one VM is whole; others are shared, by time slices or in parts.
TEST(GpuModes, AreExclusiveOrShared) {
  for (const GpuMode& mode : gpu_modes()) {
    EXPECT_EQ(mode.is_exclusive, mode.sharing->share == nullptr) << mode.title;
    EXPECT_EQ(mode.takes_profiles, !mode.is_exclusive) << mode.title;
    if (mode.mig_sharing != nullptr) {
      EXPECT_NE(mode.mig_sharing->is_time_sliced, mode.mig_sharing->is_split);
    }
  }
}

TEST(GpuModes, AProfileSaysHowAVgpuIsShared) {
  Profile profile;
  VirtualMachine vm;
  vm.mode = &gpu_mode("vgpu");
  vm.gpus = {0};
  vm.profiles = {&profile};
  EXPECT_EQ(&sharing_of(vm, 0), &kTimeSliced);
  profile.mig = true;
  EXPECT_EQ(&sharing_of(vm, 0), &kMigBacked);
}

}  // namespace gpu_modes_test
}  // namespace vgsim::vsphere
