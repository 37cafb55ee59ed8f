#include "models/vsphere/mig_words.hpp"

#include <gmock/gmock.h>

#include "tests/support/scenarios.hpp"

namespace vgsim::vsphere {
namespace mig_words_test {

using testing::HasSubstr;

const Profiles& profiles() { return test::library().vsphere->profiles; }

std::string profile_for(const char* text, const char* gpu) {
  const Profile* profile = mig_profile(text, {profiles().board_of(gpu)});
  return profile == nullptr ? "none" : profile->name;
}

TEST(MigWords, StandForTheProfileOfTheGpu) {
  EXPECT_EQ(profile_for("3g.40gb", "h100-sxm5-80gb"), "nvidia_h100xm-3-40c");
  EXPECT_EQ(profile_for("3g.40gb", "a100-pcie-80gb"), "grid_a100d-3-40c");
  EXPECT_EQ(profile_for("MIG 1g.10gb", "h100-pcie-80gb"), "nvidia_h100-1-10c");
  EXPECT_EQ(profile_for("mig-1g.10gb+me", "h100-pcie-80gb"), "nvidia_h100-1-10cme");
  EXPECT_EQ(profile_for("3g.71gb", "h100-pcie-80gb"), "none") << "that is one of an H200";
  EXPECT_EQ(profile_for("3g.40gb", "l40s"), "none");
  EXPECT_EQ(profile_for("nvidia_h100-3-40c", "h100-pcie-80gb"), "none") << "no words of MIG";
}

TEST(MigWords, AreRefusedForAGpuWithoutMig) {
  const Boards l40s = {profiles().board_of("l40s")};
  for (const char* text : {"3g.24gb", "1g.6gb", "nvidia_l40s-3-24c", "l40s-1-6c"}) {
    const auto why = without_mig(text, l40s, profiles());
    ASSERT_TRUE(why) << text;
    EXPECT_THAT(why->message, HasSubstr("l40s has no MIG")) << text;
    EXPECT_THAT(why->instead, HasSubstr("nvidia_l40s-48c")) << text;
  }
}

TEST(MigWords, ABoardInTheNameIsEnoughToTell) {
  EXPECT_TRUE(without_mig("nvidia_l40s-3-24c", {}, profiles()));
  EXPECT_FALSE(without_mig("3g.24gb", {}, profiles())) << "of which GPU?";
}

TEST(MigWords, OtherNamesAreNotTheirConcern) {
  const Boards l40s = {profiles().board_of("l40s")};
  for (const char* text : {"nvidia_l40s-48c", "nvidia_l40s-47c", "nvidia_h100-3-41c", "", "mig"}) {
    EXPECT_FALSE(without_mig(text, l40s, profiles())) << text;
  }
}

}  // namespace mig_words_test
}  // namespace vgsim::vsphere
