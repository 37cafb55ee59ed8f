#include "topology/fabric.hpp"

#include <gtest/gtest.h>

#include <set>

#include "tests/support/scenarios.hpp"
#include "topology/device_builder.hpp"
#include "topology/input/json_reader.hpp"
#include "topology/spec/fabric_keys.hpp"

namespace vgsim::topology {
namespace fabric_test {

using namespace literals;

struct Read {
  Fabric::Plan plan;
  std::vector<std::string> assumptions;
  input::Diagnostics diagnostics;
};

/// A fabric for hosts of `nics` NICs; an empty text means that the scenario has no "fabric".
Read read(std::size_t hosts, std::size_t nics, const std::string& json) {
  Read result;
  std::optional<input::At<FabricSpec>> fabric;
  if (!json.empty()) {
    const auto value = input::read_json(input::make_source("fabric.json", json)).value();
    fabric = {fabric_decoder().read(value, result.diagnostics), value.origin(), true};
  }
  result.plan = plan_fabric(fabric, hosts, nics, *test::library().catalog, result.diagnostics);
  result.assumptions = fabric_assumptions(fabric, result.plan, hosts);
  return result;
}

/// Hosts that are nothing but NICs of 100 Gbit/s, on the leaves that are named (from 0).
Fabric joined(std::size_t hosts, std::size_t nics, const std::string& json,
              const std::vector<std::optional<std::size_t>>& leaves = {}) {
  const Read result = read(hosts, nics, json);
  if (result.diagnostics.has_errors()) throw std::runtime_error(input::render(result.diagnostics));
  std::vector<Fabric::Attached> attached(hosts);
  for (std::size_t h = 0; h < hosts; ++h) {
    attached[h].ports.assign(nics, 100_Gbitps);
    if (h < leaves.size()) attached[h].leaf = leaves[h];
  }
  return {result.plan, attached};
}

/// The switches that a byte passes on its way between two hosts' first NICs.
std::vector<std::string> stations(const Fabric& fabric, const NicPosition& from,
                                  const NicPosition& to) {
  const auto path = fabric.path(from, to);
  if (!path) return {"nothing"};
  std::vector<std::string> names{"leaf" + std::to_string(fabric.leaf_of(from) + 1)};
  const auto after_arrow = [](const std::string& link) { return link.substr(link.find("> ") + 2); };
  if (path->up) names.push_back(after_arrow(fabric.name(*path->up)));
  if (path->down) names.push_back(after_arrow(fabric.name(*path->down)));
  return names;
}

using Names = std::vector<std::string>;

TEST(FabricTest, HostsOfOneLeafConnectThroughIt) {
  const Fabric fabric =
      joined(4, 1, R"({"kind": "leaf-spine", "leaves": 2, "spines": 2, "uplink": "400 Gbit/s"})");
  EXPECT_EQ(stations(fabric, {0, 0}, {1, 0}), Names{"leaf1"});
  const Names far = stations(fabric, {0, 0}, {3, 0});
  ASSERT_EQ(far.size(), 3U);
  EXPECT_EQ(far[0], "leaf1");
  EXPECT_EQ(far[2], "leaf2");
}

TEST(FabricTest, TrafficToDifferentHostsSpreadsOverTheSpines) {
  const Fabric fabric =
      joined(8, 1, R"({"kind": "leaf-spine", "leaves": 2, "spines": 4, "uplink": "400 Gbit/s"})");
  std::set<std::string> spines;
  for (std::size_t to = 4; to < 8; ++to) spines.insert(stations(fabric, {0, 0}, {to, 0})[1]);
  EXPECT_EQ(spines.size(), 4U);
}

TEST(FabricTest, TheReceiverAloneDecidesTheSpine) {
  const Fabric fabric = joined(8, 2, R"({"kind": "leaf-spine", "leaves": 2, "spines": 3})");
  for (std::size_t from = 0; from < 4; ++from) {
    EXPECT_EQ(stations(fabric, {from, 0}, {7, 1})[1], stations(fabric, {0, 1}, {7, 1})[1]);
  }
}

TEST(FabricTest, APathGoesUpAndDownThroughOneSpine) {
  const Fabric fabric = joined(6, 2, R"({"kind": "leaf-spine", "leaves": 3, "spines": 2})");
  for (std::size_t a = 0; a < 12; ++a) {
    for (std::size_t b = 0; b < 12; ++b) {
      const NicPosition from{a / 2, a % 2};
      const NicPosition to{b / 2, b % 2};
      const auto path = fabric.path(from, to);
      ASSERT_TRUE(path);
      EXPECT_EQ(path->up.has_value(), fabric.leaf_of(from) != fabric.leaf_of(to));
      EXPECT_EQ(path->down.has_value(), path->up.has_value());
      if (!path->up) continue;
      EXPECT_EQ(path->up->leaf, fabric.leaf_of(from));
      EXPECT_EQ(path->down->leaf, fabric.leaf_of(to));
      EXPECT_EQ(path->up->spine, path->down->spine);
      EXPECT_TRUE(path->up->up);
      EXPECT_FALSE(path->down->up);
    }
  }
}

TEST(FabricTest, LinksAreNamedInTheDirectionOfTravel) {
  const Fabric fabric = joined(2, 1, R"({"kind": "leaf-spine", "leaves": 2, "spines": 2})");
  const auto path = fabric.path({0, 0}, {1, 0});
  ASSERT_TRUE(path && path->up && path->down);
  EXPECT_EQ(fabric.name(*path->up), "leaf1 -> spine2");
  EXPECT_EQ(fabric.name(*path->down), "spine2 -> leaf2");
}

TEST(FabricTest, EachSwitchOnTheWayTakesTime) {
  const SimTime latency = test::library().catalog->switches.at("sn3700").latency.value().value;
  const Fabric fabric =
      joined(4, 1, R"({"kind": "leaf-spine", "leaves": 2, "spines": 1, "switch": "sn3700"})");
  EXPECT_EQ(fabric.path({0, 0}, {1, 0})->latency, latency);
  EXPECT_EQ(fabric.path({0, 0}, {2, 0})->latency, latency * 3);
  EXPECT_GT(latency, 0_ps);
}

TEST(FabricTest, WithoutASpineLeavesAreNotConnected) {
  const Fabric fabric = joined(2, 2, R"({"kind": "rails", "spines": 0})");
  EXPECT_TRUE(fabric.path({0, 1}, {1, 1}));
  EXPECT_FALSE(fabric.path({0, 0}, {1, 1}));
}

TEST(FabricTest, WithoutAFabricOneSwitchConnectsAll) {
  const Fabric fabric = joined(5, 3, "");
  EXPECT_EQ(stations(fabric, {0, 2}, {4, 1}), Names{"leaf1"});
  EXPECT_EQ(read(5, 3, "").assumptions.size(), 1U);
  EXPECT_TRUE(read(1, 3, "").assumptions.empty()) << "a single host needs no network";
}

TEST(FabricTest, AHostIsOnTheLeafThatItNames) {
  const Fabric fabric =
      joined(4, 1, R"({"kind": "leaf-spine", "leaves": 4, "spines": 1})", {3, std::nullopt, 3});
  EXPECT_EQ(stations(fabric, {0, 0}, {2, 0}), Names{"leaf4"});
  EXPECT_EQ(fabric.leaf_of({1, 0}), 1U) << "its block of the hosts";
}

TEST(FabricTest, AMissingLeafIsReported) {
  const std::optional<input::At<std::int64_t>> leaf{{3, {}, true}};
  Fabric::Plan plan;
  plan.leaves = 2;
  input::Diagnostics diagnostics;
  static_cast<void>(stated_leaf(leaf, plan, diagnostics));
  EXPECT_NE(input::render(diagnostics).find("leaf 3 of a fabric with 2"), std::string::npos);
  input::Diagnostics none;
  plan.leaves = 3;
  EXPECT_EQ(stated_leaf(leaf, plan, none), 2U);
  EXPECT_FALSE(none.has_errors());
}

TEST(FabricTest, RailsKeepEqualNicsOnOneLeaf) {
  const Fabric fabric = joined(3, 2, R"({"kind": "rails"})");
  for (std::size_t rail = 0; rail < 2; ++rail) {
    EXPECT_EQ(stations(fabric, {0, rail}, {2, rail}), Names{"leaf" + std::to_string(rail + 1)});
  }
  EXPECT_EQ(stations(fabric, {0, 0}, {2, 1}).size(), 3U) << "from rail to rail over the spine";
}

constexpr const char* kGroups =
    R"({"kind": "rails", "leaves": 2, "hosts_per_leaf": 2, "spines": 3})";

TEST(FabricTest, EachGroupOfHostsHasSeparateRailLeaves) {
  const Fabric fabric = joined(5, 2, kGroups);
  EXPECT_EQ(stations(fabric, {0, 1}, {1, 1}), Names{"leaf2"});
  EXPECT_EQ(stations(fabric, {2, 1}, {3, 1}), Names{"leaf4"});
  EXPECT_EQ(fabric.leaf_of({4, 0}), 4U) << "the last group need not be full";
  std::set<std::size_t> leaves;
  for (std::size_t h = 0; h < 5; ++h) {
    for (std::size_t n = 0; n < 2; ++n) leaves.insert(fabric.leaf_of({h, n}));
  }
  EXPECT_EQ(leaves.size(), 6U) << "two for each of three groups";
}

TEST(FabricTest, RailsOfDifferentGroupsMeetAtASpine) {
  const Fabric fabric = joined(5, 2, kGroups);
  const Names between = stations(fabric, {0, 1}, {2, 1});
  ASSERT_EQ(between.size(), 3U);
  EXPECT_EQ(between[0], "leaf2");
  EXPECT_TRUE(between[1].starts_with("spine")) << between[1];
  EXPECT_EQ(between[2], "leaf4");
}

TEST(FabricTest, ALeafOfAGroupHasUplinksForTheHostsOfThatGroup) {
  const Fabric fabric = joined(5, 2, kGroups);
  for (std::uint32_t leaf = 0; leaf < 6; ++leaf) {
    BytesPerSecond up{};
    for (std::uint32_t spine = 0; spine < 3; ++spine) up += fabric.rate({leaf, spine, true});
    const BytesPerSecond hosts = leaf < 4 ? 200_Gbitps : 100_Gbitps;
    EXPECT_LE(hosts - up, 2_Bps) << "leaf " << leaf << ", three uplinks of whole bytes";
    EXPECT_LE(up, hosts);
  }
}

TEST(FabricTest, HostsPerLeafBelongsToRails) {
  for (const char* kind : {"leaf-spine", "single-switch"}) {
    const Read result =
        read(4, 1, R"({"kind": ")" + std::string(kind) + R"(", "hosts_per_leaf": 2})");
    EXPECT_NE(input::render(result.diagnostics).find("\"kind\": \"rails\""), std::string::npos)
        << input::render(result.diagnostics);
  }
  EXPECT_FALSE(read(4, 1, R"({"kind": "rails", "hosts_per_leaf": 2})").diagnostics.has_errors());
}

TEST(FabricTest, ASingleSwitchHasNoSpine) {
  EXPECT_TRUE(read(2, 1, R"({"kind": "single-switch", "spines": 1})").diagnostics.has_errors());
  EXPECT_TRUE(read(2, 1, R"({"kind": "single-switch", "leaves": 2})").diagnostics.has_errors());
  EXPECT_FALSE(read(2, 1, R"({"kind": "single-switch"})").diagnostics.has_errors());
}

TEST(FabricTest, DefaultUplinksDoNotOversubscribe) {
  const std::string json = R"({"kind": "leaf-spine", "leaves": 2, "spines": 2})";
  const Fabric fabric = joined(8, 1, json);
  EXPECT_EQ(fabric.rate({0, 0, true}) + fabric.rate({0, 1, true}), 400_Gbitps)
      << "four hosts of 100 Gbit/s on the leaf";
  EXPECT_EQ(read(8, 1, json).assumptions.size(), 1U);
}

TEST(FabricTest, StatedUplinksApplyToAllLeaves) {
  const std::string json =
      R"({"kind": "leaf-spine", "leaves": 2, "spines": 2, "uplink": "400 Gbit/s"})";
  const Fabric fabric = joined(3, 1, json);
  for (std::uint32_t i = 0; i < 8; ++i) {
    EXPECT_EQ(fabric.rate({i / 4, i / 2 % 2, i % 2 == 0}), 400_Gbitps);
  }
  EXPECT_TRUE(read(3, 1, json).assumptions.empty());
}

/// A host that is nothing but NICs of 100 Gbit/s.
Topology host_with_nics(std::size_t nics) {
  Topology topology;
  DeviceBuilder devices(topology, *test::library().catalog, "h0");
  const Vertex socket = devices.add_socket(test::library().catalog->cpus.begin()->second);
  for (std::size_t n = 0; n < nics; ++n) {
    devices.add_nic_without_pcie(socket, {Vertex{}, "nic" + std::to_string(n), 100_Gbitps, 1.0,
                                          0_ns, true, NetKind::kIb, true, false, "test"});
  }
  return topology;
}

TEST(FabricTest, AHostLinkSlowerThanTheNicIsTheLimit) {
  Topology topology = host_with_nics(2);
  const Fabric::Plan plan =
      read(1, 2, R"({"kind": "single-switch", "host_link": "25 Gbit/s"})").plan;
  add_ports(topology, 0, plan);
  int ports = 0;
  for (const LinkResource& resource : topology.resources) {
    if (resource.kind != LinkKind::kNicPort) continue;
    EXPECT_EQ(resource.line_rate, 25_Gbitps);
    ++ports;
  }
  EXPECT_EQ(ports, 4) << "two NICs, both directions";
}

TEST(FabricTest, TheTwoDirectionsOfAPortAreSeparateResources) {
  Topology topology = host_with_nics(2);
  add_ports(topology, 0, {});
  std::set<LinkResourceIndex> ports;
  for (const HostNic& nic : topology.hosts[0].nics) ports.insert({nic.out, nic.in});
  EXPECT_EQ(ports.size(), 4U);
  const HostNic& nic = topology.hosts[0].nics[1];
  EXPECT_EQ(topology.resources[nic.out].name, "h0/nic1 -> network");
  EXPECT_EQ(topology.resources[nic.in].name, "network -> h0/nic1");
  EXPECT_EQ(topology.resources[nic.out].line_rate, 100_Gbitps);
}

}  // namespace fabric_test
}  // namespace vgsim::topology
