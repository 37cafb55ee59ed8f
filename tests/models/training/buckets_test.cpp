#include "models/training/buckets.hpp"

#include <gtest/gtest.h>

#include "tests/support/scenarios.hpp"

namespace vgsim::training {
namespace buckets_test {

using namespace literals;

std::vector<std::int64_t> sizes(const char* network) {
  std::vector<std::int64_t> result;
  for (const auto& bucket :
       ddp_buckets(test::library().networks->at(network), Bytes{4}, 1_MiB, 25_MiB)) {
    result.push_back(bucket.size.count());
  }
  return result;
}

TEST(Buckets, OfResNet50AreThoseOfPyTorch) {
  // Tensors of torchvision's resnet50 under DDP's rule.
  EXPECT_EQ(sizes("resnet-50"),
            (std::vector<std::int64_t>{8196000, 31502336, 26255360, 26550272, 9724160}));
}

TEST(Buckets, TheLargestTensorOfVgg16IsABucketOfItsOwnSize) {
  EXPECT_EQ(sizes("vgg-16"), (std::vector<std::int64_t>{16388000, 67125248, 411058176, 28317696,
                                                        28319744, 2221312}));
}

TEST(Buckets, HoldEveryGradientOnce) {
  for (const std::string& name : test::library().networks->names()) {
    const auto& network = test::library().networks->at(name);
    std::int64_t sum = 0;
    for (const auto& bucket : ddp_buckets(network, Bytes{2}, 1_MiB, 25_MiB)) {
      sum += bucket.size.count();
    }
    std::int64_t replicated = 0;
    for (const auto& layer : network.layers) replicated += layer.sharded ? 0 : layer.parameters();
    EXPECT_EQ(sum, replicated * 2) << name;
    EXPECT_EQ(single_bucket(network, Bytes{2}).at(0).size.count(), sum) << name;
  }
}

TEST(Buckets, BecomeReadyInTheOrderOfTheBackwardPass) {
  std::size_t last = SIZE_MAX;
  for (const auto& bucket :
       ddp_buckets(test::library().networks->at("bert-large"), Bytes{4}, 1_MiB, 25_MiB)) {
    EXPECT_LE(bucket.ready_after_layer, last);
    last = bucket.ready_after_layer;
  }
  EXPECT_EQ(last, 0U);
}

TEST(Buckets, FusedByHorovodGoTogetherWithinACycleUpToTheThreshold) {
  NetworkModel network;
  for (const std::int64_t parameters : {100, 200, 300, 400}) {
    LayerGroup layer;
    layer.tensors = {parameters};
    network.layers.push_back(layer);
  }
  // Ready at 0.2, 0.9, 1.1 and 2.5 ms, from the last layer to the first.
  const std::vector<SimTime> ready{2500_us, 1100_us, 900_us, 200_us};
  const auto sizes = [&](Bytes threshold) {
    std::vector<std::pair<std::int64_t, std::size_t>> all;
    for (const auto& bucket : fused_buckets(network, Bytes{4}, threshold, 1_ms, ready)) {
      all.emplace_back(bucket.size.count(), bucket.ready_after_layer);
    }
    return all;
  };
  using Sizes = std::vector<std::pair<std::int64_t, std::size_t>>;
  EXPECT_EQ(sizes(1_MiB), (Sizes{{2800, 2}, {800, 1}, {400, 0}}));
  EXPECT_EQ(sizes(Bytes{2000}), (Sizes{{1600, 3}, {1200, 2}, {800, 1}, {400, 0}}));
}

TEST(Networks, HaveTheOperationsThatTheirPapersState) {
  const auto gmacs = [](const char* name, std::int64_t tokens) {
    return static_cast<double>(test::library().networks->at(name).forward(tokens).count()) / 2e9;
  };
  EXPECT_NEAR(gmacs("resnet-50", 0), 4.089, 0.001);
  // The encoder; and for the masked tokens the transform and the words of its heads.
  const auto heads = [](double tokens) { return 0.15 * tokens * 1024 * (1024 + 30522) / 1e9; };
  EXPECT_NEAR(gmacs("bert-large", 128), 39.46 + heads(128), 0.01);
  EXPECT_NEAR(gmacs("bert-large", 512), 167.5 + heads(512), 0.1);
  EXPECT_EQ(test::library().networks->at("bert-large").parameters(), 336226108);
  EXPECT_EQ(test::library().networks->at("article-340m").parameters(), 340000000);
}

}  // namespace buckets_test
}  // namespace vgsim::training
