#include <gtest/gtest.h>

TEST(CudaProbe, MeasuresAMachineOfFakeLibraries) {
  GTEST_SKIP() << "built without the CUDA toolkit, or without the headers of cuDNN or NCCL";
}
