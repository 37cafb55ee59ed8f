#include <gmock/gmock.h>

#include <algorithm>

#include "tests/support/described_host.hpp"
#include "tests/support/scenarios.hpp"
#include "topology/catalog/numa_nodes.hpp"
#include "topology/device_builder.hpp"
#include "topology/graph/paths.hpp"

namespace vgsim::topology {
namespace numa_per_socket_test {

using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

const Catalog& catalog() { return *test::library().catalog; }

struct Built {
  Topology topology;
  input::Diagnostics diagnostics;

  explicit Built(const std::string& json) {
    test::add_described_host(topology, "h", json, diagnostics);
  }

  [[nodiscard]] const Host& host() const { return topology.hosts.front(); }
  [[nodiscard]] HostPaths paths(Vertex from) const { return {topology, from, Travel::kPcieOnly}; }
  /// The NUMA node that a device is in.
  [[nodiscard]] std::size_t node_of(Vertex device) const {
    const HostPaths from = paths(device);
    const auto nearest =
        std::min_element(host().sockets.begin(), host().sockets.end(),
                         [&](Vertex a, Vertex b) { return from.class_to(a) < from.class_to(b); });
    return static_cast<std::size_t>(nearest - host().sockets.begin());
  }
  [[nodiscard]] std::vector<std::size_t> nodes_of_gpus() const {
    std::vector<std::size_t> nodes;
    for (const Vertex gpu : host().gpus) nodes.push_back(node_of(gpu));
    return nodes;
  }
  [[nodiscard]] std::vector<std::size_t> nodes_of_nics() const {
    std::vector<std::size_t> nodes;
    for (const HostNic& nic : host().nics) nodes.push_back(node_of(nic.vertex));
    return nodes;
  }
  [[nodiscard]] std::string classes_to_gpus(Vertex from) const {
    std::string text;
    for (const Vertex gpu : host().gpus) text += std::string(to_string(paths(from).class_to(gpu)));
    return text;
  }
};

std::string dgx_a100(int nodes) {
  return R"({"server": "dgx-a100", "numa_nodes_per_socket": )" + std::to_string(nodes) +
         R"(, "nics": {"a": {"nic": "connectx-6-hdr-200g", "slot": "nic0"},
                       "b": {"nic": "connectx-6-hdr-200g", "slot": "nic7"},
                       "c": {"nic": "connectx-6-hdr-200g", "slot": "slot4"},
                       "d": {"nic": "connectx-6-hdr-200g", "slot": "slot5"}}})";
}

TEST(NumaPerSocketTest, ADgxA100InNps4HasThePathClassesOfItsDumps) {
  // NCCL dump in Keysight's infragraph (two bridges between the GPUs of a pair), nvidia-smi of such
  // a board in NCCL issue 1435.
  const Built built(dgx_a100(4));
  ASSERT_FALSE(built.diagnostics.has_errors()) << input::render(built.diagnostics);
  const auto& gpus = built.host().gpus;
  EXPECT_EQ(built.classes_to_gpus(gpus.at(0)), "LOCPXBSYSSYSSYSSYSSYSSYS");
  EXPECT_EQ(built.classes_to_gpus(gpus.at(2)), "SYSSYSLOCPXBSYSSYSSYSSYS");
  EXPECT_EQ(built.classes_to_gpus(gpus.at(7)), "SYSSYSSYSSYSSYSSYSPXBLOC");
  const auto& nics = built.host().nics;
  EXPECT_EQ(built.classes_to_gpus(nics.at(0).vertex), "PXBPXBSYSSYSSYSSYSSYSSYS");
  EXPECT_EQ(built.classes_to_gpus(nics.at(1).vertex), "SYSSYSSYSSYSSYSSYSPXBPXB");
  EXPECT_EQ(built.classes_to_gpus(nics.at(2).vertex), "SYSSYSSYSSYSSYSSYSSYSSYS");
}

