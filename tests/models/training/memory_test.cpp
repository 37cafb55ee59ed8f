#include "models/training/memory.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "models/training/lora.hpp"
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
  // For each token and block: four widths and the inputs of products and norms, and four widths of
  // the gated part; in addition, gradients of three of its eight kernels.
  constexpr double kGated = 2.0 * (4 * 11008 + 2 * 4096);
  constexpr double kBlock = (2.0 * 6 * 4096 + kGated + kGated * 3 / 8) * kTokens;
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
  // Four widths of attention, four of the gated part, and the inputs and outputs of two norms.
  EXPECT_DOUBLE_EQ(block, 2.0 * kTokens * (4 * 4096 + 4 * 11008 + 4 * 4096));
}

TEST(Memory, EverySecondProductIsKept) {
  Parallelism p;
  const Transformer shape = llama(4);
  p.recompute = Recompute::kAlternate;
  const double four = parts(shape, p).at("activations");
  const double eight = parts(llama(8), p).at("activations");
  // The block's input, the result of attention, queries, values, the gate and the last product.
  EXPECT_DOUBLE_EQ((eight - four) / 4, 2.0 * kTokens * (5 * 4096 + 11008));
}

TEST(Memory, FrozenProductsKeepInputsOnlyForAdapters) {
  const Parallelism p;
  const auto kept = [&](Lora::Targets targets, bool all) {
    NetworkModel network;
    network.transformer = llama(4);
    network.layers = layer_groups(*network.transformer);
    const NetworkModel adapted =
        with_adapters(network, {.rank = 16, .targets = targets, .keeps_inputs = all});
    std::vector<const LayerGroup*> layers;
    for (const LayerGroup& layer : adapted.layers) layers.push_back(&layer);
    for (const MemoryPart& part : memory_of(layers, p, 0, kTokens, {}, 0)) {
      if (part.what == "activations") return part.bytes;
    }
    return 0.0;
  };
  const double attention = kept(Lora::Targets::kAttention, false);
  const double all = kept(Lora::Targets::kAll, false);
  EXPECT_DOUBLE_EQ(all - attention, 4 * 2.0 * kTokens * (4096 + 11008));
  EXPECT_DOUBLE_EQ(kept(Lora::Targets::kAttention, true), all);
}

TEST(Memory, InputsOfProductsInFp8TakeAByte) {
  const Parallelism p;
  StateBytes state;
  const double before = parts(llama(4), p, state).at("activations");
  state.product_input = 1;
  // Two inputs and the last product's are smaller; the result of attention is there twice.
  EXPECT_DOUBLE_EQ(before - parts(llama(4), p, state).at("activations"),
                   4.0 * kTokens * (2 * 4096 + 11008 - 4096));
}

TEST(Memory, OffloadedStatesTakeNothing) {
  const Parallelism p;
  StateBytes state;
  state.offloads_optimizer = true;
  state.offloaded_activations = 0.5;
  const auto rest = parts(llama(4), p, state);
  EXPECT_EQ(rest.at("optimizer states"), 0);
  EXPECT_DOUBLE_EQ(rest.at("activations"), parts(llama(4), p).at("activations") / 2);
}

TEST(Memory, StepOverListsCopiesParametersWhereActivationsAreFree) {
  const Parallelism p;
  StateBytes state;
  state.step_copy = 4;
  const auto copied = parts(llama(4), p, state);
  double without = 0;
  for (const auto& [what, bytes] : parts(llama(4), p)) without += bytes;
  double with = 0;
  for (const auto& [what, bytes] : copied) with += bytes;
  const double passes = copied.at("activations") + copied.at("loss, or active block");
  const double copy = copied.at("weights") / 2 * 4;
  EXPECT_DOUBLE_EQ(with - without, std::max(0.0, copy - passes));
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
