#include <gtest/gtest.h>

#include <string>

#include "tests/support/scenarios.hpp"

namespace vgsim {
namespace software_test {

using test::run_one;

/// What a GPU computes in a step of Llama blocks, seconds, with further keys of the job.
double computes(const std::string& keys) {
  const auto layout = run_one(R"({"name": "steps",
    "hosts": {"h": {"server": "generic-1gpu", "gpus": "1 x h100-sxm5-80gb"}},
    "job": {"network": {"name": "Llama of 4 blocks", "sample": {"sequence_length": 2048},
              "transformer": {"layers": 4, "hidden": 4096, "heads": 32, "ffn": 11008,
                "gated": true, "vocabulary": 32000, "tied_output": false, "output": "lm",
                "bias": false, "norm": "rms", "final_norm": true, "causal": true}},
            "batch_per_gpu": 1, "precision": "bf16", "cuda_graphs": true,
            "input": {"decode": "none"}, "samples_per_epoch": 1000, )" +
                              keys + "}}");
  return to_seconds(layout.training->compute);
}

// Four blocks of 202 million weights and a decoder of 131; the table of embeddings is looked up.
TEST(Software, AutocastCopiesWeightsForwardAndGradientsBack) {
  constexpr double kWeights = 4 * (4 * 4096. * 4096 + 3 * 4096. * 11008) + 32000 * 4096.;
  constexpr double kBytes = 2 * (4 + 2);
  const double rate = 3350e9 * test::library().parameters.number("device_memory_share");
  const std::string usual = R"("software": "usual", "weights": )";
  const double copies = computes(usual + R"("fp32")") - computes(usual + R"("16bit")");
  EXPECT_NEAR(copies, kBytes * kWeights / rate, 1e-3 * copies);
  // The optimizer of tuned software writes both.
  EXPECT_EQ(computes(R"("software": "tuned", "weights": "fp32")"),
            computes(R"("software": "tuned", "weights": "16bit")"));
}

// Without a word, transformers with FlashAttention are fused; PyTorch as it runs has both.
TEST(Software, IsOfItsOwnBesideFlashAttention) {
  const std::string with = R"("weights": "16bit", "flash_attention": 2)";
  const std::string without = R"("weights": "16bit", "flash_attention": false)";
  EXPECT_EQ(computes(with), computes(with + R"(, "software": "tuned")"));
  EXPECT_EQ(computes(without), computes(without + R"(, "software": "usual")"));
  const double more_traffic = computes(with + R"(, "software": "usual")") - computes(with);
  EXPECT_GT(more_traffic, 0.1 * computes(with));
  // Measured (tests/training-cases-unseen): 27 % of the step more than predicted for fused layers.
  EXPECT_LT(more_traffic, 0.5 * computes(with));
}

}  // namespace software_test
}  // namespace vgsim
