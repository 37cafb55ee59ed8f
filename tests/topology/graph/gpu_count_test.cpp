#include "topology/graph/gpu_count.hpp"

#include <gtest/gtest.h>

#include <regex>

namespace vgsim::topology {
namespace gpu_count_test {

struct Written {
  const char* text;
  std::size_t count;
  const char* gpu;
};

class GpuCountIsRead : public testing::TestWithParam<Written> {};

TEST_P(GpuCountIsRead, InCommonSpellings) {
  const auto& [text, count, gpu] = GetParam();
  const auto read = parse_gpu_count(text);
  ASSERT_TRUE(read) << text;
  EXPECT_EQ(read->count, count) << text;
  EXPECT_EQ(read->gpu, gpu) << text;
}

INSTANTIATE_TEST_SUITE_P(
    Texts, GpuCountIsRead,
    testing::Values(Written{"4 x a100-pcie-80gb", 4, "a100-pcie-80gb"},
                    Written{"4x h100", 4, "h100"}, Written{"4 x H100", 4, "H100"},
                    Written{"8xH100", 8, "H100"}, Written{"4 X L40S", 4, "L40S"},
                    Written{"4 × h100", 4, "h100"}, Written{"4×h100", 4, "h100"},
                    Written{"16 * t4", 16, "t4"},
                    Written{"8 x H100 SXM5 80GB", 8, "H100 SXM5 80GB"},
                    Written{"h100 x 4", 4, "h100"}, Written{"h100 x4", 4, "h100"},
                    Written{"RTX 6000 Ada x 2", 2, "RTX 6000 Ada"}));

TEST(GpuCount, RefusesOtherTexts) {
  for (const char* text : {"", "4", "h100", "x h100", "0 x h100", "4 x", "4 x -h100", "100 x h100",
                           "4 h100", "-4 x h100", "four x h100", "4 x h100\n", "4.5 x h100"}) {
    EXPECT_FALSE(parse_gpu_count(text)) << text;
  }
  EXPECT_FALSE(parse_gpu_count("4 x " + std::string(100'000, 'a')));
}

}  // namespace gpu_count_test
}  // namespace vgsim::topology