TEST(NumaPerSocketTest, InNps1TheSameDevicesMeetInTheirSocket) {
  const Built built(dgx_a100(1));
  EXPECT_EQ(built.classes_to_gpus(built.host().gpus.at(0)), "LOCPXBPHBPHBSYSSYSSYSSYS");
  EXPECT_EQ(built.classes_to_gpus(built.host().nics.at(2).vertex), "PHBPHBPHBPHBSYSSYSSYSSYS");
}

TEST(NumaPerSocketTest, NodesHaveTheNumbersThatMachinesShow) {
  // Four nodes per socket: <cpu numaid> of three dumps of a DGX A100, and of the InfiniBand NICs
  // for storage; two: Azure's ndv4-topo.xml, of the same board.
  const Built four(dgx_a100(4));
  EXPECT_THAT(four.nodes_of_gpus(), ElementsAre(3, 3, 1, 1, 7, 7, 5, 5));
  EXPECT_THAT(four.nodes_of_nics(), ElementsAre(3, 5, 0, 4));
  const Built two(dgx_a100(2));
  EXPECT_THAT(two.nodes_of_gpus(), ElementsAre(1, 1, 0, 0, 3, 3, 2, 2));
  // Dell's file for MLPerf on an XE8545.
  const Built xe8545(R"({"server": "dell-xe8545", "numa_nodes_per_socket": 4,
      "nics": {"a": {"nic": "connectx-6-hdr-200g", "slot": "slot1"},
               "b": {"nic": "connectx-6-hdr-200g", "slot": "slot2"}}})");
  EXPECT_THAT(xe8545.nodes_of_gpus(), ElementsAre(3, 1, 7, 5));
  EXPECT_THAT(xe8545.nodes_of_nics(), ElementsAre(2, 6));
}

TEST(NumaPerSocketTest, NodesShareTheMemoryOfTheirSocketAndItsLinkToTheOther) {
  for (const int nodes : {1, 2, 4}) {
    const Built built(dgx_a100(nodes));
    std::int64_t memory = 0;
    std::size_t between_sockets = 0;
    for (const LinkResource& resource : built.topology.resources) {
      if (resource.kind == LinkKind::kMemoryBus) memory += resource.line_rate.count();
      if (resource.kind == LinkKind::kSocketLink) ++between_sockets;
    }
    EXPECT_EQ(built.host().memories.size(), static_cast<std::size_t>(2 * nodes));
    EXPECT_EQ(memory, 2 * 204'800'000'000) << "eight channels of DDR4-3200 in each socket";
    EXPECT_EQ(between_sockets, 2U) << "one per direction";
    EXPECT_EQ(built.host().packages, 2U);
  }
}

TEST(NumaPerSocketTest, EveryServerTakesWhatItsCpuOffersAndNoDeviceChangesItsSocket) {
  for (const auto& [name, server] : catalog().servers) {
    const Built as_it_is(R"({"server": ")" + name + "\"}");
    const auto was = as_it_is.nodes_of_gpus();
    const auto before = static_cast<std::size_t>(server.numa_nodes_per_socket);
    for (const std::int64_t nodes : catalog().cpus.at(server.cpu.value).numa_nodes_per_socket) {
      const Built built(R"({"server": ")" + name + R"(", "numa_nodes_per_socket": )" +
                        std::to_string(nodes) + "}");
      ASSERT_FALSE(built.diagnostics.has_errors()) << input::render(built.diagnostics);
      EXPECT_EQ(built.host().sockets.size(), static_cast<std::size_t>(server.sockets * nodes));
      const auto is = built.nodes_of_gpus();
      for (std::size_t gpu = 0; gpu < was.size(); ++gpu) {
        EXPECT_EQ(is.at(gpu) / static_cast<std::size_t>(nodes), was.at(gpu) / before) << name;
      }
    }
  }
}

