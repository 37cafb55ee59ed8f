#include "topology/hosts/host_builder.hpp"

#include <gtest/gtest.h>

#include "tests/support/described_host.hpp"
#include "topology/graph/paths.hpp"

namespace vgsim::topology {
namespace host_builder_test {

struct Built {
  Topology topology;
  input::Diagnostics diagnostics;
};

Built build(const std::string& json) {
  Built built;
  test::add_described_host(built.topology, "esx01", json, built.diagnostics);
  return built;
}

PathClass gpu_class(const Built& built, std::size_t a, std::size_t b) {
  const auto& gpus = built.topology.hosts.at(0).gpus;
  return HostPaths(built.topology, gpus.at(a), Travel::kAny).class_to(gpus.at(b));
}

TEST(HostBuilderTest, BridgesConnectOnlyTheirPairs) {
  const Built built = build(R"({"server": "dell-r750xa", "gpus": "4 x a100-pcie-80gb",
                                "nvlink_bridges": [[0, 1], [2, 3]]})");
  ASSERT_FALSE(built.diagnostics.has_errors()) << input::render(built.diagnostics);
  EXPECT_EQ(gpu_class(built, 0, 1), PathClass::kNvl);
  EXPECT_EQ(gpu_class(built, 2, 3), PathClass::kNvl);
  EXPECT_EQ(gpu_class(built, 1, 2), PathClass::kSys) << "the pairs sit on two sockets";
}

TEST(HostBuilderTest, EachServerHasTheNvLinksOfItsBoard) {
  const Built mesh = build(R"({"server": "dell-xe8545", "gpus": "4 x a100-sxm4-80gb"})");
  const Built switched = build(R"({"server": "dell-xe9680", "gpus": "8 x h100-sxm5-80gb"})");
  const Built cube = build(R"({"server": "dgx-1-v100", "gpus": "8 x v100-sxm2-16gb"})");
  EXPECT_EQ(gpu_class(mesh, 0, 3), PathClass::kNvl);
  EXPECT_EQ(gpu_class(switched, 0, 7), PathClass::kNvl);
  EXPECT_EQ(gpu_class(cube, 0, 4), PathClass::kNvl);
  EXPECT_EQ(gpu_class(cube, 0, 5), PathClass::kNvb) << "GPU 0 and 5 share no link in the cube mesh";
}

TEST(HostBuilderTest, NumaNodesOfASocketShareItsMemoryAndItsLinkToTheOther) {
  // Two EPYC 7542 in NPS4 with a GPU in each of the eight NUMA nodes: nvidia-smi shows SYS for
  // all pairs.
  const Built built = build(R"({"server": "epyc-7542-nps4-8gpu"})");
  ASSERT_FALSE(built.diagnostics.has_errors()) << input::render(built.diagnostics);
  const Host& host = built.topology.hosts.at(0);
  EXPECT_EQ(host.sockets.size(), 8U);
  EXPECT_EQ(gpu_class(built, 0, 1), PathClass::kSys);
  EXPECT_EQ(gpu_class(built, 0, 7), PathClass::kSys);
  std::size_t between_sockets = 0;
  for (const LinkResource& resource : built.topology.resources) {
    if (resource.kind == LinkKind::kSocketLink) ++between_sockets;
    if (resource.kind == LinkKind::kMemoryBus) {
      EXPECT_EQ(resource.line_rate.count(), 204'800'000'000 / 4) << resource.name;
    }
  }
  EXPECT_EQ(between_sockets, 2U) << "one per direction, whichever nodes it joins";
}

TEST(HostBuilderTest, ARackOfOneNvLinkDomainIsOneHost) {
  const Built built = build(R"({"server": "gb200-nvl72"})");
  ASSERT_FALSE(built.diagnostics.has_errors()) << input::render(built.diagnostics);
  EXPECT_EQ(built.topology.hosts.at(0).gpus.size(), 72U);
  EXPECT_EQ(gpu_class(built, 0, 71), PathClass::kNvl);
}

TEST(HostBuilderTest, NearPutsANicUnderTheSwitchOfItsGpu) {
  const Built built = build(R"({"server": "dell-xe9680", "gpus": "8 x h100-sxm5-80gb",
    "nics": {"a": {"nic": "connectx-7-ndr-400g", "near": "gpu5"}}})");
  ASSERT_FALSE(built.diagnostics.has_errors()) << input::render(built.diagnostics);
  const Host& host = built.topology.hosts.at(0);
  const HostPaths paths(built.topology, host.gpus.at(5), Travel::kPcieOnly);
  EXPECT_EQ(paths.class_to(host.nics.at(0).vertex), PathClass::kPix);
}

TEST(HostBuilderTest, AConvergedCardHasItsNicBehindOneSwitchWithItsGpu) {
  const Built built = build(R"({"server": "dell-r750xa", "gpus": "2 x a100x-80gb"})");
  ASSERT_FALSE(built.diagnostics.has_errors()) << input::render(built.diagnostics);
  const Host& host = built.topology.hosts.at(0);
  ASSERT_EQ(host.nics.size(), 2U);
  for (std::size_t i : {0U, 1U}) {
    const HostPaths paths(built.topology, host.gpus.at(i), Travel::kPcieOnly);
    EXPECT_EQ(paths.class_to(host.nics.at(i).vertex), PathClass::kPix);
    EXPECT_EQ(host.nics.at(i).name, "gpu" + std::to_string(i) + "-nic");
    EXPECT_TRUE(host.nics.at(i).dpu);
  }
}

TEST(HostBuilderTest, EveryDeviceOfEveryServerIsReachable) {
  for (const auto& [name, server] : test::library().catalog->servers) {
    const Built built = build("{\"server\": \"" + name + "\"}");
    EXPECT_FALSE(built.diagnostics.has_errors()) << name << input::render(built.diagnostics);
    const Host& host = built.topology.hosts.at(0);
    ASSERT_FALSE(host.gpus.empty()) << name;
    const HostPaths paths(built.topology, host.gpus.front(), Travel::kPcieOnly);
    for (const Vertex gpu : host.gpus) EXPECT_NE(paths.class_to(gpu), PathClass::kDis) << name;
    for (const Vertex memory : host.memories) EXPECT_LE(paths.class_to(memory), PathClass::kSys);
  }
}

TEST(HostBuilderTest, ResourcesAreNumberedInTheSameOrderByEveryCompiler) {
  const Built built = build(R"({"server": "dell-r750xa"})");
  std::vector<std::string> between_sockets;
  for (const LinkResource& resource : built.topology.resources) {
    if (resource.kind == LinkKind::kSocketLink) between_sockets.push_back(resource.name);
  }
  EXPECT_EQ(between_sockets,
            (std::vector<std::string>{"esx01/socket0 -> socket1", "esx01/socket1 -> socket0"}));
}

// Frank Denneman, 2026-03-27: H200 NVL has a two-way bridge of 18 links and a four-way one of 6 to
// each.
TEST(HostBuilderTest, AFourWayBridgeSharesTheLinksOut) {
  const Built four = build(R"({"server": "lenovo-sr675-v3", "gpus": "8 x h200-nvl-141gb",
      "nvlink_bridges": [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3], [4, 5], [6, 7]]})");
  ASSERT_FALSE(four.diagnostics.has_errors()) << input::render(four.diagnostics);
  const auto& gpus = four.topology.hosts.front().gpus;
  std::map<std::size_t, std::size_t> joined;
  for (std::size_t g = 0; g < gpus.size(); ++g) {
    const HostPaths paths(four.topology, gpus[g], Travel::kAny);
    for (const Vertex other : gpus) {
      if (other != gpus[g] && paths.class_to(other) == PathClass::kNvl) ++joined[g];
    }
  }
  EXPECT_EQ(joined, (std::map<std::size_t, std::size_t>{
                        {0, 3}, {1, 3}, {2, 3}, {3, 3}, {4, 1}, {5, 1}, {6, 1}, {7, 1}}));
}

