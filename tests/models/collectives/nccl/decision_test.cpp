#include "models/collectives/nccl/decision.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <stdexcept>

#include "tests/models/collectives/nccl/machines.hpp"
#include "tests/support/scenarios.hpp"

namespace vgsim::collectives::nccl {
namespace decision_test {

using ::testing::ElementsAre;
using ::testing::UnorderedElementsAreArray;

Decision decided(const Machine& machine, std::size_t hosts, const Settings& settings = {},
                 const char* version = "2.30.7") {
  const std::vector<std::size_t> all(hosts, 0);
  return decide({&machine, 1}, all, settings, constants_of(test::library().nccl, version).value());
}

/// NCCL uses 6/5 of a hop's bandwidth through an Intel root: 24 / 1.2 = 20 GB/s.
TEST(NcclDecision, FlatVirtualMachineStagesOverHostMemory) {
  const Decision decision = decided(machines::flat(4), 1);
  EXPECT_EQ(decision.ring.channels, 1);
  EXPECT_DOUBLE_EQ(decision.ring.speed_intra, 20);
  EXPECT_EQ(decision.ring.type_intra, PathType::kPhb);
  EXPECT_EQ(decision.kinds[0].connected.transports[0][1], Transport::kShm);
}

/// 12 links of 20 GB/s; above 25 GB/s a channel becomes two: 6 x 40 = 12 x 20.
TEST(NcclDecision, BridgedPairUsesItsNvLinks) {
  const Machine bridged = machines::flat(2, {{{NvLinkEnd::kGpu, machines::bus(0x11), 12}},
                                             {{NvLinkEnd::kGpu, machines::bus(0x10), 12}}});
  const Decision decision = decided(bridged, 1);
  EXPECT_EQ(decision.ring.channels, 12);
  EXPECT_DOUBLE_EQ(decision.ring.speed_intra, 20);
  EXPECT_DOUBLE_EQ(decision.kinds[0].graphs.total_speed, 240);
  EXPECT_EQ(decision.kinds[0].connected.transports[0][1], Transport::kP2p);
}

TEST(NcclDecision, P2pLevelOpensTheRoot) {
  Settings settings;
  settings.p2p_level = PathType::kSys;
  const Decision decision = decided(machines::flat(4), 1, settings);
  EXPECT_EQ(decision.kinds[0].connected.transports[0][1], Transport::kP2p);
}

/// 18 links of 20.6 GB/s = 370.8; six rings of 60 GB/s fit, which become twelve of 30.
TEST(NcclDecision, BaseboardReaches360AndHasNvlsOnEveryGpu) {
  const Decision decision = decided(machines::hopper_baseboard(), 1);
  EXPECT_DOUBLE_EQ(decision.ring.channels * decision.ring.speed_intra, 360);
  EXPECT_EQ(decision.nvls_heads, 8u);
  EXPECT_EQ(decision.nvls_channels, 16);
}

/// Each GPU sends through the NIC next to it; to another GPU's NIC through that GPU (PXN).
TEST(NcclDecision, BaseboardRelaysToFarNics) {
  const Decision decision = decided(machines::hopper_baseboard(), 2);
  const Connected& connected = decision.kinds[0].connected;
  EXPECT_EQ(connected.relay[0][0], 0u);
  EXPECT_EQ(connected.relay[0][5], 5u);
  EXPECT_TRUE(connected.gdr[0][0].send);
  EXPECT_EQ(decision.ring.channels, 8);
  EXPECT_DOUBLE_EQ(decision.ring.speed_inter, 48);
}

/// Between Ice Lake sockets 10 GB/s are available, less than a 100 Gb/s NIC's 12.5: each switch
/// becomes a separate node. Between AMD sockets it is 16 GB/s.
TEST(NcclDecision, SlowSocketLinkSplitsTheHost) {
  const Machine intel = machines::two_switches(CpuVendor::kIntel, CpuModel::kSkylake);
  EXPECT_EQ(decided(intel, 1).nodes.size(), 2u);
  EXPECT_THAT(decided(intel, 1).rank_node, ElementsAre(0, 0, 0, 0, 1, 1, 1, 1));
  const Machine amd = machines::two_switches(CpuVendor::kAmd, CpuModel::kOther);
  EXPECT_EQ(decided(amd, 1).nodes.size(), 1u);
  Settings settings;
  settings.net_disable_intra = true;
  EXPECT_EQ(decided(intel, 1, settings).nodes.size(), 1u);
  EXPECT_EQ(decided(intel, 1, {}, "2.12.12").nodes.size(), 1u);
}

TEST(NcclDecision, RingsAndTreesHoldEveryRankOnce) {
  const Decision decision = decided(machines::hopper_baseboard(), 5);
  std::vector<int> ranks(40);
  for (int i = 0; i < 40; ++i) ranks[static_cast<std::size_t>(i)] = i;
  for (int channel = 0; channel < decision.channels; ++channel) {
    EXPECT_THAT(decision.ring_order(channel), UnorderedElementsAreArray(ranks));
    const std::vector<int> parents = decision.tree_parents(channel);
    EXPECT_EQ(std::count(parents.begin(), parents.end(), -1), 1);
  }
}

TEST(NcclDecision, WeakHostLowersAll) {
  const std::vector<Machine> machines = {machines::hopper_baseboard(), machines::flat(4)};
  const std::vector<std::size_t> hosts = {0, 1};
  const Decision decision =
      decide(machines, hosts, {}, constants_of(test::library().nccl, "2.30.7").value());
  EXPECT_LE(decision.ring.speed_inter, 12);
  EXPECT_EQ(decision.ring.channels, 1);
  EXPECT_EQ(decision.ranks(), 12);
  EXPECT_FALSE(decision.nvls);
}

TEST(NcclDecision, GpusThatNoRankUsesAreNotThere) {
  Machine machine = machines::flat(4);
  machine.cpus[0].pcis[0].gpu->rank.reset();
  machine.cpus[0].pcis[1].gpu->rank = 0;
  machine.cpus[0].pcis[2].gpu->rank.reset();
  machine.cpus[0].pcis[3].gpu->rank = 1;
  EXPECT_EQ(decided(machine, 3).ranks(), 6);
}

TEST(NcclDecision, LimitsOnChannelsHold) {
  Settings settings;
  settings.max_channels = 4;
  EXPECT_EQ(decided(machines::hopper_baseboard(), 1, settings).channels, 4);
  settings.max_channels.reset();
  settings.min_channels = 32;
  const Decision decision = decided(machines::hopper_baseboard(), 1, settings);
  EXPECT_EQ(decision.channels, 32);
  EXPECT_EQ(decision.ring_order(31).size(), 8u);
}

TEST(NcclDecision, RefusesGapsInRanksAndHostsWithoutNetwork) {
  Machine machine = machines::flat(2);
  machine.cpus[0].pcis.pop_back();
  EXPECT_NO_THROW(decided(machine, 1));
  EXPECT_THROW(decided(machine, 2), std::invalid_argument);
  machine.cpus[0].pcis[0].gpu->rank = 5;
  EXPECT_THROW(decided(machine, 1), std::invalid_argument);
}

}  // namespace decision_test
}  // namespace vgsim::collectives::nccl