TEST(NumaPerSocketTest, UnknownNodesAreDistributedInOrder) {
  const NumaSplit split = with_numa_nodes(catalog().servers.at("dell-r750xa"), 2);
  const auto node = [&](const char* name) {
    return split.server.root_complexes.at(name).numa_node;
  };
  EXPECT_THAT((std::vector{node("rc0"), node("rc1"), node("rc4"), node("rc6")}),
              ElementsAre(0, 0, 1, 1))
      << "the four of socket 0";
  EXPECT_THAT(split.guessed, SizeIs(7));
  const Built built(R"({"server": "dell-r750xa", "numa_nodes_per_socket": 2})");
  EXPECT_THAT(built.host().assumptions, Contains(HasSubstr("rc0, rc1, rc2")));
  const Built known(R"({"server": "epyc-7542-nps4-8gpu", "numa_nodes_per_socket": 2})");
  EXPECT_THAT(known.nodes_of_gpus(), ElementsAre(0, 0, 1, 1, 2, 2, 3, 3));
  EXPECT_THAT(known.host().assumptions, Each(Not(HasSubstr("NUMA"))));
}

TEST(NumaPerSocketTest, OnlyDiesOfTheirOwnLimitWhatNodesOfASocketExchange) {
  // EPYC 7001: dies joined by 42.6 GB/s in both directions (AnandTech 11551). On an EPYC 9224, a
  // Xeon 8269CY and a 6980P a node reads its neighbour's memory as fast as its own.
  const auto limits = [](const char* cpu) {
    Topology topology;
    DeviceBuilder devices(topology, catalog(), "h");
    const CpuModel& model = catalog().cpus.at(cpu);
    for (int node = 0; node < 4; ++node) devices.add_socket(model, 4);
    devices.join_sockets(model, 4);
    std::vector<std::int64_t> rates;
    const HostPaths paths(topology, devices.host().sockets.at(0), Travel::kPcieOnly);
    EXPECT_EQ(paths.class_to(devices.host().sockets.at(3)), PathClass::kSys);
    for (const Edge& edge : paths.to(devices.host().sockets.at(3)).links) {
      const auto& resource = topology.link(edge).resource;
      if (resource) rates.push_back(topology.resources.at(*resource).line_rate.count());
    }
    return rates;
  };
  EXPECT_THAT(limits("amd-naples"), ElementsAre(21'300'000'000));
  EXPECT_THAT(limits("amd-rome"), IsEmpty());
}

void expect_error(const std::string& host, const std::string& pointer, const std::string& words) {
  const Built built(host);
  EXPECT_THAT(built.diagnostics.items(),
              Contains(Field("pointer", &input::Diagnostic::pointer, pointer)));
  EXPECT_THAT(input::render(built.diagnostics), HasSubstr(words));
}

TEST(NumaPerSocketTest, WhatACpuCannotDoIsAnErrorAtItsPlace) {
  expect_error(R"({"server": "dell-r750xa", "numa_nodes_per_socket": 4})", "/numa_nodes_per_socket",
               "expected one of: 1, 2");
  expect_error(R"({"server": "gb200-tray", "numa_nodes_per_socket": 2})", "/numa_nodes_per_socket",
               "expected one of: 1");
  expect_error(R"({"server": "dell-xe8545", "numa_nodes_per_socket": 4,
                   "numa_node": {"cores": 32}})",
               "/numa_node/cores", "at most 64");
  expect_error(R"({"topology": "nccl:host.xml", "numa_nodes_per_socket": 4})",
               "/numa_nodes_per_socket", "does not apply to an imported host");
  const Built fits(R"({"server": "dell-xe8545", "numa_nodes_per_socket": 4,
                       "numa_node": {"cores": 16}})");
  EXPECT_FALSE(fits.diagnostics.has_errors()) << input::render(fits.diagnostics);
}

}  // namespace numa_per_socket_test
}  // namespace vgsim::topology
