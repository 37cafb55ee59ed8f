// Transformers by their hyper-parameters, against published totals and tensor lists.

#include "models/training/transformer.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "models/training/product_times.hpp"
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

double giga_operations(const NetworkModel& network, std::int64_t tokens) {
  return static_cast<double>(network.forward(tokens).count()) / 1e9;
}

// Checkpoint of deepseek-ai/DeepSeek-V3: 671026419200 parameters without the module that predicts a
// second token. The 58 x 256 biases of its routers have no gradients.
TEST(Transformer, DeepSeekV3HasTheParametersOfItsCheckpoint) {
  const auto& network = test::library().networks->at("deepseek-v3");
  EXPECT_EQ(network.parameters() + std::int64_t{58} * 256, 671026419200);
}

// README_WEIGHTS.md: 36.7 billion are active, 0.9 of them in the output.
TEST(Transformer, DeepSeekV3UsesThePublishedParametersForEachToken) {
  const auto& network = test::library().networks->at("deepseek-v3");
  std::int64_t active = 0;
  for (const LayerGroup& layer : network.layers) {
    if (layer.part == LayerGroup::Part::kEmbedding) continue;
    active += layer.parameters() - layer.expert_parameters;
    if (layer.experts > 0) {
      active += layer.expert_parameters / layer.experts * layer.experts_per_token;
    }
  }
  EXPECT_NEAR(static_cast<double>(active), 36.7e9, 0.1e9);
  // Two operations for each weight, and 2 x 128 heads x (192 + 128) for each pair of tokens.
  constexpr std::int64_t kTokens = 4096;
  const double norms = 61.0 * (2 * 7168 + 1536 + 512) + 7168;
  EXPECT_NEAR(giga_operations(network, kTokens),
              (2.0 * (static_cast<double>(active) - norms) * kTokens +
               61.0 * 2 * 128 * 320 * kTokens * kTokens) /
                  1e9,
              1.0);
}

TEST(Transformer, DenseLayersAndSharedExpertsAreNoRoutedExperts) {
  const auto& layers = test::library().networks->at("deepseek-v3").layers;
  const auto with_experts = std::count_if(layers.begin(), layers.end(),
                                          [](const auto& layer) { return layer.experts > 0; });
  EXPECT_EQ(with_experts, 58);
  const LayerGroup& dense = layers.at(2);
  EXPECT_EQ(dense.parameters(), std::int64_t{3} * 7168 * 18432 + 7168);
  const LayerGroup& routed = layers.at(8);
  EXPECT_EQ(routed.expert_parameters, std::int64_t{256} * 3 * 7168 * 2048);
  EXPECT_EQ(routed.parameters() - routed.expert_parameters,
            std::int64_t{256} * 7168 + std::int64_t{3} * 7168 * 2048 + 7168);
}

TEST(Transformer, LatentAttentionSendsTheKeysAndValuesOfAllHeads) {
  const Transformer& t = *test::library().networks->at("deepseek-v3").transformer;
  EXPECT_EQ(t.query_width(), 128 * 192);
  EXPECT_EQ(t.key_width(), 128 * 192);
  EXPECT_EQ(t.value_width(), 128 * 128);
  EXPECT_EQ(t.mean_head_size(), 160);
}

TEST(Transformer, GroupedExpertsAreOneKernel) {
  const auto& network = test::library().networks->at("deepseek-v3");
  const LayerGroup& layer = network.layers.at(8);
  Parallelism p;
  p.expert = 32;
  p.data = 64;
  const RankProduct one =
      product_of_rank(layer.products.front(), layer, p, 4096, ProductPass::kForward, 1.0);
  EXPECT_EQ(one.times, 1);
  EXPECT_EQ(one.shape.groups, 8) << "experts of a rank";
  EXPECT_EQ(one.shape.m, 4096.0 * 8 / 8) << "rows of each";
  EXPECT_EQ(one.shape.n, 2 * 2048);
}

// Checkpoint of black-forest-labs/FLUX.1-schnell: 11891178560 parameters.
TEST(Layers, Flux1HasTheParametersOfItsCheckpoint) {
  EXPECT_EQ(test::library().networks->at("flux-1").parameters(), 11891178560);
}

TEST(Layers, Flux1HasTheOperationsOfItsMatrices) {
  // Of the 3072 x 3072 squares that a token meets, a double block has 1 + 3 + 8 and a single block
  // 7 + 5; modulation has 12 and 3 for each sample.
  constexpr double kSquare = 3072.0 * 3072;
  const double tokens = 512 * (19.0 * 12 + 38 * 12) * kSquare;
  const double samples = (19.0 * 12 + 38 * 3 + 2) * kSquare;
  const double scores = 57.0 * 2 * 3072 * 512 * 512;
  const double ends = 256.0 * 3072 * (64 + 4096 + 64) + 3072.0 * (256 + 768) + 2 * kSquare;
  EXPECT_NEAR(giga_operations(test::library().networks->at("flux-1"), 512),
              2e-9 * (tokens + samples + scores + ends), 1e-3);
}

// torchvision publishes 34014999 parameters and 151.54 GMACs with ResNet-50 and 91 classes.
TEST(Layers, RetinaNetDiffersFromTheOneOfTorchvisionByBackboneAndClasses) {
  const NetworkModel& network = test::library().networks->at("retinanet");
  // Convolutions of the classifiers: without 1000 classes, and without weights and biases of batch
  // norms, of which ResNeXt has more, because its blocks are twice as wide.
  const std::int64_t classes_of_imagenet = std::int64_t{2048} * 1000 + 1000;
  const std::int64_t resnet =
      test::library().networks->at("resnet-50").parameters() - classes_of_imagenet - 53120;
  const std::int64_t resnext = 25028904 - classes_of_imagenet - 68224;  // total: torchvision
  const std::int64_t of_classes = std::int64_t{9} * (264 - 91) * (256 * 9 + 1);
  EXPECT_EQ(network.parameters(), 34014999 - resnet + resnext + of_classes);
  // Of 800 x 800 pixels, four layers of each head and the classes see 13343 positions.
  constexpr double kPositions = 100 * 100 + 50 * 50 + 25 * 25 + 13 * 13 + 7 * 7;
  const LayerGroup& classes = network.layers.at(network.layers.size() - 2);
  EXPECT_EQ(static_cast<double>(classes.forward(0).count()),
            2 * kPositions * 256 * 9 * (4 * 256 + 9 * 264));
  EXPECT_NEAR(giga_operations(network, 0) / 2, 201.21, 0.01);
}

}  // namespace transformer_test
}  // namespace vgsim::training
