#include "models/scoring/fit/topology_matrix.hpp"

#include <gtest/gtest.h>

namespace vgsim::scenario {
namespace topology_matrix_test {

constexpr const char* kMatrix =
    "\tGPU0\tGPU1\tGPU2\tNIC0\tCPU Affinity\tNUMA Affinity\n"
    "GPU0\t X \tNV12\tSYS\tPXB\t0-31\t0\n"
    "GPU1\tNV12\t X \tPIX\tPXB\t0-31\t0\n"
    "GPU2\tSYS\tPIX\t X \tSYS\t32-63\t1\n"
    "NIC0\tPXB\tPXB\tSYS\t X\n";

TEST(TopologyMatrix, SaysHowTwoGpusAreJoined) {
  EXPECT_EQ(path_class(kMatrix, 0, 1), "NV12");
  EXPECT_EQ(path_class(kMatrix, 2, 0), "SYS");
  EXPECT_EQ(path_class(kMatrix, 1, 2), "PIX");
}

TEST(TopologyMatrix, SaysNothingOfGpusThatItDoesNotList) {
  EXPECT_EQ(path_class(kMatrix, 3, 0), "");
  EXPECT_EQ(path_class(kMatrix, 0, 40), "");
  EXPECT_EQ(path_class("", 0, 1), "");
}

TEST(TopologyMatrix, CountsNvLinksInTheirClassAlone) {
  EXPECT_EQ(nvlinks_of("NV18"), 18u);
  EXPECT_FALSE(nvlinks_of("NODE"));
  EXPECT_FALSE(nvlinks_of("NV"));
  EXPECT_FALSE(nvlinks_of("NV4x"));
}

}  // namespace topology_matrix_test
}  // namespace vgsim::scenario