std::string errors_of(const std::string& json) { return input::render(build(json).diagnostics); }

TEST(HostBuilderTest, ReportsPartsThatDoNotFitAServer) {
  EXPECT_NE(errors_of(R"({"server": "dell-r750xa", "gpus": "9 x a100-pcie-80gb"})")
                .find("has 4 GPU slots, not 9"),
            std::string::npos);
  EXPECT_NE(errors_of(R"({"server": "dell-r750xa", "nvlink_bridges": [[0, 2]]})")
                .find("takes no NVLink bridge between GPU 0 and GPU 2"),
            std::string::npos);
  EXPECT_NE(errors_of(R"({"server": "dell-r750xa", "gpus": "4 x t4", "nvlink_bridges": [[0, 1]]})")
                .find("has no NVLink"),
            std::string::npos);
  EXPECT_NE(errors_of(R"({"server": "lenovo-sr675-v3", "gpus": "8 x h100-nvl-94gb",
                          "nvlink_bridges": [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]]})")
                .find("takes no NVLink bridge between GPU 0 and GPU 2"),
            std::string::npos)
      << "H100 NVL has two-way bridges alone";
  EXPECT_NE(errors_of(R"({"server": "dell-r750xs"})").find("did you mean \"dell-r750xa\""),
            std::string::npos);
  EXPECT_NE(errors_of(R"({"server": "dell-r750xa", "topology": "nccl:x.xml"})").find("both"),
            std::string::npos);
}

}  // namespace host_builder_test
}  // namespace vgsim::topology
