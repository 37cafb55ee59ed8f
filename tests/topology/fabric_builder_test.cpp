#include "topology/fabric_builder.hpp"

#include <gtest/gtest.h>

#include <set>

#include "tests/support/scenarios.hpp"
#include "topology/device_builder.hpp"
#include "topology/input/json_reader.hpp"
#include "topology/paths.hpp"

namespace vgsim::topology {
namespace {

using namespace literals;

/// Hosts that are nothing but NICs.
Topology hosts_with_nics(std::size_t hosts, std::size_t nics) {
  Topology topology;
  for (std::size_t h = 0; h < hosts; ++h) {
    DeviceBuilder devices(topology, test::library().catalog, "h" + std::to_string(h));
    const Vertex socket = devices.add_socket(test::library().catalog.cpus.begin()->second);
    for (std::size_t n = 0; n < nics; ++n) {
      devices.add_nic_without_pcie(
          socket, {Vertex{}, "nic" + std::to_string(n), 100_Gbitps, 1.0, 0_ns, true, "test"});
    }
  }
  return topology;
}

Topology joined(std::size_t hosts, std::size_t nics, const std::string& fabric) {
  Topology topology = hosts_with_nics(hosts, nics);
  input::Diagnostics diagnostics;
  const auto value = input::read_json(input::make_source("fabric.json", fabric));
  static_cast<void>(build_fabric(topology, test::library().catalog, value.value(),
                                 std::vector<std::optional<input::Value>>(hosts), diagnostics));
  if (diagnostics.has_errors()) throw std::runtime_error(input::render(diagnostics));
  return topology;
}

std::vector<std::string> stations(const Topology& topology, std::size_t a, std::size_t b) {
  std::vector<std::string> names;
  const Path path =
      network_path(topology, topology.hosts[a].nics[0].vertex, topology.hosts[b].nics[0].vertex);
  for (const Edge edge : path.links) {
    names.push_back(topology.node(boost::target(edge, topology.graph)).name);
  }
  return names;
}

TEST(FabricBuilderTest, HostsOfOneLeafMeetThere) {
  const Topology topology =
      joined(4, 1, R"({"kind": "leaf-spine", "leaves": 2, "spines": 2, "uplink": "400 Gbit/s"})");
  EXPECT_EQ(stations(topology, 0, 1), (std::vector<std::string>{"leaf1", "h1/nic0"}));
  const auto far = stations(topology, 0, 3);
  ASSERT_EQ(far.size(), 4U);
  EXPECT_EQ(far[0], "leaf1");
  EXPECT_EQ(far[2], "leaf2");
}

TEST(FabricBuilderTest, TrafficToDifferentHostsSpreadsOverTheSpines) {
  const Topology topology =
      joined(8, 1, R"({"kind": "leaf-spine", "leaves": 2, "spines": 4, "uplink": "400 Gbit/s"})");
  std::set<std::string> spines;
  for (std::size_t to = 4; to < 8; ++to) spines.insert(stations(topology, 0, to)[1]);
  EXPECT_EQ(spines.size(), 4U);
}

TEST(FabricBuilderTest, RailsKeepEqualNicsOnOneLeaf) {
  const Topology topology = joined(3, 2, R"({"kind": "rails"})");
  for (std::size_t rail = 0; rail < 2; ++rail) {
    const Path path = network_path(topology, topology.hosts[0].nics[rail].vertex,
                                   topology.hosts[2].nics[rail].vertex);
    EXPECT_EQ(path.links.size(), 2U) << "one leaf lies between";
  }
}

TEST(FabricBuilderTest, UplinksThatAreNotGivenDoNotOversubscribe) {
  const Topology topology = joined(8, 1, R"({"kind": "leaf-spine", "leaves": 2, "spines": 2})");
  BytesPerSecond up{};
  for (const LinkResource& resource : topology.resources) {
    if (resource.name.starts_with("leaf1 -> spine")) up += resource.line_rate;
  }
  EXPECT_EQ(up, 400_Gbitps) << "four hosts of 100 Gbit/s on the leaf";
}

TEST(FabricBuilderTest, AHostLinkSlowerThanTheNicCounts) {
  const Topology topology = joined(2, 1, R"({"kind": "single-switch", "host_link": "25 Gbit/s"})");
  for (const LinkResource& resource : topology.resources) {
    if (resource.kind == LinkKind::kNicPort) {
      EXPECT_EQ(resource.line_rate, 25_Gbitps);
    }
  }
}

}  // namespace
}  // namespace vgsim::topology
