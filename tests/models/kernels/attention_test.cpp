#include "models/kernels/attention.hpp"

#include <gtest/gtest.h>

#include "tests/support/scenarios.hpp"

namespace vgsim::kernels {
namespace attention_test {

double seconds(const Attention& attention, const char* gpu_name) {
  const auto& library = test::library();
  const KernelGpu gpu =
      kernel_gpu(library.catalog->gpus.at(gpu_name), "fp16", library.parameters).value();
  return seconds_of(attention, gpu, attention_constants(gpu, library.parameters));
}

TEST(Attention, OfLongSequencesReachesItsShareOfThePeak) {
  const Attention attention{4, 65536, 32, 8, 128};
  const double operations = 2.0 * 4 * 32 * 65536 * 65536 * 128;
  EXPECT_DOUBLE_EQ(operations_of(attention), operations);
  const double share = test::library().parameters.number("hopper_attention_share");
  EXPECT_NEAR(seconds(attention, "h100-sxm5-80gb") / (operations / (989.4e12 * share)), 1.0, 0.03);
}

TEST(Attention, GrowsWithTheSquareOfTheTokensAndWithSequences) {
  const Attention once{1, 32768, 16, 16, 128};
  Attention longer = once;
  longer.tokens *= 2;
  Attention more = once;
  more.sequences *= 2;
  for (const char* gpu : {"a100-sxm4-80gb", "h100-sxm5-80gb", "l40s"}) {
    EXPECT_NEAR(seconds(longer, gpu) / seconds(once, gpu), 4.0, 0.25) << gpu;
    EXPECT_NEAR(seconds(more, gpu) / seconds(once, gpu), 2.0, 0.1) << gpu;
  }
}

// The exponentials of scores are as many for a small head as for a large one.
TEST(Attention, OfLargerHeadsReachesMoreOfThePeak) {
  const auto rate = [](double head_size) {
    const Attention attention{4, 16384, 4096 / head_size, 4096 / head_size, head_size};
    return operations_of(attention) / seconds(attention, "b200-sxm-180gb");
  };
  EXPECT_GT(rate(128), 1.1 * rate(64));
  EXPECT_GT(rate(256), 1.05 * rate(128));
}

// Of one token Hopper's and older kernels compute heads with the same keys together.
TEST(Attention, OfOneTokenTakesATileForEachKeyHead) {
  const Attention own_keys{256, 1, 64, 64, 128};
  Attention shared = own_keys;
  shared.kv_heads = 1;
  EXPECT_LT(seconds(shared, "a100-sxm4-80gb"), 0.25 * seconds(own_keys, "a100-sxm4-80gb"));
}

TEST(Attention, OfFewerKeysAndValuesIsNotSlower) {
  const Attention all{8, 2048, 32, 32, 128};
  Attention grouped = all;
  grouped.kv_heads = 4;
  EXPECT_LT(seconds(grouped, "h100-sxm5-80gb"), seconds(all, "h100-sxm5-80gb"));
}

}  // namespace attention_test
}  // namespace vgsim::kernels
