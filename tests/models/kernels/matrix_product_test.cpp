#include "models/kernels/matrix_product.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <cmath>

#include "tests/support/scenarios.hpp"

namespace vgsim::kernels {
namespace matrix_product_test {

constexpr std::array kGpus = {"v100-sxm2-16gb", "a100-sxm4-80gb",   "a10",
                              "l40s",           "h100-sxm5-80gb",   "h200-sxm5-141gb",
                              "gb200",          "rtx-pro-6000-bse", "b200-sxm-180gb"};

KernelGpu gpu_called(const char* name) {
  const auto& library = test::library();
  return kernel_gpu(library.catalog->gpus.at(name), "fp16", library.parameters).value();
}

double seconds(const MatrixProduct& product, const KernelGpu& gpu) {
  return seconds_of(product, gpu, product_constants(test::library().parameters));
}

MatrixProduct any_product() {
  const auto side = [] { return std::exp2(*rc::gen::inRange(50, 160) / 10.0); };
  return {std::ceil(side()), std::ceil(side()), std::ceil(side())};
}

RC_GTEST_PROP(MatrixProduct, IsNeverFasterThanThePeak, ()) {
  const MatrixProduct product = any_product();
  const KernelGpu gpu = gpu_called(*rc::gen::elementOf(kGpus));
  RC_ASSERT(seconds(product, gpu) > 2 * product.m * product.n * product.k / gpu.peak);
}

RC_GTEST_PROP(MatrixProduct, OfTwiceTheRowsTakesLonger, ()) {
  const MatrixProduct product = any_product();
  const KernelGpu gpu = gpu_called(*rc::gen::elementOf(kGpus));
  MatrixProduct twice = product;
  twice.m *= 2;
  RC_ASSERT(seconds(twice, gpu) > 0.99 * seconds(product, gpu));
}

TEST(MatrixProduct, OfAGroupStartsOnceAndIsNotFasterThanItsMemory) {
  const KernelGpu gpu = gpu_called("h100-sxm5-80gb");
  const MatrixProduct alone{64, 4096, 7168};
  MatrixProduct group = alone;
  group.groups = 8;
  EXPECT_LT(seconds(group, gpu), 8 * seconds(alone, gpu));
  EXPECT_GT(seconds(group, gpu), 8 * 4096.0 * 7168 * 2 / gpu.memory_rate) << "other weights each";
  EXPECT_GE(seconds(group, gpu), roof_of(group, gpu));
}

TEST(MatrixProduct, OfAGroupOfLargeProductsTakesAsLongAsTheyDo) {
  const KernelGpu gpu = gpu_called("h100-sxm5-80gb");
  const MatrixProduct alone{8192, 4096, 7168};
  MatrixProduct group = alone;
  group.groups = 8;
  EXPECT_NEAR(seconds(group, gpu) / (8 * seconds(alone, gpu)), 1.0, 0.05);
}

TEST(MatrixProduct, ThatFillsAGpuTakesWhatItsPowerAllows) {
  // Large enough that start, tiles and memory do not matter.
  const MatrixProduct product{65536, 65536, 65536};
  for (const char* name : kGpus) {
    const KernelGpu gpu = gpu_called(name);
    const double sustained =
        std::min(gpu.sustained_share, test::library().parameters.number("product_math_share"));
    const double ideal = 2 * std::pow(65536.0, 3) / (gpu.peak * sustained);
    EXPECT_GE(seconds(product, gpu), ideal) << name;
    EXPECT_LT(seconds(product, gpu), 1.1 * ideal) << name;
  }
}

TEST(MatrixProduct, OfFewOperationsTakesWhatMemoryMoves) {
  // 8.6 GB of results exceed every cache.
  const MatrixProduct product{8192, 524288, 8};
  const KernelGpu gpu = gpu_called("h100-sxm5-80gb");
  const double bytes = (8192.0 * 8 + 524288.0 * 8 + 8192.0 * 524288) * 2;
  const double share = test::library().parameters.number("product_memory_share");
  EXPECT_NEAR(seconds(product, gpu) / (bytes / (gpu.memory_rate * share)), 1.0, 0.1);
}

TEST(KernelGpu, OfAnArchitectureThatWasNotMeasuredGoesByItsPower) {
  // 300 W for 112 x 10^12 operations.
  const auto& parameters = test::library().parameters;
  const double expected = parameters.number("sustained_share_at_a_watt") *
                          std::pow(300.0 / 112, parameters.number("sustained_share_power"));
  EXPECT_DOUBLE_EQ(gpu_called("v100-sxm2-16gb").sustained_share,
                   std::min(expected, parameters.number("product_math_share")));
}

}  // namespace matrix_product_test
}  // namespace vgsim::kernels
