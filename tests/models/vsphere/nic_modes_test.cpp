// What follows from the way in which a VM gets a NIC.

#include "models/vsphere/modes/nic_modes.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "models/vsphere/facts/facts.hpp"
#include "tests/support/scenarios.hpp"

namespace vgsim::vsphere {
namespace nic_modes_test {

TEST(NicModes, HaveTheParametersOfTheirCarrier) {
  const calibration::Parameters& parameters = test::library().parameters;
  for (const NicMode& mode : nic_modes()) {
    const auto& needed = mode.carrier->parameters;
    ASSERT_EQ(mode.parameters == nullptr, needed.front() == nullptr) << mode.title;
    for (const char* which : needed) {
      if (which == nullptr) break;
      EXPECT_FALSE(parameters.describe(std::string(mode.parameters) + which).empty())
          << mode.title << which;
    }
  }
}

TEST(NicModes, AreNamedOnceAndTheirFeaturesAndRulesAreKnown) {
  const Facts& facts = *test::library().vsphere;
  std::set<std::string> keys;
  for (const NicMode& mode : nic_modes()) {
    ASSERT_EQ(mode.key == nullptr, &mode == &bare_metal_nic());
    if (mode.key != nullptr) {
      EXPECT_EQ(&nic_mode(mode.key), &mode) << mode.title;
      EXPECT_TRUE(keys.insert(mode.key).second) << mode.title;
    }
    if (mode.feature == nullptr) continue;
    EXPECT_FALSE(facts.versions.since(mode.feature).empty()) << mode.feature;
    for (const char* about : {"-version", "-driver"}) {
      EXPECT_TRUE(facts.rules.contains(std::string(mode.feature) + about)) << mode.feature << about;
    }
  }
}

/// VMware: a device in DirectPath I/O bars vMotion, suspend and snapshots of the VM; an adapter
/// that the hypervisor emulates bars nothing.
TEST(NicModes, DevicesOfTheGuestLoseWhatEmulatedOnesKeep) {
  for (const NicMode& mode : nic_modes()) {
    if (mode.key == nullptr) continue;
    const bool loses_any =
        std::any_of(std::begin(kOperations), std::end(kOperations),
                    [&](Operation operation) { return mode.loses.has(operation); });
    EXPECT_EQ(loses_any, mode.is_passed) << mode.title;
    EXPECT_EQ(mode.reaches_gpus, mode.is_passed) << mode.title;
    EXPECT_FALSE(mode.loses.has(Operation::kHa)) << mode.title << ": loses_ha or ties_if_static";
  }
}

}  // namespace nic_modes_test
}  // namespace vgsim::vsphere
