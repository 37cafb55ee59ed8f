#include "models/collectives/ring_search.hpp"

#include <gtest/gtest.h>

#include <set>

namespace vgsim::collectives {
namespace {

/// A node whose GPUs are joined by links of their own; 0 means no link.
struct Mesh {
  RingNode node;
  std::vector<Exact> capacity;

  explicit Mesh(const std::vector<std::vector<int>>& rate) {
    node.ranks = rate.size();
    node.between.resize(rate.size(), std::vector<Hop>(rate.size()));
    for (std::size_t a = 0; a < rate.size(); ++a) {
      for (std::size_t b = 0; b < rate.size(); ++b) {
        if (a == b) continue;
        const auto id = static_cast<std::uint32_t>(capacity.size());
        node.between[a][b] = {Transport::kNvLink, {{ResourceId{id}, 1}}, false};
        capacity.emplace_back(rate[a][b]);
      }
    }
  }

  std::int64_t total(const NodeChannels& found) const {
    return found.rate * static_cast<std::int64_t>(found.channels.size());
  }
};

TEST(RingSearch, AvoidsTheSlowLinkIfSomeRingCan) {
  // Only 0-2-1-3-0 is fast throughout.
  const int s = 10;
  const int f = 100;
  const Mesh mesh({{0, s, f, f}, {s, 0, f, f}, {f, f, 0, s}, {f, f, s, 0}});
  const NodeChannels found = search_channels(mesh.node, mesh.capacity, 1);
  ASSERT_EQ(found.channels.size(), 1U);
  EXPECT_EQ(found.rate, 100);
}

TEST(RingSearch, EveryChannelVisitsEveryRankOnce) {
  const Mesh mesh(
      {{0, 9, 9, 9, 9}, {9, 0, 9, 9, 9}, {9, 9, 0, 9, 9}, {9, 9, 9, 0, 9}, {9, 9, 9, 9, 0}});
  for (const auto& channel : search_channels(mesh.node, mesh.capacity, 16).channels) {
    EXPECT_EQ(std::set<std::size_t>(channel.order.begin(), channel.order.end()).size(), 5U);
    EXPECT_EQ(channel.order.size(), 5U);
  }
}

TEST(RingSearch, UsesAllLinksOfAFullMeshOfFour) {
  // Four GPUs, 12 directed links of 100: rings use at most three links out of each GPU.
  const Mesh mesh({{0, 100, 100, 100}, {100, 0, 100, 100}, {100, 100, 0, 100}, {100, 100, 100, 0}});
  EXPECT_EQ(mesh.total(search_channels(mesh.node, mesh.capacity, 16)), 300);
}

TEST(RingSearch, ASharedLinkIsSharedByAllHopsThatCrossIt) {
  // All hops cross one hub of 100 per direction and GPU: one channel takes it all.
  RingNode node;
  node.ranks = 8;
  node.between.resize(8, std::vector<Hop>(8));
  std::vector<Exact> capacity(16, Exact(100));
  for (std::uint32_t a = 0; a < 8; ++a) {
    for (std::uint32_t b = 0; b < 8; ++b) {
      node.between[a][b] = {
          Transport::kNvLink, {{ResourceId{a}, 1}, {ResourceId{8 + b}, 1}}, false};
    }
  }
  const NodeChannels found = search_channels(node, capacity, 16);
  EXPECT_EQ(found.channels.size(), 1U);
  EXPECT_EQ(found.rate, 100);
}

TEST(RingSearch, FindsNothingWhereARankHasNoLink) {
  const Mesh mesh({{0, 5, 0}, {5, 0, 0}, {0, 0, 0}});
  EXPECT_TRUE(search_channels(mesh.node, mesh.capacity, 4).channels.empty());
}

}  // namespace
}  // namespace vgsim::collectives
