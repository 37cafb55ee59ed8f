#include "sim/max_min.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "random_systems.hpp"
#include "reference_fluid.hpp"
#include "sim/engine.hpp"
#include "sim/fluid_network.hpp"

namespace vgsim {
namespace max_min_test {

using Flows = std::map<FlowId, random_systems::Flow>;

Ratio load_on(ResourceId resource, const Network& network, const Flows& flows, FluidNetwork& net) {
  Ratio load = 0;
  for (const auto& [id, flow] : flows) {
    for (const Crossing& crossing : network.routes.crossings(flow.route)) {
      if (crossing.resource == resource) load += net.rate(id) * crossing.coefficient;
    }
  }
  return load;
}

Ratio demand_on(ResourceId resource, const Network& network, const Flows& flows) {
  Ratio demand = 0;
  for (const auto& [id, flow] : flows) {
    for (const Crossing& crossing : network.routes.crossings(flow.route)) {
      if (crossing.resource == resource) demand += Ratio(crossing.coefficient) * flow.weight;
    }
  }
  return demand;
}

Ratio highest_level_on(ResourceId resource, const Network& network, const Flows& flows,
                       FluidNetwork& net) {
  Ratio highest = 0;
  for (const auto& [id, flow] : flows) {
    for (const Crossing& crossing : network.routes.crossings(flow.route)) {
      if (crossing.resource != resource) continue;
      highest = std::max(highest, Ratio(net.rate(id) / flow.weight));
    }
  }
  return highest;
}

/// Upper bound on the capacity that flows with this demand leave free because levels are shortened.
Ratio left_by_shortening(const Ratio& capacity, const Ratio& demand) {
  const Ratio in_bits = capacity / (std::int64_t{1} << 56);
  return std::max(in_bits, Ratio(demand / (std::int64_t{1} << 62)));
}

/// The certificate of max_min.hpp, from its definition: rates are feasible, and each flow runs at
/// its cap or names the lowest resource that is saturated (except for what shortening leaves free)
/// and on which no flow has a higher level.
void check_certificate(const Network& network, const std::vector<Ratio>& capacities,
                       const Flows& flows, FluidNetwork& net) {
  std::vector<Ratio> highest;
  std::vector<bool> full;
  for (std::size_t r = 0; r < capacities.size(); ++r) {
    const auto resource = static_cast<ResourceId>(r);
    const Ratio load = load_on(resource, network, flows, net);
    RC_ASSERT(load <= capacities[r]);
    const Ratio spare = capacities[r] - load;
    full.push_back(spare <= left_by_shortening(capacities[r], demand_on(resource, network, flows)));
    highest.push_back(highest_level_on(resource, network, flows, net));
  }
  for (const auto& [id, flow] : flows) {
    if (flow.amount == 0) continue;
    const Ratio rate = net.rate(id);
    RC_ASSERT(rate >= 0);
    RC_ASSERT((!flow.cap || rate <= *flow.cap));
    if (flow.cap && rate == *flow.cap) {
      RC_ASSERT(net.limiting_resource(id) == std::nullopt);
      continue;
    }
    std::optional<ResourceId> want;
    for (const Crossing& crossing : network.routes.crossings(flow.route)) {
      const auto r = static_cast<std::size_t>(crossing.resource);
      if (!want && full[r] && highest[r] == rate / flow.weight) want = crossing.resource;
    }
    RC_ASSERT(want != std::nullopt);
    RC_ASSERT(net.limiting_resource(id) == want);
  }
}

std::vector<Ratio> capacities_of(const Network& network) {
  std::vector<Ratio> capacities;
  for (std::size_t r = 0; r < network.resources.size(); ++r) {
    capacities.push_back(network.resources.capacity(static_cast<ResourceId>(r)));
  }
  return capacities;
}

RC_GTEST_PROP(MaxMin, EveryFlowHasItsCertificate, ()) {
  const Network network = random_systems::network();
  FluidNetwork net(network);
  Flows flows;
  const int count = *rc::gen::inRange(1, 12);
  for (int i = 0; i < count; ++i) {
    const random_systems::Flow flow = random_systems::flow(network);
    flows[net.start_flow(SimTime{0}, flow.route, flow.amount, flow.cap, flow.weight)] = flow;
  }
  check_certificate(network, capacities_of(network), flows, net);
}

/// Rates and limits of the same flows in a new solver, started in reverse order.
void check_against_fresh(const Network& network, const std::vector<Ratio>& capacities,
                         const Flows& flows, FluidNetwork& net) {
  Network now;
  now.resources = ResourceTable(capacities);
  now.routes = network.routes;
  FluidNetwork fresh(now);
  std::map<FlowId, FlowId> twin;
  for (auto i = flows.rbegin(); i != flows.rend(); ++i) {
    const auto& [id, flow] = *i;
    twin[id] = fresh.start_flow(SimTime{0}, flow.route, flow.amount, flow.cap, flow.weight);
  }
  for (const auto& [id, other] : twin) {
    RC_ASSERT(net.rate(id) == fresh.rate(other));
    RC_ASSERT(net.limiting_resource(id) == fresh.limiting_resource(other));
  }
}

RC_GTEST_PROP(MaxMin, IncrementalSolutionEqualsANewOneAfterAnyHistory, ()) {
  const Network network = random_systems::network(6);
  std::vector<Ratio> capacities = capacities_of(network);
  FluidNetwork net(network);
  Flows flows;
  SimTime now{};
  const int steps = *rc::gen::inRange(1, 30);
  for (int step = 0; step < steps; ++step) {
    const int kind = *rc::gen::inRange(0, 6);
    const auto next = net.next_completion();
    if (kind == 0) {
      const std::size_t r = *rc::gen::inRange<std::size_t>(0, capacities.size());
      capacities[r] = *rc::gen::inRange(0, 6);
      net.set_capacity(now, static_cast<ResourceId>(r), capacities[r]);
    } else if (kind < 3 && next) {
      now = next->at;
      for (const FlowId id : net.complete(now)) flows.erase(id);
    } else {
      const random_systems::Flow flow = random_systems::flow(network);
      flows[net.start_flow(now, flow.route, flow.amount, flow.cap, flow.weight)] = flow;
      if (*rc::gen::inRange(0, 2) == 0) continue;  // several changes before one solution
    }
    check_certificate(network, capacities, flows, net);
    check_against_fresh(network, capacities, flows, net);
  }
}

/// Flows that are removed and revived in groups, as in collectives: all flows of a group or most of
/// them, with or without other flows in between.
RC_GTEST_PROP(MaxMin, RevivedFlowsHaveTheLevelsOfANewSolution, ()) {
  const Network network = random_systems::network(6);
  std::vector<Ratio> capacities = capacities_of(network);
  MaxMin system(network.resources, network.routes);
  const int count = *rc::gen::inRange(2, 8);
  std::vector<random_systems::Flow> flows;
  for (int i = 0; i < count; ++i) flows.push_back(random_systems::flow(network));
  std::vector<std::optional<MaxMin::Member>> members(flows.size());
  const int steps = *rc::gen::inRange(2, 30);
  for (int step = 0; step < steps; ++step) {
    const int kind = *rc::gen::inRange(0, 8);
    if (kind == 0) {
      const std::size_t r = *rc::gen::inRange<std::size_t>(0, capacities.size());
      capacities[r] = *rc::gen::inRange(0, 6);
      system.set_capacity(static_cast<ResourceId>(r), capacities[r]);
    }
    for (std::size_t i = 0; i < flows.size(); ++i) {
      const bool is_left_out = kind > 3 && *rc::gen::inRange(0, 2) == 0;
      if (step % 2 == 1 && members[i] && !is_left_out) {
        system.remove(*std::exchange(members[i], std::nullopt));
      } else if (step % 2 == 0 && !members[i] && !is_left_out) {
        const random_systems::Flow& flow = flows[i];
        members[i] = system.revive(flow.route, flow.cap ? &*flow.cap : nullptr, flow.weight);
        if (!members[i]) members[i] = system.insert(flow.route, flow.cap, flow.weight);
      }
    }
    system.solve();
    MaxMin fresh(ResourceTable(capacities), network.routes);
    std::vector<std::pair<MaxMin::Member, MaxMin::Member>> twins;
    for (std::size_t i = 0; i < flows.size(); ++i) {
      if (!members[i]) continue;
      twins.emplace_back(*members[i], fresh.insert(flows[i].route, flows[i].cap, flows[i].weight));
    }
    fresh.solve();
    for (const auto& [member, twin] : twins) {
      RC_ASSERT(system.level(member) == fresh.level(twin));
      RC_ASSERT(system.limit(member) == fresh.limit(twin));
    }
  }
}

RC_GTEST_PROP(MaxMin, LevelsEqualThoseOfProgressiveFilling, ()) {
  const Network network = random_systems::network(6);
  FluidNetwork net(network);
  std::vector<FlowId> ids;
  std::vector<reference::Flow> flows;
  const int count = *rc::gen::inRange(1, 12);
  for (int i = 0; i < count; ++i) {
    const random_systems::Flow flow = random_systems::flow(network);
    if (flow.amount == 0) continue;
    ids.push_back(net.start_flow(SimTime{0}, flow.route, flow.amount, flow.cap, flow.weight));
    flows.push_back({flow.route, flow.amount, flow.cap, flow.weight, 0});
  }
  const std::vector<Ratio> want = reference::levels(network, flows);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    RC_ASSERT(net.rate(ids[i]) == want[i] * flows[i].weight);
  }
}

RC_GTEST_PROP(MaxMin, FlowsEndAtTheContinuousTimeRoundedUp, ()) {
  const Network network = random_systems::network(4, false);
  TaskGraph graph;
  std::vector<reference::Flow> flows;
  const int count = *rc::gen::inRange(1, 8);
  for (int i = 0; i < count; ++i) {
    const random_systems::Flow flow = random_systems::flow(network);
    const SimTime start{*rc::gen::inRange(0, 4)};
    Task task;
    task.delay = start;
    // Amounts that take a few picoseconds, so that instants fall between ticks.
    const Ratio amount = Ratio(flow.amount) / kPicosecondsPerSecond;
    task.flow = FlowWork{flow.route, amount, flow.cap, flow.weight};
    graph.add(task);
    flows.push_back({flow.route, amount, flow.cap, flow.weight, Ratio(start.count())});
  }
  const Timeline timeline = simulate(graph, network);
  const auto ends = reference::ends(network, flows);
  for (std::size_t i = 0; i < flows.size(); ++i) {
    RC_ASSERT(ends[i].has_value());
    RC_ASSERT(timeline.tasks[i].end == duration_of(*ends[i] / kPicosecondsPerSecond, Ratio(1)));
  }
}

TEST(MaxMin, TheExampleInTheHeaderIsCorrect) {
  ResourceTable resources;
  resources.add(10);
  resources.add(4);
  RouteTable routes;
  const RouteId one = routes.add({{ResourceId{0}}});
  const RouteId both = routes.add({{ResourceId{0}}, {ResourceId{1}}});
  MaxMin system(resources, routes);
  const MaxMin::Member a = system.insert(one, std::nullopt, 1);
  const MaxMin::Member b = system.insert(both, std::nullopt, 1);
  EXPECT_EQ(system.solve().size(), 2U);
  EXPECT_EQ(system.level(a), Ratio(6));
  EXPECT_EQ(system.limit(a), ResourceId{0});
  EXPECT_EQ(system.level(b), Ratio(4));
  EXPECT_EQ(system.limit(b), ResourceId{1});
}

TEST(MaxMin, AMemberRemovedBeforeTheSolutionHasNoEffect) {
  ResourceTable resources;
  resources.add(10);
  RouteTable routes;
  const RouteId route = routes.add({{ResourceId{0}}});
  MaxMin system(resources, routes);
  const MaxMin::Member a = system.insert(route, std::nullopt, 1);
  const MaxMin::Member b = system.insert(route, std::nullopt, 1);
  system.remove(a);
  EXPECT_EQ(system.solve().size(), 1U);
  EXPECT_EQ(system.level(b), Ratio(10));
}

TEST(MaxMin, NearTiesOfLargeSharesLeaveNothingFree) {
  // A takes 10^9 times its rate and is limited to 10^6, which the common level exceeds by only
  // 10^-9. What that frees raises the others past 1000000.25, where B is frozen, so that C gets
  // 1000000.75.
  Network network;
  const auto shared = network.resources.add(Ratio(1'000'000) * 1'000'000'000 + 2'000'001);
  const auto holds_a = network.resources.add(1'000'000);
  const auto holds_b = network.resources.add(Ratio::of(4'000'001, 4));
  const RouteId a = network.routes.add({{shared, 1'000'000'000}, {holds_a, 1}});
  const RouteId b = network.routes.add({{shared, 1}, {holds_b, 1}});
  const RouteId c = network.routes.add({{shared, 1}});
  FluidNetwork net(network);
  const FlowId of_a = net.start_flow(SimTime{0}, a, 1'000'000);
  const FlowId of_b = net.start_flow(SimTime{0}, b, 1'000'000);
  const FlowId of_c = net.start_flow(SimTime{0}, c, 1'000'000);
  EXPECT_EQ(net.rate(of_a), 1'000'000);
  EXPECT_EQ(net.rate(of_b), Ratio::of(4'000'001, 4));
  EXPECT_EQ(net.rate(of_c), Ratio::of(4'000'003, 4));
}

TEST(MaxMin, LevelsOfManyUnequalFlowsStayShort) {
  // A chain of links, each a little wider than the previous one and sharing a flow with it. Link k
  // divides by three what link k-1 leaves, so exact denominators are powers of three.
  Network network;
  constexpr int kLinks = 60;
  std::vector<ResourceId> links;
  for (int i = 0; i < kLinks; ++i) links.push_back(network.resources.add(1'000 + 700 * i));
  std::vector<RouteId> taken;
  for (std::size_t i = 0; i < kLinks; ++i) {
    const RouteId own = network.routes.add({{links[i], 1}});
    taken.insert(taken.end(), {own, own});
    if (i + 1 < kLinks) taken.push_back(network.routes.add({{links[i], 1}, {links[i + 1], 1}}));
  }
  FluidNetwork net(network);
  Flows flows;
  for (const RouteId route : taken) {
    flows[net.start_flow(SimTime{0}, route, 1'000'000)] = {route, 1'000'000, {}, 1};
  }
  check_certificate(network, capacities_of(network), flows, net);
  for (const auto& [id, flow] : flows) {
    EXPECT_TRUE(net.rate(id).is_small());
    EXPECT_LE(net.rate(id).denominator(), std::int64_t{1} << 56);
  }
}

}  // namespace max_min_test
}  // namespace vgsim
