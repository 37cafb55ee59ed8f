#include "models/collectives/placed_network.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>

#include "tests/support/ring_cluster.hpp"

namespace vgsim::collectives {
namespace placed_network_test {

using namespace literals;
using test::Aggregation;
using test::RingCluster;
using test::RingHost;

/// A link by its identity, independent of the network's aggregation.
using Key = std::tuple<std::optional<topology::LinkResourceIndex>, topology::FabricLink>;

RouteId whole_ring(const RingCluster& cluster, PlacedNetwork& placed) {
  PlacedNetwork::Route route(placed);
  for (const Leg& leg : cluster.legs()) cross(route, leg);
  return std::move(route).through_all_hosts();
}

std::multimap<Key, std::int64_t> coefficients(const PlacedNetwork& placed, RouteId route) {
  std::multimap<Key, std::int64_t> result;
  for (const Crossing& c : placed.network().routes.crossings(route)) {
    const PlacedLink& link = placed.link(c.resource);
    result.emplace(Key{link.built, link.fabric}, c.coefficient);
  }
  return result;
}

RC_GTEST_PROP(PlacedNetworkTest, ARingLoadsAFoldedHostAsItLoadsEachOfThoseItStandsFor, ()) {
  const auto gpus = *rc::gen::inRange<std::size_t>(1, 9);
  const auto hosts = *rc::gen::inRange<std::size_t>(2, 12);
  const RingHost kind{10_GBps, 10_GBps, 1, gpus, 50_GBps, *rc::gen::arbitrary<bool>()};
  topology::Fabric::Plan plan;
  plan.leaves = *rc::gen::inRange<std::size_t>(1, 4);
  plan.spines = 2;
  const RingCluster cluster({kind}, std::vector<std::size_t>(hosts, 0), plan);

  PlacedNetwork folded = cluster.network(Aggregation::kBySymmetry);
  PlacedNetwork spread = cluster.network(Aggregation::kNone);
  const auto in_folded = coefficients(folded, whole_ring(cluster, folded));
  const auto in_spread = coefficients(spread, whole_ring(cluster, spread));
  for (const auto& [key, coefficient] : in_folded) {
    const std::size_t copies = std::get<0>(key) ? hosts : 1;
    RC_ASSERT(in_spread.count(key) == copies);
    const auto [begin, end] = in_spread.equal_range(key);
    for (auto it = begin; it != end; ++it) RC_ASSERT(it->second == coefficient);
  }
  for (const auto& [key, coefficient] : in_spread) RC_ASSERT(in_folded.count(key) == 1U);
}

TEST(PlacedNetworkTest, EachKindOfHostIsFoldedByItself) {
  const RingHost one{10_GBps, 10_GBps};
  const RingHost two{20_GBps, 20_GBps, 1, 2, 50_GBps};
  const RingCluster cluster({one, two}, {0, 1, 0, 1, 0});
  PlacedNetwork folded = cluster.network(Aggregation::kBySymmetry);
  const RouteId route = whole_ring(cluster, folded);
  for (const Crossing& c : folded.network().routes.crossings(route)) {
    EXPECT_EQ(c.coefficient, 1);
    const PlacedLink& link = folded.link(c.resource);
    EXPECT_EQ(link.copies, link.host == 0 ? 3U : 2U);
  }
  EXPECT_EQ(folded.network().resources.size(), cluster.topology().resources.size());
}

TEST(PlacedNetworkTest, SpreadOutEveryHostHasResourcesOfItsOwn) {
  const RingHost one{10_GBps, 30_GBps};
  const RingHost two{20_GBps, 40_GBps};
  const RingCluster cluster({one, two}, {0, 1, 0});
  const PlacedNetwork spread = cluster.network(Aggregation::kNone);
  ASSERT_EQ(spread.network().resources.size(), 6U);
  for (std::size_t host = 0; host < 3; ++host) {
    const ResourceId out = spread.resource_in(host, cluster.port(host).out);
    const ResourceId in = spread.resource_in(host, cluster.port(host).in);
    EXPECT_EQ(spread.link(out).host, host);
    EXPECT_EQ(spread.link(in).host, host);
    EXPECT_EQ(spread.link(out).built, cluster.port(host).out);
    const std::int64_t factor = host == 1 ? 2 : 1;
    EXPECT_EQ(spread.network().resources.capacity(out), Ratio(10'000'000'000 * factor));
    EXPECT_EQ(spread.kind(out), topology::LinkKind::kNicPort);
  }
}

TEST(PlacedNetworkTest, FoldedHostsShareTheirResources) {
  const RingCluster cluster({RingHost{10_GBps, 10_GBps}}, {0, 0, 0});
  const PlacedNetwork folded = cluster.network(Aggregation::kBySymmetry);
  const auto out = cluster.port(0).out;
  EXPECT_EQ(folded.resource_in(0, out), folded.resource_in(2, out));
  EXPECT_EQ(folded.link(folded.resource_in(2, out)).copies, 3U);
}

TEST(PlacedNetworkTest, ARouteThatLoadsHostsOfAKindUnequallyCannotBeFolded) {
  const RingCluster cluster({RingHost{10_GBps, 10_GBps}}, {0, 0, 0});
  const std::vector<Crossing> out{{ResourceId{cluster.port(0).out}, 1}};
  const auto through = [&](Aggregation aggregation, const std::vector<std::size_t>& hosts) {
    PlacedNetwork placed = cluster.network(aggregation);
    PlacedNetwork::Route route(placed);
    for (const std::size_t host : hosts) route.cross(host, out);
    return coefficients(placed, std::move(route).through_all_hosts()).size();
  };
  EXPECT_THROW(through(Aggregation::kBySymmetry, {0}), std::logic_error);
  EXPECT_THROW(through(Aggregation::kBySymmetry, {0, 1}), std::logic_error);
  EXPECT_THROW(through(Aggregation::kBySymmetry, {0, 1, 2, 0}), std::logic_error);
  EXPECT_EQ(through(Aggregation::kBySymmetry, {2, 0, 1}), 1U);
  EXPECT_EQ(through(Aggregation::kNone, {0, 1}), 2U) << "without aggregation, any path is valid";
}

TEST(PlacedNetworkTest, ARouteOfEachHostIsNotDivided) {
  const RingCluster cluster({RingHost{10_GBps, 10_GBps}}, {0, 0, 0});
  PlacedNetwork placed = cluster.network(Aggregation::kBySymmetry);
  PlacedNetwork::Route route(placed);
  route.cross(1, std::vector<Crossing>{{ResourceId{cluster.port(0).out}, 2}});
  const RouteId id = std::move(route).of_each_host();
  EXPECT_EQ(placed.network().routes.crossings(id)[0].coefficient, 2);
}

TEST(PlacedNetworkTest, AFabricLinkIsOneResourceHoweverOftenItIsCrossed) {
  topology::Fabric::Plan plan;
  plan.leaves = 2;
  plan.spines = 1;
  plan.uplink = 7_GBps;
  const RingCluster cluster({RingHost{10_GBps, 10_GBps}}, {0, 0, 0, 0}, plan);
  for (const Aggregation aggregation : {Aggregation::kBySymmetry, Aggregation::kNone}) {
    PlacedNetwork placed = cluster.network(aggregation);
    const std::size_t hosts_alone = placed.network().resources.size();
    PlacedNetwork::Route route(placed);
    route.cross(*cluster.fabric().path({0, 0}, {2, 0}));
    route.cross(*cluster.fabric().path({1, 0}, {3, 0}));
    const RouteId id = std::move(route).through_all_hosts();
    EXPECT_EQ(placed.network().resources.size(), hosts_alone + 2) << "up and down";
    for (const Crossing& c : placed.network().routes.crossings(id)) {
      EXPECT_EQ(c.coefficient, 2);
      EXPECT_EQ(placed.kind(c.resource), topology::LinkKind::kFabric);
      EXPECT_EQ(placed.network().resources.capacity(c.resource), Ratio(7'000'000'000));
    }
  }
}

}  // namespace placed_network_test
}  // namespace vgsim::collectives
