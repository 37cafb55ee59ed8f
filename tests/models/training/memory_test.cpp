#include "models/training/memory.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>

#include "models/training/transformer.hpp"

namespace vgsim::training {
namespace memory_test {

constexpr std::int64_t kTokens = 2048;

Transformer llama(std::int64_t layers) {
  Transformer t;
  t.layers = layers;
  t.hidden = 4096;
  t.heads = t.kv_heads = 32;
  t.head_size = 128;
  t.ffn = 11008;
  t.gated = true;
  t.bias = false;
  t.rms_norm = true;
  t.vocabulary = 32000;
  t.final_norm = true;
  t.output = Transformer::Output::kLm;
  return t;
}

std::map<std::string, double> parts(const Transformer& transformer, const Parallelism& p,
                                    const StateBytes& state = {}) {
  const auto groups = layer_groups(transformer);
  std::vector<const LayerGroup*> layers;
  for (const LayerGroup& group : groups) layers.push_back(&group);
  std::map<std::string, double> bytes;
  for (const MemoryPart& part : memory_of(layers, p, 0, kTokens, state, 0)) {
    bytes[part.what] = part.bytes;
  }
  return bytes;
}

TEST(Memory, LossIsGoneBeforeABlockIsComputedAgain) {
  Parallelism p;
  p.recompute = Recompute::kFull;
  // All logits in 16 bits, and in 32 bits with logarithms and gradients.
  constexpr double kLogits = 14.0 * 32000 * kTokens;
  // For each token and block: six widths and the inputs of products and norms, and four widths of
  // the gated part; in addition, gradients of three of its eight kernels.
  constexpr double kGated = 2.0 * (4 * 11008 + 2 * 4096);
  constexpr double kBlock = (2.0 * 8 * 4096 + kGated + kGated * 3 / 8) * kTokens;
  ASSERT_GT(kLogits, kBlock);
  EXPECT_DOUBLE_EQ(parts(llama(4), p).at("loss, or active block"), kLogits);
  // With a small vocabulary the block needs more, without the output's input, which is freed by
  // then.
  Transformer small = llama(4);
  small.vocabulary = 100;
  EXPECT_DOUBLE_EQ(parts(small, p).at("loss, or active block"), kBlock - 2.0 * 4096 * kTokens);
}

TEST(Memory, MomentOfABlockDoesNotGrowWithTheNumberOfBlocks) {
  const Parallelism p;
  const auto four = parts(llama(4), p);
  const auto eight = parts(llama(8), p);
  EXPECT_EQ(four.at("loss, or active block"), eight.at("loss, or active block"));
  const double block = (eight.at("activations") - four.at("activations")) / 4;
  // Six widths of attention, four of the gated part, and the inputs and outputs of two norms.
  EXPECT_DOUBLE_EQ(block, 2.0 * kTokens * (6 * 4096 + 4 * 11008 + 4 * 4096));
}

TEST(Memory, NormsInPiecesKeepTheirInputIn32Bits) {
  const Parallelism p;
  StateBytes state;
  const double fused = parts(llama(4), p, state).at("activations");
  state.norm_input = 4;
  // Two norms a block and one before the output.
  EXPECT_DOUBLE_EQ(parts(llama(4), p, state).at("activations") - fused,
                   4.0 * kTokens * 4096 * (2 * 4 + 1));
}

}  // namespace memory_test
}  // namespace vgsim::training
