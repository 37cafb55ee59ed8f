#include "models/collectives/hop.hpp"

#include <gtest/gtest.h>

#include "models/vsphere/guest_view.hpp"
#include "sim/engine.hpp"
#include "tests/support/described_host.hpp"
#include "tests/support/scenarios.hpp"
#include "topology/fabric.hpp"

namespace vgsim::collectives {
namespace hop_test {

using namespace literals;

/// A host without a hypervisor, with links at line rate.
struct Machine {
  topology::Topology topology;
  Network network;

  explicit Machine(const std::string& json) {
    input::Diagnostics diagnostics;
    test::add_described_host(topology, "h", json, diagnostics);
    if (diagnostics.has_errors()) throw std::runtime_error(input::render(diagnostics));
    topology::add_ports(topology, 0, {});
    for (const auto& resource : topology.resources) {
      network.resources.add(Ratio(resource.line_rate.count()));
    }
  }

  vsphere::GuestView view() const { return {topology, vsphere::bare_metal(topology, 0)}; }

  /// The time until `size` bytes have crossed each of the routes, all started together.
  SimTime carry(const std::vector<std::vector<Crossing>>& routes, Bytes size) {
    TaskGraph graph;
    for (const auto& crossings : routes) {
      const RouteId route = network.routes.add(crossings);
      static_cast<void>(
          graph.add({SimTime{0}, FlowWork{route, Ratio(size.count()), std::nullopt, 1}}));
    }
    return simulate(graph, network).makespan;
  }
};

/// x16 of PCIe 3.0, per direction.
constexpr std::int64_t kGen3 = 15'753'846'152;

SimTime over_gen3(Bytes size, int copies) {
  return duration_of(Ratio(size.count()) * copies, Ratio(kGen3));
}

constexpr const char* kSwitched = R"({"server": "dell-dss8440", "gpus": "10 x v100-pcie-32gb"})";

TEST(HopTest, CopiesToGpusUnderOneSwitchShareItsUplink) {
  Machine machine(kSwitched);
  const auto view = machine.view();
  const HopPlanner planner(machine.topology, view);
  const SimTime one = machine.carry({planner.host_to_device(0).crossings}, 1_GB);
  const SimTime two = machine.carry(
      {planner.host_to_device(0).crossings, planner.host_to_device(1).crossings}, 1_GB);
  EXPECT_NEAR(to_seconds(one), to_seconds(over_gen3(1_GB, 1)), 1e-9);
  EXPECT_NEAR(to_seconds(two), to_seconds(over_gen3(1_GB, 2)), 1e-9);
}

TEST(HopTest, PeersUnderOneSwitchLeaveItsUplinkAlone) {
  Machine machine(kSwitched);
  const auto view = machine.view();
  const HopPlanner planner(machine.topology, view);
  const Hop hop = planner.peer_to_peer(0, 1);
  EXPECT_EQ(hop.transport, Transport::kPcie);
  EXPECT_EQ(hop.crossings.size(), 2U) << "up from one GPU, down to the other";
}

TEST(HopTest, StagingLoadsTheUplinkBothWaysAndTheMemoryTwice) {
  Machine machine(kSwitched);
  const auto view = machine.view();
  const Hop hop = HopPlanner(machine.topology, view).staged(0, 1);
  EXPECT_EQ(hop.transport, Transport::kHostStaging);
  int pcie = 0;
  std::int64_t root_port = 0;
  std::int64_t memory = 0;
  for (const Crossing& c : hop.crossings) {
    const auto& resource = machine.topology.resources[static_cast<std::size_t>(c.resource)];
    if (resource.kind == topology::LinkKind::kPcie) ++pcie;
    if (resource.kind == topology::LinkKind::kRootPort) root_port += c.coefficient;
    if (resource.kind == topology::LinkKind::kMemoryBus) memory += c.coefficient;
  }
  EXPECT_EQ(pcie, 4) << "GPU up, switch up, switch down, GPU down";
  EXPECT_EQ(root_port, 2) << "kernels write and read host memory through it";
  EXPECT_EQ(memory, 2) << "one write and one read";
}

TEST(HopTest, AccessControlSendsPeersUnderOneSwitchThroughItsUplink) {
  Machine machine(R"({"server": "dell-dss8440", "gpus": "10 x v100-pcie-32gb", "acs": true})");
  const auto view = machine.view();
  const Hop hop = HopPlanner(machine.topology, view).peer_to_peer(0, 1);
  EXPECT_EQ(hop.crossings.size(), 4U) << "GPU up, switch up, switch down, GPU down";
}

TEST(HopTest, ANicThatFeedsItselfDoesNotUseItsPort) {
  Machine machine(R"({"server": "dell-xe9680", "gpus": "8 x h100-sxm5-80gb",
                      "nics": {"n": {"nic": "connectx-7-ndr-400g", "near": "gpu0"}}})");
  const auto view = machine.view();
  const HopPlanner planner(machine.topology, view);
  for (const Crossing& c : planner.by_nic(0, 0, 0, 0, true).crossings) {
    const auto& resource = machine.topology.resources[static_cast<std::size_t>(c.resource)];
    EXPECT_NE(resource.kind, topology::LinkKind::kNicPort);
  }
}

}  // namespace hop_test
}  // namespace vgsim::collectives
