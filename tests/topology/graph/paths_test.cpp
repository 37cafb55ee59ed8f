#include "topology/graph/paths.hpp"

#include <gtest/gtest.h>

#include "sim/units.hpp"

namespace vgsim::topology {
namespace paths_test {

using namespace literals;

/// Two sockets; two GPUs under one switch, one GPU two switches deep, one on the other socket.
class PathsTest : public ::testing::Test {
 protected:
  Vertex add(const char* name, NodeKind kind) { return topology_.add_node({name, kind, 0, 0, {}}); }

  void pcie(Vertex below, Vertex above) {
    topology_.connect(below, above, LinkKind::kPcie, 32_GBps, 1.0, 100_ns, "test");
  }

  void SetUp() override {
    topology_.connect(socket0_, socket1_, LinkKind::kSocketLink, 40_GBps, 1.0, 0_ns, "test");
    topology_.connect_half_duplex(socket0_, memory_, LinkKind::kMemoryBus, 200_GBps, 1.0, 0_ns,
                                  "test");
    topology_.connect_unlimited(rc0_, socket0_, LinkKind::kOnDie, 0_ns);
    topology_.connect_unlimited(rc1_, socket1_, LinkKind::kOnDie, 0_ns);
    topology_.connect_unlimited(rc2_, socket0_, LinkKind::kOnDie, 0_ns);
    pcie(switch0_, rc0_);
    pcie(switch1_, switch0_);
    pcie(gpu0_, switch0_);
    pcie(gpu1_, switch0_);
    pcie(gpu2_, switch1_);
    pcie(gpu3_, rc1_);
    pcie(gpu4_, rc2_);
    pcie(nic_, switch0_);
  }

  PathClass class_between(Vertex a, Vertex b, Travel travel = Travel::kAny) const {
    return HostPaths(topology_, a, travel).class_to(b);
  }

  Topology topology_;
  Vertex socket0_ = add("socket0", NodeKind::kSocket);
  Vertex socket1_ = add("socket1", NodeKind::kSocket);
  Vertex memory_ = add("memory0", NodeKind::kMemory);
  Vertex rc0_ = add("rc0", NodeKind::kRootComplex);
  Vertex rc1_ = add("rc1", NodeKind::kRootComplex);
  Vertex rc2_ = add("rc2", NodeKind::kRootComplex);
  Vertex switch0_ = add("switch0", NodeKind::kPcieSwitch);
  Vertex switch1_ = add("switch1", NodeKind::kPcieSwitch);
  Vertex gpu0_ = add("gpu0", NodeKind::kGpu);
  Vertex gpu1_ = add("gpu1", NodeKind::kGpu);
  Vertex gpu2_ = add("gpu2", NodeKind::kGpu);
  Vertex gpu3_ = add("gpu3", NodeKind::kGpu);
  Vertex gpu4_ = add("gpu4", NodeKind::kGpu);
  Vertex nic_ = add("nic", NodeKind::kNic);
};

TEST_F(PathsTest, ClassesFollowWhatThePathPassesThrough) {
  EXPECT_EQ(class_between(gpu0_, gpu0_), PathClass::kLoc);
  EXPECT_EQ(class_between(gpu0_, gpu1_), PathClass::kPix);
  EXPECT_EQ(class_between(gpu0_, nic_), PathClass::kPix);
  EXPECT_EQ(class_between(gpu0_, gpu2_), PathClass::kPxb);
  EXPECT_EQ(class_between(gpu0_, gpu4_), PathClass::kPhb);
  EXPECT_EQ(class_between(gpu0_, gpu3_), PathClass::kSys);
}

TEST_F(PathsTest, ClassesAreTheSameInBothDirections) {
  const Vertex devices[] = {gpu0_, gpu1_, gpu2_, gpu3_, gpu4_, nic_};
  for (const Vertex a : devices) {
    for (const Vertex b : devices) EXPECT_EQ(class_between(a, b), class_between(b, a));
  }
}

TEST_F(PathsTest, NvLinkBeatsPcieAndReachesTwoHopsThroughOneGpu) {
  topology_.connect(gpu0_, gpu3_, LinkKind::kNvLink, 100_GBps, 1.0, 0_ns, "test");
  topology_.connect(gpu3_, gpu4_, LinkKind::kNvLink, 100_GBps, 1.0, 0_ns, "test");
  topology_.connect(gpu4_, gpu2_, LinkKind::kNvLink, 100_GBps, 1.0, 0_ns, "test");
  EXPECT_EQ(class_between(gpu0_, gpu3_), PathClass::kNvl);
  EXPECT_EQ(class_between(gpu0_, gpu4_), PathClass::kNvb);
  EXPECT_EQ(class_between(gpu0_, gpu2_), PathClass::kPxb)
      << "NVLink through two GPUs is not a path";
  EXPECT_EQ(class_between(gpu0_, gpu3_, Travel::kPcieOnly), PathClass::kSys);
}

TEST_F(PathsTest, NvSwitchJoinsAllItsGpusDirectly) {
  const Vertex nvswitch = add("nvswitch", NodeKind::kNvSwitch);
  for (const Vertex gpu : {gpu0_, gpu2_, gpu3_}) {
    topology_.connect(gpu, nvswitch, LinkKind::kNvLink, 450_GBps, 1.0, 0_ns, "test");
  }
  EXPECT_EQ(class_between(gpu0_, gpu3_), PathClass::kNvl);
  EXPECT_EQ(class_between(gpu2_, gpu3_), PathClass::kNvl);
  EXPECT_EQ(class_between(gpu0_, gpu1_), PathClass::kPix) << "gpu1 is not on the switch";
}

TEST_F(PathsTest, NoPathLeadsThroughADevice) {
  const Vertex island = add("island", NodeKind::kPcieSwitch);
  pcie(nic_, island);
  EXPECT_EQ(class_between(gpu0_, island), PathClass::kDis);
}

TEST_F(PathsTest, LinksOfAPathAreConsecutiveAndTheirLatenciesAddUp) {
  const Path path = HostPaths(topology_, gpu0_, Travel::kAny).to(gpu3_);
  Vertex at = gpu0_;
  for (const Edge& edge : path.links) {
    EXPECT_EQ(edge.source, at);
    at = edge.target;
  }
  EXPECT_EQ(at, gpu3_);
  EXPECT_EQ(path.latency(topology_), 300_ns) << "three PCIe links of 100 ns";
}

TEST_F(PathsTest, OfEqualClassTheWiderPathIsTaken) {
  const Vertex other = add("switch2", NodeKind::kPcieSwitch);
  topology_.connect(gpu0_, other, LinkKind::kPcie, 8_GBps, 1.0, 0_ns, "test");
  topology_.connect(gpu1_, other, LinkKind::kPcie, 8_GBps, 1.0, 0_ns, "test");
  const Path path = HostPaths(topology_, gpu0_, Travel::kAny).to(gpu1_);
  ASSERT_EQ(path.links.size(), 2U);
  EXPECT_EQ(path.links[0].target, switch0_);
}

}  // namespace paths_test
}  // namespace vgsim::topology
