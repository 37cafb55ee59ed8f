#include "models/training/read/network_file.hpp"

#include <gmock/gmock.h>

#include "topology/input/diagnostics.hpp"
#include "topology/input/source_file.hpp"

namespace vgsim::training {
namespace network_file_test {

using ::testing::HasSubstr;
using ::testing::SizeIs;

tl::expected<NetworkModel, input::Diagnostics> read(const std::string& keys) {
  return read_network(input::make_source("own.json", R"({"name": "own", )" + keys + "}"));
}

std::string errors_in(const std::string& keys) {
  const auto network = read(keys);
  return network ? "" : input::render(network.error());
}

TEST(MeasuredNetworks, KeepTheirBatchesInOrder) {
  const auto network = read(R"("step": {"measured": [{"batch": 8, "time": "3 ms"},
                               {"batch": 1, "time": "2 ms"}], "memory_bound": 0.7})");
  ASSERT_TRUE(network) << input::render(network.error());
  ASSERT_TRUE(network->measured);
  ASSERT_THAT(network->measured->points, SizeIs(2));
  EXPECT_EQ(network->measured->points[0].batch, 1);
  EXPECT_EQ(network->measured->points[1].time, SimTime{3'000'000'000});
  EXPECT_EQ(network->measured->memory_bound, 0.7);
  EXPECT_EQ(network->parameters(), 0) << "nothing is exchanged";
}

TEST(MeasuredNetworks, MaySayHowTheyUseTheGpu) {
  const auto network = read(R"("step": {"measured": [{"batch": 8, "time": "3 ms", "busy": 0.9},
                               {"batch": 1, "time": "2 ms", "busy": 0.6}],
                               "in_turn": true, "weights_read": "302 MB"})");
  ASSERT_TRUE(network) << input::render(network.error());
  EXPECT_EQ(network->measured->points[0].busy, 0.6);
  EXPECT_EQ(network->measured->points[1].busy, 0.9);
  EXPECT_TRUE(network->measured->in_turn);
  EXPECT_EQ(network->measured->weights_read, Bytes{302'000'000});
  const auto single = read(R"("step": {"measured": [{"batch": 1, "time": "2 ms"}], "busy": 0.5})");
  ASSERT_TRUE(single) << input::render(single.error());
  EXPECT_EQ(single->measured->points[0].busy, 0.5);
}

TEST(MeasuredNetworks, AreNoLayersBesides) {
  const std::string layers = R"("layers": [{"name": "a"}])";
  const std::string step = R"("step": {"measured": [{"batch": 1, "time": "2 ms"}]})";
  EXPECT_EQ(errors_in(layers), "");
  EXPECT_THAT(errors_in(layers + ", " + step), HasSubstr("more than one of \"layers\""));
  EXPECT_THAT(errors_in(R"("dataset": "imagenet")"), HasSubstr("nor \"step\" is given"));
}

TEST(MeasuredNetworks, AreRefusedWhereTheyContradictThemselves) {
  EXPECT_THAT(errors_in(R"("step": {"measured": [{"batch": 1, "time": "2 ms"},
                           {"batch": 1, "time": "3 ms"}]})"),
              HasSubstr("a batch was measured twice"));
  EXPECT_THAT(errors_in(R"("step": {"measured": [{"batch": 1, "time": "2 ms"},
                           {"batch": 2, "time": "3 ms"}], "busy": 0.5})"),
              HasSubstr("\"busy\" with several batches"));
  EXPECT_THAT(errors_in(R"("step": {"measured": [{"batch": 1, "time": "2 ms", "busy": 0.5},
                           {"batch": 2, "time": "3 ms"}]})"),
              HasSubstr("\"busy\" of some batches only"));
  EXPECT_THAT(errors_in(R"("step": {"measured": [{"batch": 1, "time": "25 h"}]})"),
              HasSubstr("E303"));
  EXPECT_THAT(errors_in(R"("step": {"measured": [{"batch": 1, "time": "0 s"}]})"),
              HasSubstr("E303"));
}

std::string transformer(const std::string& keys) {
  return R"("transformer": {"layers": 4, "hidden": 64, "heads": 4, "vocabulary": 100, )" + keys +
         "}";
}

TEST(Experts, AreAsWideAsTheFeedForwardPartUnlessStated) {
  const auto usual = read(transformer(R"("ffn": 96, "experts": {"count": 8, "per_token": 2})"));
  ASSERT_TRUE(usual) << input::render(usual.error());
  EXPECT_EQ(usual->transformer->expert_ffn, 96);
  EXPECT_EQ(usual->transformer->shared_experts, 0);
  EXPECT_FALSE(usual->transformer->grouped_experts);
  const auto narrow = read(transformer(R"("ffn": 96, "experts": {"count": 8, "per_token": 2,
                               "ffn": 16, "shared": 1, "dense_layers": 1, "grouped": true})"));
  ASSERT_TRUE(narrow) << input::render(narrow.error());
  EXPECT_EQ(narrow->transformer->expert_ffn, 16);
  EXPECT_EQ(narrow->layers.at(2).experts, 0);
  EXPECT_EQ(narrow->layers.at(4).experts, 8);
}

TEST(Experts, AreRefusedInMoreBlocksThanThereAre) {
  EXPECT_THAT(
      errors_in(transformer(R"("experts": {"count": 8, "per_token": 2, "dense_layers": 5})")),
      HasSubstr("more blocks without experts than blocks"));
}

TEST(LatentAttention, HasValuesAsWideAsHeadsUnlessStated) {
  const auto network =
      read(transformer(R"("latent": {"query_rank": 24, "kv_rank": 8, "rotated": 4})"));
  ASSERT_TRUE(network) << input::render(network.error());
  EXPECT_EQ(network->transformer->query_width(), 4 * (16 + 4));
  EXPECT_EQ(network->transformer->value_width(), 4 * 16);
}

TEST(LatentAttention, SharesNoHeadsOfKeys) {
  EXPECT_THAT(
      errors_in(transformer(R"("kv_heads": 2, "latent": {"query_rank": 24, "kv_rank": 8})")),
      HasSubstr("as many heads of keys as of queries"));
}

}  // namespace network_file_test
}  // namespace vgsim::training
