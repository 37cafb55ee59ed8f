// Where ESXi runs a VM and keeps its memory: the rules as VMware and its engineers state them.

#include "models/vsphere/numa_placement.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "models/scenario/answer/run_scenario.hpp"
#include "tests/support/scenarios.hpp"
#include "topology/input/json_reader.hpp"

namespace vgsim {
namespace numa_placement_test {

using vsphere::AdvancedSettings;
using vsphere::numa_clients;
using vsphere::VmSettings;
using Sizes = std::vector<std::int64_t>;

VmSettings with_vcpus(std::int64_t vcpus, const AdvancedSettings& advanced = {}) {
  VmSettings settings;
  settings.vcpus = vcpus;
  settings.advanced = advanced;
  return settings;
}

// frankdenneman.ai, 2016-08-22 and 2022-11-03: up to the cores of a node one client; 21 vCPUs on
// sockets of 20 cores are split evenly.
TEST(NumaClients, AreOneUpToTheCoresOfANodeAndEvenBeyond) {
  EXPECT_EQ(numa_clients(with_vcpus(20), 2, 20), (Sizes{20}));
  EXPECT_EQ(numa_clients(with_vcpus(21), 2, 20), (Sizes{11, 10}));
  EXPECT_EQ(numa_clients(with_vcpus(40), 2, 20), (Sizes{20, 20}));
}

TEST(NumaClients, CountThreadsWithPreferHt) {
  AdvancedSettings advanced;
  advanced.prefer_ht = true;
  EXPECT_EQ(numa_clients(with_vcpus(36, advanced), 2, 20), (Sizes{36}));
  EXPECT_EQ(numa_clients(with_vcpus(42, advanced), 2, 20), (Sizes{21, 21}));
  advanced.exclusive_cores = true;  // each vCPU has an exclusive core
  EXPECT_EQ(numa_clients(with_vcpus(36, advanced), 2, 20), (Sizes{18, 18}));
}

// frankdenneman.ai, 2021-12-02: 30 vCPUs on two sockets of 20 cores run as 16 and 14 with two cores
// per socket, as 18 and 12 with six, as 15 and 15 with fifteen.
TEST(NumaClients, KeepTheCoresOfAVirtualSocketTogether) {
  AdvancedSettings advanced;
  advanced.cores_per_socket = 2;
  EXPECT_EQ(numa_clients(with_vcpus(30, advanced), 2, 20), (Sizes{16, 14}));
  advanced.cores_per_socket = 6;
  EXPECT_EQ(numa_clients(with_vcpus(30, advanced), 2, 20), (Sizes{18, 12}));
  advanced.cores_per_socket = 15;
  EXPECT_EQ(numa_clients(with_vcpus(30, advanced), 2, 20), (Sizes{15, 15}));
}

// The same, 2022-09-21: sub-NUMA clustering halves the node that a VM can fit.
TEST(NumaClients, AreMoreWithSmallerNodes) {
  EXPECT_EQ(numa_clients(with_vcpus(20), 4, 10), (Sizes{10, 10}));
  EXPECT_EQ(numa_clients(with_vcpus(20), 8, 5), (Sizes{5, 5, 5, 5}));
}

TEST(NumaClients, SpreadOverAllNodesWithoutConsolidation) {
  AdvancedSettings advanced;
  advanced.spread = true;
  EXPECT_EQ(numa_clients(with_vcpus(12, advanced), 2, 20), (Sizes{6, 6}));
  advanced = {};
  advanced.max_per_node = 4;
  EXPECT_EQ(numa_clients(with_vcpus(12, advanced), 4, 20), (Sizes{4, 4, 4}));
}

TEST(WorkOfThreads, IsThatOfCoresAndAPartOfTheirSecondThreads) {
  EXPECT_DOUBLE_EQ(vsphere::work_of_threads(20, 28, 0.25), 20);
  EXPECT_DOUBLE_EQ(vsphere::work_of_threads(28, 28, 0.25), 28);
  EXPECT_DOUBLE_EQ(vsphere::work_of_threads(56, 28, 0.25), 35);
  EXPECT_DOUBLE_EQ(vsphere::work_of_threads(112, 28, 0.25), 35) << "two threads a core, no more";
}

/// A VM on an R750xa of 28 cores and 256 GiB a node, whose GPUs 0 and 1 are on node 0.
vsphere::NumaPlacement placed(const std::string& vm, const std::string& host = "",
                              const std::string& more_vms = "") {
  const std::string json =
      R"({"name": "n", "hosts": {"h": {"server": "dell-r750xa", "gpus": "4 x a100-pcie-80gb",
          "numa_node": {"cores": 28, "memory": "256 GiB"})" +
      host + R"(}}, "vms": {"vm": {"host": "h", )" + vm + "}" + more_vms +
      R"(}, "job": {"network": "resnet-50", "batch_per_gpu": 64, "vms": "vm"}})";
  const auto document = scenario::Document::parse(input::make_source("n.json", json));
  auto prepared = scenario::prepare_scenario(*document, test::library(),
                                             cli::loader_relative_to("."), scenario::RunSettings{});
  if (!prepared) throw std::runtime_error(input::render(prepared.error()));
  for (const auto& kind : prepared->layouts.at(0).placement.cluster->kinds) {
    if (kind.name == "vm") return kind.numa;
  }
  throw std::runtime_error("no VM");
}

std::vector<std::size_t> memory_nodes(const vsphere::NumaPlacement& numa) {
  std::vector<std::size_t> nodes;
  for (const auto& part : numa.memory) nodes.push_back(part.node);
  return nodes;
}

constexpr const char* kTwoGpus = R"("gpus": {"mode": "passthrough", "devices": ["gpu0", "gpu1"]})";

TEST(NumaPlacement, IsWhereAffinityPutsIt) {
  using Nodes = std::vector<std::size_t>;
  const std::string vm = std::string(R"("vcpus": 16, )") + kTwoGpus;
  EXPECT_EQ(placed(vm).nodes, (Nodes{0})) << "that of its GPUs";
  const auto bound = placed(vm + R"(, "advanced": {"numa.nodeAffinity": "1"})");
  EXPECT_EQ(bound.nodes, (Nodes{1}));
  EXPECT_EQ(memory_nodes(bound), (Nodes{1}));
  EXPECT_FALSE(bound.guest_sees_nodes);
  EXPECT_EQ(bound.remote_accesses, 0.0);
}

TEST(NumaPlacement, WithoutVcpusIsNearEachDevice) { EXPECT_TRUE(placed(kTwoGpus).memory.empty()); }

// The same author, 2022-11-03: 12 vCPUs and 384 GB on nodes of 256 GB keep 155 of 381 GB on the
// other node; with numa.consolidate=FALSE all of it is local.
TEST(NumaPlacement, MemoryBeyondANodeIsOnAnother) {
  const std::string vm = std::string(R"("vcpus": 12, "memory": "384 GiB", )") + kTwoGpus;
  const auto wide = placed(vm);
  EXPECT_EQ(wide.nodes, std::vector<std::size_t>{0});
  EXPECT_NEAR(wide.remote_accesses, 128.0 / 384, 0.01);
  const auto spread = placed(vm + R"(, "advanced": {"numa.consolidate": "FALSE"})");
  EXPECT_EQ(spread.nodes.size(), 2U);
  EXPECT_EQ(spread.remote_accesses, 0.0);
}

// The guest sees NUMA nodes from nine vCPUs on, and not with CPU hot add.
TEST(NumaPlacement, TheGuestOfAWideVmSeesItsNodes) {
  const std::string gpus = std::string(", ") + kTwoGpus;
  EXPECT_TRUE(placed(R"("vcpus": 40)" + gpus).guest_sees_nodes);
  EXPECT_FALSE(placed(R"("vcpus": 28)" + gpus).guest_sees_nodes);
  EXPECT_FALSE(placed(R"("vcpus": 40, "cpu_hot_add": true)" + gpus).guest_sees_nodes);
  EXPECT_FALSE(
      placed(R"("vcpus": 40, "advanced": {"numa.vcpu.preferHT": true})" + gpus).guest_sees_nodes);
}

TEST(NumaPlacement, WithCpuAffinityMemoryIsOnAllNodes) {
  const auto numa =
      placed(std::string(R"("vcpus": 8, "advanced": {"sched.cpu.affinity": "0-15"}, )") + kTwoGpus);
  EXPECT_EQ(numa.nodes, std::vector<std::size_t>{0});
  EXPECT_EQ(numa.memory.size(), 2U);
  EXPECT_NEAR(numa.remote_accesses, 0.5, 1e-9);
}

// ESXi balances: a second VM goes where cores are free.
TEST(NumaPlacement, AFullNodeSendsTheNextVmToTheOther) {
  const std::string first =
      R"(, "a": {"host": "h", "vcpus": 28, "gpus": {"mode": "passthrough", "devices": ["gpu0"]}})";
  const auto second =
      placed(R"("vcpus": 16, "gpus": {"mode": "passthrough", "devices": ["gpu1"]})", "", first);
  EXPECT_EQ(second.nodes, std::vector<std::size_t>{1});
}

TEST(AdvancedSettings, UnknownOnesAreErrorsWithTheNearestName) {
  const auto problems = [](const std::string& advanced) {
    try {
      static_cast<void>(
          placed(std::string(R"("vcpus": 16, "advanced": {)") + advanced + "}, " + kTwoGpus));
    } catch (const std::runtime_error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(problems(R"("numa.nodeAfinity": "1")").find("did you mean \"numa.nodeAffinity\"?"),
            std::string::npos);
  EXPECT_NE(problems(R"("numa.nodeAffinity": "left")").find("numbers such as"), std::string::npos);
  EXPECT_NE(problems(R"("numa.nodeAffinity": "2")").find("has no NUMA node 2"), std::string::npos);
  EXPECT_EQ(problems(R"("NUMA.NODEAFFINITY": "1")"), "") << "ESXi ignores case";
  EXPECT_EQ(problems(R"("pciPassthru0.msiEnabled": "TRUE", "guestinfo.owner": "x")"), "");
}

}  // namespace numa_placement_test
}  // namespace vgsim
