// A hand-written topology file describes a host like a dump.

#include <gmock/gmock.h>

#include "models/scenario/read/library.hpp"
#include "tests/support/scenarios.hpp"
#include "topology/graph/paths.hpp"
#include "topology/importers/topology_file/topology_file.hpp"
#include "topology/machine/build_host.hpp"

namespace vgsim::topology {
namespace hand_written_host_test {

constexpr const char* kByHand = R"({
  "format": "vgsim.topology/1", "cpu": "intel-granite-rapids",
  "numa_nodes": [{"name": "left"}, {"name": "right"}],
  "devices": [
    {"name": "gpu-a", "kind": "gpu", "under": "left", "bus_id": "0000:17:00.0", "model": "l40s",
     "link": "Gen4 x16"},
    {"name": "gpu-b", "kind": "gpu", "under": "right", "bus_id": "0000:97:00.0", "model": "l40s",
     "link": "Gen4 x16"},
    {"name": "vmnic4", "kind": "nic", "under": "right", "bus_id": "0000:98:00.0",
     "model": "connectx-6-dx-100g", "link": "Gen4 x16"}]})";

class HandWrittenHost : public testing::Test {
 protected:
  void SetUp() override {
    const auto source = input::make_source("host.json", kByHand);
    const auto inventory = inventory::read_topology_file(source);
    ASSERT_TRUE(inventory) << input::render(inventory.error());
    DeviceBuilder devices(topology_, *test::library().catalog, "esx01");
    input::Diagnostics diagnostics;
    inventory::build_inventory_host(*inventory, {}, {source}, devices, diagnostics);
    ASSERT_FALSE(diagnostics.has_errors()) << input::render(diagnostics);
  }
  const Host& host() const { return topology_.hosts.at(0); }

  Topology topology_;
};

TEST_F(HandWrittenHost, NodesWithoutANumberAreSeparateNodes) {
  EXPECT_EQ(host().sockets.size(), 2U);
  const HostPaths paths(topology_, host().gpus.at(0), Travel::kAny);
  EXPECT_EQ(paths.class_to(host().gpus.at(1)), PathClass::kSys);
}

TEST_F(HandWrittenHost, ANicKeepsItsName) {
  ASSERT_EQ(host().nics.size(), 1U);
  EXPECT_EQ(host().nics.at(0).name, "vmnic4");
  EXPECT_EQ(host().nics.at(0).port_rate,
            test::library().catalog->nics.at("connectx-6-dx-100g").port_rate.value);
}

TEST_F(HandWrittenHost, TheCpuIsTheOneThatIsNamed) {
  EXPECT_EQ(topology_.node(host().sockets.at(0)).model, "intel-granite-rapids");
}

}  // namespace hand_written_host_test
}  // namespace vgsim::topology
