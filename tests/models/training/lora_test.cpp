#include "models/training/lora.hpp"

#include <gtest/gtest.h>

#include "tests/support/scenarios.hpp"

namespace vgsim {
namespace lora_test {

using training::LayerGroup;
using training::Lora;
using training::with_adapters;

// MLPerf Training 4.0, reference of llama2_70b_lora (rank 16, attention): trainable parameters
// 44,564,480 of 69,021,212,672.
TEST(Lora, HasTheParametersOfTheReference) {
  const auto& llama = test::library().networks->at("llama-2-70b");
  const auto adapted = with_adapters(llama, {16, Lora::Targets::kAttention});
  std::int64_t frozen = 0;
  for (const LayerGroup& layer : adapted.layers) frozen += layer.frozen;
  EXPECT_EQ(adapted.parameters(), 44'564'480);
  EXPECT_EQ(frozen, llama.parameters());
  EXPECT_EQ(adapted.parameters() + frozen, 69'021'212'672);
}

TEST(Lora, AdaptersOfAllMatricesAreMore) {
  const auto& llama = test::library().networks->at("llama-2-7b");
  const auto attention = with_adapters(llama, {8, Lora::Targets::kAttention});
  const auto all = with_adapters(llama, {8, Lora::Targets::kAll});
  // Gate and up as one matrix of 4,096 x 22,016, down of 11,008 x 4,096, in 32 blocks.
  EXPECT_EQ(all.parameters() - attention.parameters(), 32 * 8 * (4096 + 2 * 11008 + 11008 + 4096));
}

std::string job(const std::string& network, const std::string& more) {
  return R"({"name": "fine-tuning", "hosts": {"h": {"server": "dell-xe9680"}}, "job": {
      "network": ")" +
         network + R"(", "batch_per_gpu": 1, "samples_per_epoch": 10000)" + more + "}}";
}

TEST(Lora, FitsWhereFullTrainingDoesNotAndComputesLess) {
  const std::string recompute = R"(, "recompute": "full", "parallel": {"sharding": "zero3"})";
  const auto full = test::run_one(job("llama-2-13b", recompute));
  const auto lora = test::run_one(job("llama-2-13b", recompute + R"(, "lora": {"rank": 16})"));
  ASSERT_TRUE(full.training && lora.training);
  EXPECT_LT(lora.memory->needed, full.memory->needed);
  EXPECT_EQ(lora.memory->parts.at("weights") > 0, true);
  EXPECT_LT(lora.memory->parts.at("optimizer states"),
            full.memory->parts.at("optimizer states") / 100);
  // Forward, recomputed but for the last product, and backward without the gradients of
  // weights: 2.7 of 3.7 operations. Memory traffic of layers stays, and products of adapters are
  // thin.
  const double ratio = to_seconds(lora.training->compute) / to_seconds(full.training->compute);
  EXPECT_GT(ratio, 2.67 / 3.67);
  EXPECT_LT(ratio, 0.85);
}

TEST(Lora, FrozenWeightsHaveNoGradientAtAShareOfThePeakEither) {
  // Forward and gradients of inputs: two of three products. Scores are computed as before.
  const std::string share = R"(, "achieved_share": 0.4, "parallel": {"sharding": "zero3"})";
  const auto full = test::run_one(job("llama-2-7b", share));
  const auto lora = test::run_one(job("llama-2-7b", share + R"(, "lora": {"rank": 16})"));
  ASSERT_TRUE(full.training && lora.training);
  const double ratio = to_seconds(lora.training->compute) / to_seconds(full.training->compute);
  EXPECT_GT(ratio, 2.0 / 3);
  EXPECT_LT(ratio, 0.75);
}

TEST(Lora, GradientsAreThoseOfAdaptersAlone) {
  const auto lora = test::run_one(job("llama-2-7b", R"(, "gradients": "fp32", "lora": {})"));
  ASSERT_TRUE(lora.training);
  const auto adapted =
      with_adapters(test::library().networks->at("llama-2-7b"), {16, Lora::Targets::kAttention});
  EXPECT_DOUBLE_EQ(lora.training->gradient_bytes, 4.0 * static_cast<double>(adapted.parameters()));
}

TEST(Lora, FrozenExpertsHaveNoGradientsAndAreSharedOut) {
  // Mixtral 8x7B: 32 layers, each with 8 experts of three matrices of 4,096 x 14,336. Adapters of
  // attention: 16 x (4,096 + 6,144 + 4,096 + 4,096) elements a layer.
  const double experts = 32.0 * 8 * 3 * 4096 * 14336;
  const double adapters = 32.0 * 16 * (4096 + 6144 + 4096 + 4096);
  const std::string lora =
      R"(, "gradients": "fp32", "recompute": "selective", "lora": {"rank": 16}, "parallel": )";
  const auto whole = test::run_one(job("mixtral-8x7b", lora + R"({"data": 8})")).memory->parts;
  const auto shared = test::run_one(job("mixtral-8x7b", lora + R"({"expert": 8})")).memory->parts;
  EXPECT_DOUBLE_EQ(whole.at("gradients"), 4 * adapters);
  EXPECT_DOUBLE_EQ(shared.at("gradients"), 4 * adapters);
  EXPECT_DOUBLE_EQ(whole.at("weights") - shared.at("weights"), 2 * experts * 7 / 8);
}

TEST(Lora, IsRefusedForNetworksWrittenByLayers) {
  const auto result = test::try_run(
      R"({"name": "x", "hosts": {"h": {"server": "dell-xe9680"}}, "job": {"network": "resnet-50",
          "lora": {"rank": 4}}})");
  ASSERT_FALSE(result);
  EXPECT_NE(input::render(result.error()).find("adapters are unknown"), std::string::npos);
}

}  // namespace lora_test
}  // namespace vgsim
