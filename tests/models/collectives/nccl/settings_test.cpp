#include "models/collectives/nccl/settings.hpp"

#include <gmock/gmock.h>

namespace vgsim::collectives::nccl {
namespace settings_test {

using ::testing::Contains;
using ::testing::HasSubstr;

TEST(NcclSettings, ReadsNcclsOwnWords) {
  const auto settings = parse_settings({{"NCCL_P2P_LEVEL", "PXB"},
                                        {"NCCL_NET_GDR_LEVEL", "4"},
                                        {"NCCL_ALGO", "^Tree,NVLS"},
                                        {"NCCL_MAX_NRINGS", "4"},
                                        {"NCCL_BUFFSIZE", "0x100000"},
                                        {"NCCL_NET_GDR_READ", "-2"}});
  ASSERT_TRUE(settings);
  EXPECT_EQ(settings->p2p_level, PathType::kPxb);
  EXPECT_EQ(settings->net_gdr_level, PathType::kSys);
  const auto& all_reduce =
      settings->filter.algorithms[static_cast<std::size_t>(Function::kAllReduce)];
  EXPECT_EQ(all_reduce[static_cast<std::size_t>(Algorithm::kTree)], FilterRule::kForbidden);
  EXPECT_EQ(all_reduce[static_cast<std::size_t>(Algorithm::kRing)], FilterRule::kAllowed);
  EXPECT_EQ(settings->max_channels, 4);
  EXPECT_EQ(settings->buffsize, 1 << 20);
  EXPECT_EQ(settings->net_gdr_read, -2);
}

TEST(NcclSettings, OneOfTwoNamesWins) {
  const auto settings = parse_settings({{"NCCL_P2P_DISABLE", "1"},
                                        {"NCCL_P2P_LEVEL", "SYS"},
                                        {"NCCL_MIN_NCHANNELS", "8"},
                                        {"NCCL_MIN_NRINGS", "2"}});
  ASSERT_TRUE(settings);
  EXPECT_EQ(settings->p2p_level, PathType::kLoc);
  EXPECT_EQ(settings->min_channels, 8);
}

TEST(NcclSettings, RefusesWhatNcclWouldPassOver) {
  const auto settings = parse_settings({{"NCCL_P2P_LEVLE", "SYS"},
                                        {"NCCL_P2P_LEVEL", "PHX"},
                                        {"NCCL_PROTO", "simpel"},
                                        {"NCCL_CROSS_NIC", "3"},
                                        {"NCCL_SHM_DISABLE", "yes"}});
  ASSERT_FALSE(settings);
  ASSERT_EQ(settings.error().size(), 5u);
  EXPECT_EQ(settings.error()[0].name, "NCCL_CROSS_NIC");
  EXPECT_THAT(settings.error()[1].suggestions, Contains("PHB"));
  EXPECT_THAT(settings.error()[2].suggestions, Contains("NCCL_P2P_LEVEL"));
  EXPECT_THAT(settings.error()[3].message, HasSubstr("did you mean \"Simple\"?"));
}

}  // namespace settings_test
}  // namespace vgsim::collectives::nccl
