// One fluid activity per channel against every step of every chunk on every edge of the ring.

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "tests/support/scenarios.hpp"

namespace vgsim {
namespace chunk_fidelity_test {

struct Cluster {
  const char* name;
  const char* hosts;  ///< JSON
};

void PrintTo(const Cluster& cluster, std::ostream* out) { *out << cluster.name; }

/// How much longer chunk by chunk takes than the fluid, for 1, 16 and 256 MiB.
std::vector<double> ratios(const Cluster& cluster) {
  const auto times = [&](const char* fidelity) {
    const std::string json = std::string(R"({"name": "chunks", "hosts": {)") + cluster.hosts +
                             R"(}, "job": {"collective": "all_reduce",
        "sizes": ["1 MiB", "16 MiB", "256 MiB"], "fidelity": ")" +
                             fidelity +
                             R"(", "nccl": {"NCCL_ALGO": "Ring", "NCCL_PROTO": "Simple"}}})";
    return test::run(json, std::string(VGSIM_SOURCE_DIR) + "/configs/scenarios/chunks.json")
        .layouts.at(0)
        .collective->points;
  };
  const auto fluid = times("fluid");
  const auto chunks = times("chunk");
  std::vector<double> result;
  for (std::size_t i = 0; i < fluid.size(); ++i) {
    result.push_back(to_seconds(chunks.at(i).time) / to_seconds(fluid[i].time));
  }
  return result;
}

class ChunkByChunk : public ::testing::TestWithParam<Cluster> {};

TEST_P(ChunkByChunk, TheFluidIsWithinTwoPercent) {
  for (const double ratio : ratios(GetParam())) EXPECT_NEAR(ratio, 1.0, 0.02);
}

INSTANTIATE_TEST_SUITE_P(
    Topologies, ChunkByChunk,
    ::testing::Values(
        Cluster{"host memory, 2",
                R"("a": {"server": "dell-r750xa", "gpus": "2 x a100-pcie-80gb"})"},
        Cluster{"host memory, 4",
                R"("a": {"server": "dell-r750xa", "gpus": "4 x a100-pcie-80gb"})"},
        Cluster{"host memory, 8", R"("a": {"server": "generic-rome-4+4", "gpus": "8 x a40"})"},
        Cluster{"bridge", R"("a": {"server": "dell-r750xa", "gpus": "2 x a100-pcie-80gb",
                                    "nvlink_bridges": [[0, 1]]})"},
        Cluster{"PCIe switch, 2",
                R"("a": {"server": "generic-skylake-2switch", "gpus": "2 x v100-pcie-32gb"})"},
        Cluster{"PCIe switch, 4",
                R"("a": {"server": "generic-skylake-2switch", "gpus": "4 x v100-pcie-32gb"})"},
        Cluster{"cube mesh", R"("a": {"server": "dgx-1-v100", "gpus": "8 x v100-sxm2-16gb"})"},
        Cluster{"NVSwitch, 16", R"("a": {"server": "dgx-2", "gpus": "16 x v100-sxm3-32gb"})"},
        Cluster{"NVSwitch, 8 x A100",
                R"("a": {"server": "dgx-a100", "gpus": "8 x a100-sxm4-80gb"})"},
        Cluster{"NVSwitch, 8 x H100",
                R"("a": {"server": "dgx-h100", "gpus": "8 x h100-sxm5-80gb"})"},
        Cluster{"NVSwitch, 8 x B200",
                R"("a": {"server": "hgx-b200", "gpus": "8 x b200-sxm-180gb"})"},
        Cluster{"dump", R"("a": {"topology": "nccl:dumps/dgx-a100-class.xml"})"},
        Cluster{"TCP, 4 hosts", R"("a[1-4]": {"server": "generic-1gpu",
                "gpus": "1 x v100-pcie-32gb", "nics": {"n": {"nic": "x710-10g"}}})"},
        Cluster{"RDMA, 2 hosts", R"("a[1-2]": {"server": "generic-1gpu",
                "gpus": "1 x v100-pcie-32gb", "nics": {"n": {"nic": "connectx-5-edr-100g"}}})"},
        Cluster{"RDMA, 16 hosts", R"("a[1-16]": {"server": "generic-1gpu",
                "gpus": "1 x v100-pcie-32gb", "nics": {"n": {"nic": "connectx-4-lx-25g"}}})"},
        Cluster{"bridged pairs", R"("a": {"server": "dell-r750xa", "gpus": "4 x a100-pcie-80gb",
                                           "nvlink_bridges": [[0, 1], [2, 3]]})"},
        Cluster{"two switches",
                R"("a": {"server": "generic-skylake-2switch", "gpus": "8 x v100-pcie-32gb"})"},
        Cluster{"Power8", R"("a": {"server": "ibm-s822lc-minsky", "gpus": "4 x p100-sxm2-16gb"})"},
        Cluster{"two switches, Gen5",
                R"("a": {"server": "wrx90-2switch-flat", "gpus": "8 x rtx-pro-6000-ws"})"},
        Cluster{"2 hosts of bridged pairs", R"("a[1-2]": {"server": "dell-r750xa",
                "gpus": "4 x a100-pcie-80gb", "nvlink_bridges": [[0, 1], [2, 3]],
                "nics": {"n": {"nic": "connectx-6-dx-100g", "near": "gpu0"}}})"},
        Cluster{"mixed NICs", R"("a[1-3]": {"server": "generic-1gpu", "gpus": "1 x v100-pcie-32gb",
                "nics": {"n": {"nic": "connectx-5-edr-100g"}}},
                "b": {"server": "generic-1gpu", "gpus": "1 x v100-pcie-32gb",
                "nics": {"n": {"nic": "connectx-4-lx-25g"}}})"},
        Cluster{"2 hosts, 8 NICs", R"("a[1-2]": {"server": "dgx-a100", "gpus": "8 x a100-sxm4-80gb",
                "nics": {"n[0-7]": {"nic": "connectx-6-hdr-200g", "near": "gpu[0-7]"}}})"},
        Cluster{"4 hosts, 8 NICs", R"("a[1-4]": {"server": "dgx-h100", "gpus": "8 x h100-sxm5-80gb",
                "nics": {"n[0-7]": {"nic": "connectx-7-ndr-400g", "near": "gpu[0-7]"}}})"},
        Cluster{"2 dumps, 8 NICs", R"("a[1-2]": {"topology": "nccl:dumps/dgx-a100-class.xml"})"}));

}  // namespace chunk_fidelity_test
}  // namespace vgsim
