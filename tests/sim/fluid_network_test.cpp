#include "sim/fluid_network.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

namespace vgsim {
namespace fluid_network_test {

using namespace literals;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// A network in which resource i has the i-th capacity and route i crosses it.
class Fluid : public ::testing::Test {
 protected:
  void resources(const std::vector<Ratio>& capacities) {
    for (const Ratio& capacity : capacities) {
      const ResourceId id = net.add_resource(capacity);
      net.add_route({{id}});
    }
  }
  /// Time of the next completion, which is then completed.
  SimTime finish_next() {
    const auto next = net.next_completion();
    if (!next) return SimTime{-1};
    EXPECT_THAT(net.complete(next->at), ::testing::Not(::testing::IsEmpty()));
    return next->at;
  }

  FluidNetwork net;
};

TEST_F(Fluid, AFlowTakesAmountOverCapacity) {
  resources({50'000'000'000});
  const FlowId flow = net.start_flow(1_us, RouteId{0}, 1'000'000'000);
  EXPECT_EQ(net.rate(flow), 50'000'000'000);
  EXPECT_EQ(net.limiting_resource(flow), ResourceId{0});
  EXPECT_EQ(net.remaining(flow, 1_us + 10_ms), 500'000'000);
  EXPECT_EQ(finish_next(), 1_us + 20_ms);
}

TEST_F(Fluid, CompletionsRoundUp) {
  resources({3});
  net.start_flow(0_s, RouteId{0}, 1);
  EXPECT_EQ(finish_next(), SimTime{333'333'333'334});
}

TEST_F(Fluid, IncastSharesTheLastLinkEqually) {
  resources({10'000, 10'000, 10'000, 10'000});
  std::vector<FlowId> flows;
  for (std::uint32_t i = 0; i < 3; ++i) {
    const RouteId route = net.add_route({{ResourceId{i}}, {ResourceId{3}}});
    flows.push_back(net.start_flow(0_s, route, 1'000));
  }
  for (const FlowId flow : flows) EXPECT_EQ(net.rate(flow), Ratio::of(10'000, 3));
  EXPECT_EQ(net.next_completion()->at, 300_ms);
  EXPECT_EQ(net.complete(300_ms), flows);
  EXPECT_EQ(net.active_flows(), 0U);
}

TEST_F(Fluid, ARingMovesAtItsSlowestEdge) {
  resources({50, 50, 25, 50});
  const RouteId ring = net.add_route(
      {{ResourceId{0}, 6}, {ResourceId{1}, 6}, {ResourceId{2}, 6}, {ResourceId{3}, 6}});
  const FlowId flow = net.start_flow(0_s, ring, 100);
  EXPECT_EQ(net.limiting_resource(flow), ResourceId{2});
  EXPECT_EQ(finish_next(), 24_s);
}

TEST_F(Fluid, ASharedSwitchSpeedsUpTheFlowThatStays) {
  resources({10});
  net.start_flow(0_s, RouteId{0}, 10);
  net.start_flow(0_s, RouteId{0}, 30);
  EXPECT_EQ(finish_next(), 2_s);
  EXPECT_EQ(finish_next(), 4_s);
}

TEST_F(Fluid, ACapLeavesTheRestToOthers) {
  resources({12});
  const FlowId capped = net.start_flow(0_s, RouteId{0}, 8, Ratio(2));
  const FlowId other = net.start_flow(0_s, RouteId{0}, 20);
  EXPECT_EQ(net.rate(capped), 2);
  EXPECT_EQ(net.limiting_resource(capped), std::nullopt);
  EXPECT_EQ(net.rate(other), 10);
  EXPECT_EQ(net.limiting_resource(other), ResourceId{0});
}

TEST_F(Fluid, WeightsDivideAResource) {
  resources({12});
  const FlowId light = net.start_flow(0_s, RouteId{0}, 1);
  const FlowId heavy = net.start_flow(0_s, RouteId{0}, 1, std::nullopt, 3);
  EXPECT_EQ(net.rate(light), 3);
  EXPECT_EQ(net.rate(heavy), 9);
}

TEST_F(Fluid, ATieNamesTheLowestResource) {
  resources({5, 5, 5});
  const FlowId flow = net.start_flow(0_s, net.add_route({{ResourceId{2}}, {ResourceId{1}}}), 1);
  EXPECT_EQ(net.limiting_resource(flow), ResourceId{1});
  EXPECT_EQ(net.rate(net.start_flow(0_s, RouteId{0}, 1)), 5);
}

TEST_F(Fluid, AnotherFlowCanBecomeTheLowerTie) {
  resources({5, 5});
  const FlowId both =
      net.start_flow(0_s, net.add_route({{ResourceId{0}}, {ResourceId{1}}}), 9, std::nullopt, 1);
  net.set_capacity(0_s, ResourceId{0}, 6);
  EXPECT_EQ(net.limiting_resource(both), ResourceId{1});
  const FlowId capped = net.start_flow(0_s, RouteId{0}, 9, Ratio(1));
  EXPECT_EQ(net.rate(both), 5);
  EXPECT_EQ(net.limiting_resource(both), ResourceId{0});
  EXPECT_THAT(net.take_changed(), ElementsAre(both, capped));
}

TEST_F(Fluid, ACapacityChangeCountsFromItsTime) {
  resources({10});
  const FlowId flow = net.start_flow(0_s, RouteId{0}, 30);
  EXPECT_EQ(net.next_completion()->at, 3_s);
  net.set_capacity(1_s, ResourceId{0}, 5);
  EXPECT_EQ(net.rate(flow), 5);
  EXPECT_EQ(finish_next(), 5_s);
}

TEST_F(Fluid, FlowsStallWhileALinkIsDown) {
  resources({10});
  const FlowId flow = net.start_flow(0_s, RouteId{0}, 10);
  net.set_capacity(500_ms, ResourceId{0}, 0);
  EXPECT_EQ(net.rate(flow), 0);
  EXPECT_EQ(net.limiting_resource(flow), ResourceId{0});
  EXPECT_FALSE(net.next_completion());
  EXPECT_FALSE(net.ends_out_of_range());
  net.set_capacity(10_s, ResourceId{0}, 10);
  EXPECT_EQ(finish_next(), 10_s + 500_ms);
}

TEST_F(Fluid, NothingToCarryEndsAtItsStart) {
  resources({10, 0});
  const FlowId nothing = net.start_flow(7_s, RouteId{0}, 0);
  const FlowId down = net.start_flow(7_s, RouteId{1}, 0);
  const FlowId something = net.start_flow(7_s, RouteId{0}, 10);
  EXPECT_EQ(net.rate(something), 10);
  EXPECT_EQ(net.next_completion()->at, 7_s);
  EXPECT_THAT(net.complete(7_s), ElementsAre(nothing, down));
  EXPECT_EQ(finish_next(), 8_s);
}

TEST_F(Fluid, AnEmptyRouteEndsAtOnceOrAtItsCap) {
  const RouteId nowhere = net.add_route({});
  const FlowId free = net.start_flow(1_s, nowhere, 5);
  net.start_flow(1_s, nowhere, 5, Ratio(5));
  EXPECT_THAT(net.complete(1_s), ElementsAre(free));
  EXPECT_EQ(finish_next(), 2_s);
}

TEST_F(Fluid, TinyAndHugeRatesMeet) {
  resources({1'000'000'000'000, 1, 300'000'000'000});
  const auto route = [this](std::uint32_t a, std::uint32_t b) {
    return net.add_route({{ResourceId{a}}, {ResourceId{b}}});
  };
  const FlowId slow = net.start_flow(0_s, route(0, 1), 1'000'000'000'000);
  EXPECT_TRUE(net.ends_out_of_range());
  EXPECT_FALSE(net.next_completion());
  net.start_flow(3_ns, route(1, 2), 7);
  net.start_flow(3_ns, route(0, 2), 1'000'000);
  EXPECT_EQ(finish_next(), SimTime{3'336'334});
  EXPECT_EQ(finish_next(), 14_s + 3_ns);
  EXPECT_EQ(net.rate(slow), 1);
  EXPECT_TRUE(net.ends_out_of_range());
}

TEST_F(Fluid, LateStartsAreAsExactAsEarlyOnes) {
  resources({50'000'000'000});
  net.start_flow(1'000'000_s, RouteId{0}, 4'096);
  EXPECT_EQ(finish_next(), 1'000'000_s + SimTime{81'920});
}

TEST_F(Fluid, UntouchedFlowsAreNotReported) {
  resources({10, 10});
  const FlowId first = net.start_flow(0_s, RouteId{0}, 100);
  EXPECT_THAT(net.take_changed(), ElementsAre(first));
  const FlowId second = net.start_flow(1_s, RouteId{1}, 100);
  EXPECT_THAT(net.take_changed(), ElementsAre(second));
  EXPECT_THAT(net.take_changed(), IsEmpty());
}

TEST_F(Fluid, TimeMustNotDecreaseOrPassACompletion) {
  resources({10});
  net.start_flow(1_s, RouteId{0}, 10);
  EXPECT_THROW(net.start_flow(0_s, RouteId{0}, 1), std::logic_error);
  EXPECT_THROW(net.start_flow(3_s, RouteId{0}, 1), std::logic_error);
}

TEST_F(Fluid, BadArgumentsAreRefusedAndChangeNothing) {
  resources({10});
  EXPECT_THROW(net.start_flow(0_s, RouteId{0}, -1), std::invalid_argument);
  EXPECT_THROW(net.start_flow(0_s, RouteId{0}, 1, Ratio(0)), std::invalid_argument);
  EXPECT_THROW(net.start_flow(0_s, RouteId{0}, 1, std::nullopt, 0), std::invalid_argument);
  EXPECT_THROW(net.start_flow(0_s, RouteId{5}, 1), std::out_of_range);
  EXPECT_THROW(net.set_capacity(0_s, ResourceId{0}, -1), std::invalid_argument);
  EXPECT_THROW(net.set_capacity(0_s, ResourceId{5}, 1), std::invalid_argument);
  EXPECT_THROW(net.add_route({{ResourceId{5}}}), std::invalid_argument);
  EXPECT_THROW(net.start_flow(0_s, net.add_route({{ResourceId{0}, INT64_MAX}}), 1, std::nullopt, 2),
               OverflowError);
  EXPECT_EQ(net.active_flows(), 0U);
  EXPECT_THROW(static_cast<void>(net.rate(FlowId{0})), std::out_of_range);
}

TEST_F(Fluid, IdsOfCompletedFlowsAreRefusedUntilReused) {
  resources({10});
  const FlowId first = net.start_flow(0_s, RouteId{0}, 10);
  net.complete(1_s);
  EXPECT_THROW(static_cast<void>(net.rate(first)), std::out_of_range);
  EXPECT_EQ(net.start_flow(1_s, RouteId{0}, 10), first);
  EXPECT_EQ(net.rate(first), 10);
}

}  // namespace fluid_network_test
}  // namespace vgsim
