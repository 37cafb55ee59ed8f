// Transformers by their hyper-parameters, against published totals and tensor lists.

#include "models/training/transformer.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "models/training/stages.hpp"
#include "tests/support/scenarios.hpp"

namespace vgsim::training {
namespace transformer_test {

Transformer bert(std::int64_t layers, std::int64_t hidden, std::int64_t heads) {
  Transformer t;
  t.layers = layers;
  t.hidden = hidden;
  t.heads = t.kv_heads = heads;
  t.head_size = hidden / heads;
  t.ffn = 4 * hidden;
  t.vocabulary = 30522;
  t.learned_positions = 512;
  t.token_types = 2;
  t.tied_output = true;
  t.embedding_norm = true;
  t.final_norm = false;
  t.output = Transformer::Output::kMlm;
  t.causal = false;
  return t;
}

std::int64_t parameters(const std::vector<LayerGroup>& layers) {
  std::int64_t sum = 0;
  for (const LayerGroup& layer : layers) sum += layer.parameters();
  return sum;
}

Flops forward(const std::vector<LayerGroup>& layers, std::int64_t tokens) {
  Flops sum{};
  for (const LayerGroup& layer : layers) sum += layer.forward(tokens);
  return sum;
}

TEST(Transformer, HasTheParametersThatAreListedOrPublished) {
  const auto& networks = *test::library().networks;
  EXPECT_EQ(parameters(layer_groups(bert(24, 1024, 16))), 336226108);
  EXPECT_EQ(parameters(layer_groups(bert(12, 768, 12))), networks.at("bert-base").parameters());
  EXPECT_EQ(networks.at("gpt-2-1.5b").parameters(), 1557611200);
  EXPECT_EQ(networks.at("gpt-3-175b").parameters(), 174604259328);
  EXPECT_EQ(networks.at("llama-2-7b").parameters(), 6738415616);
  EXPECT_EQ(networks.at("llama-2-13b").parameters(), 13015864320);
  EXPECT_EQ(networks.at("llama-2-70b").parameters(), 68976648192);
  EXPECT_EQ(networks.at("llama-3-8b").parameters(), 8030261248);
  EXPECT_EQ(networks.at("llama-3-70b").parameters(), 70553706496);
  EXPECT_EQ(networks.at("llama-3-405b").parameters(), 405853388800);
  EXPECT_EQ(networks.at("mixtral-8x7b").parameters(), 46702792704);
}

/// Blocks of each chunk of layers; "e" is the embedding and "o" the output.
std::vector<std::string> chunks(std::int64_t blocks, std::size_t stages) {
  NetworkModel network;
  network.transformer = bert(blocks, 64, 4);
  network.layers = layer_groups(*network.transformer);
  Parallelism p;
  p.pipeline = stages;
  std::vector<std::string> result;
  for (const StageLayers& stage : cut_into_stages(network, p, 16)) {
    std::string text;
    for (const LayerGroup* layer : stage.at(0)) {
      if (layer->part == LayerGroup::Part::kEmbedding) text += "e";
      if (layer->part == LayerGroup::Part::kAttention) text += "b";
      if (layer->part == LayerGroup::Part::kOutput) text += "o";
    }
    result.push_back(text);
  }
  return result;
}

TEST(Transformer, EmbeddingAndOutputCountAsBlocksWhereThatIsEven) {
  using Chunks = std::vector<std::string>;
  EXPECT_EQ(chunks(4, 2), (Chunks{"ebb", "bbo"}));
  EXPECT_EQ(chunks(6, 4), (Chunks{"eb", "bb", "bb", "bo"})) << "6 + 2 over 4";
  EXPECT_EQ(chunks(2, 4), (Chunks{"e", "b", "b", "o"}));
  EXPECT_EQ(chunks(5, 2), (Chunks{"ebb", "bbbo"})) << "neither 5 nor 7 is even";
}

TEST(Transformer, Gpt3Takes700GigabytesOfWeightsIn32Bits) {
  EXPECT_NEAR(4.0 * static_cast<double>(test::library().networks->at("gpt-3-175b").parameters()),
              700e9, 3e9);
}

TEST(Transformer, HasTheOperationsOfItsMatrixProducts) {
  const auto& networks = *test::library().networks;
  const auto per_token = [&](const char* name, std::int64_t tokens) {
    return static_cast<double>(networks.at(name).forward(tokens).count()) /
           static_cast<double>(tokens) / 1e9;
  };
  EXPECT_NEAR(per_token("gpt-3-175b", 2048), 358.8, 0.1);
  EXPECT_NEAR(per_token("llama-3-8b", 8192), 19.304, 0.01);
  EXPECT_NEAR(per_token("gpt-2-1.5b", 1024), 3.425, 0.01);
  // BERT-Large: 39.46 GMACs at 128 tokens for the encoder alone, the rest is the output.
  const auto layers = layer_groups(bert(24, 1024, 16));
  const Flops output = layers.back().forward(128);
  EXPECT_NEAR(static_cast<double>((forward(layers, 128) - output).count()) / 2e9, 39.46, 0.4);
}

TEST(Transformer, KeepsTheActivationsOfThePaper) {
  // V. Korthikanti et al., 2022: s b h (34 + 5 a s / h) bytes for a block of 16-bit elements.
  const Transformer t = bert(1, 1024, 16);
  const auto layers = layer_groups(t);
  double elements = 0;
  for (const LayerGroup& layer : layers) {
    if (layer.part == LayerGroup::Part::kAttention ||
        layer.part == LayerGroup::Part::kFeedForward) {
      elements += layer.activations.of(512);
    }
  }
  EXPECT_NEAR(2 * elements, 512.0 * 1024 * (34 + 5 * 16 * 512.0 / 1024), 1.0);
}

TEST(Transformer, ExpertsThatATokenDoesNotSeeCostNoOperations) {
  const auto& mixtral = test::library().networks->at("mixtral-8x7b");
  const auto dense = static_cast<double>(mixtral.parameters());
  const auto operations = static_cast<double>(mixtral.forward(1).count());
  // 12.9 of 46.7 G parameters are active for a token.
  EXPECT_NEAR(operations / 2 / dense, 12.9 / 46.7, 0.01);
}

}  // namespace transformer_test
}  // namespace vgsim::training
