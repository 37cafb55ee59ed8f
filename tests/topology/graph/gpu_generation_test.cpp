#include "topology/graph/gpu_generation.hpp"

#include <gtest/gtest.h>

namespace vgsim::topology {
namespace gpu_generation_test {

/// By NVIDIA's table of compute capabilities (CUDA C++ Programming Guide) and the rows that NCCL's
/// tuning.cc picks for them.
TEST(GpuGeneration, HasTheRowsThatNcclPicksForItsComputeCapability) {
  EXPECT_EQ(word_of(generation_of(60)), "volta") << "P100";
  EXPECT_EQ(word_of(generation_of(70)), "volta") << "V100";
  EXPECT_EQ(word_of(generation_of(75)), "volta") << "T4";
  EXPECT_EQ(word_of(generation_of(80)), "ampere") << "A100";
  EXPECT_EQ(word_of(generation_of(86)), "ampere") << "A40";
  EXPECT_EQ(word_of(generation_of(89)), "ampere") << "L40S";
  EXPECT_EQ(word_of(generation_of(90)), "hopper") << "H100";
  EXPECT_EQ(word_of(generation_of(100)), "blackwell") << "B200";
  EXPECT_EQ(word_of(generation_of(120)), "blackwell") << "RTX PRO 6000";
}

TEST(GpuGeneration, AreInOrderOfAge) {
  EXPECT_LT(generation_called("volta"), generation_called("ampere"));
  EXPECT_LT(generation_called("hopper"), generation_called("blackwell"));
  for (std::size_t a = 1; a < kGpuArchitectures.size(); ++a) {
    EXPECT_LT(kGpuArchitectures[a - 1].capability, kGpuArchitectures[a].capability);
  }
}

}  // namespace gpu_generation_test
}  // namespace vgsim::topology
