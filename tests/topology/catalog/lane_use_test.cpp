#include "topology/catalog/lane_use.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "models/scenario/read/library.hpp"
#include "tests/support/scenarios.hpp"

namespace vgsim::topology {
namespace lane_use_test {

/// Entries in which the slots of a socket take more lanes than the CPU has, and by how many.
const std::map<std::string, std::int64_t>& known_excess() {
  static const std::map<std::string, std::int64_t> excess = {
      // The OCP slot and the adjacent drive are attached to the chipset or share sixteen lanes.
      {"dell-r750xa", 4},
      {"dell-c4140-m", 12},
      {"dgx-1-v100", 4},
      {"dgx-2", 4},
      {"dgx-2h", 4},
      {"dgx-h100", 4},
      {"dgx-h200", 4},
      {"aws-p3dn", 4},
      {"aws-p4d", 4},
      {"aws-g4dn-metal", 4},
      {"gcp-n1-t4", 4},
      {"hgx-1-v100", 4},
      {"oci-bm-gpu3-8", 4},
      {"generic-skylake-2switch", 4},
      {"generic-ice-lake-2+2", 4},
      {"generic-milan-6", 4},
      {"azure-nd-h100-v5", 4},
      {"aws-p5", 4},
      {"aws-p5en", 4},
      {"aws-p6-b200", 4},
      {"aws-p6-b300", 4},
      {"oci-bm-gpu-h100-8", 4},
      // What a VM of a cloud shows: PCIe switches in front of the GPUs are hidden.
      {"azure-ndv2", 36},
      {"leonardo-booster", 4},
      // Each represents several boards, with all slots of any of them.
      {"generic-skylake-2+2", 20},
      {"generic-sapphire-rapids-4+4", 20},
      {"generic-rome-4+4", 20},
      {"generic-turin-4+4", 20},
      {"epyc-7542-nps4-8gpu", 20},
      {"epyc-turin-5+1", 20},
  };
  return excess;
}

std::int64_t excess_of(const ServerModel& server, const CpuModel& cpu) {
  std::int64_t excess = 0;
  for (const auto& [offered, taken] : lane_use(server, cpu)) {
    if (offered > 0) excess = std::max(excess, taken - offered);
  }
  return excess;
}

TEST(LaneUse, SlotsTakeNoMoreLanesThanTheCpusHave) {
  const Catalog& catalog = *test::library().catalog;
  for (const auto& [name, server] : catalog.servers) {
    const auto known = known_excess().find(name);
    EXPECT_EQ(excess_of(server, catalog.cpus.at(server.cpu.value)),
              known == known_excess().end() ? 0 : known->second)
        << name;
  }
}

TEST(LaneUse, ServersFromManualsNameTheUsersOfTheOtherLanes) {
  const Catalog& catalog = *test::library().catalog;
  for (const char* name : {"dell-r770", "lenovo-sr650-v3", "lenovo-sr650a-v4", "lenovo-sr675-v3",
                           "supermicro-221ge"}) {
    const ServerModel& server = catalog.servers.at(name);
    EXPECT_FALSE(server.other_lanes.empty()) << name;
    for (const auto& [offered, taken] : lane_use(server, catalog.cpus.at(server.cpu.value))) {
      EXPECT_GT(taken, 0) << name << ": all slots on one socket";
      EXPECT_LT(taken, offered) << name;
    }
  }
}

TEST(LaneUse, WhatIsBelowASwitchTakesTheSwitchsLanes) {
  ServerModel server;
  server.sockets = 2;
  server.root_complexes = {{"rc0", {0}}, {"rc1", {1}}};
  server.pcie_switches["sw"] = {"rc0", 5, 16, {}};
  server.gpu_slots = {{"sw", 5, 16, {}}, {"sw", 5, 16, {}}, {"rc1", 5, 16, {}}};
  server.nic_slots["slot"] = {"rc1", 5, 8, {}};
  CpuModel cpu;
  cpu.pcie_lanes = 128;
  cpu.pcie_lanes_beside_others = 80;
  const auto sockets = lane_use(server, cpu);
  EXPECT_EQ(sockets.at(0).taken, 16);
  EXPECT_EQ(sockets.at(1).taken, 24);
  EXPECT_EQ(sockets.at(0).offered, 80) << "two sockets give lanes up for their links";
  server.sockets = 1;
  server.root_complexes["rc1"] = {0};
  EXPECT_EQ(lane_use(server, cpu).at(0).offered, 128);
}

}  // namespace lane_use_test
}  // namespace vgsim::topology
