#include <map>

#include "smi_fixture.hpp"
#include "tests/support/extra.hpp"
#include "topology/importers/smi/smi_parts.hpp"

namespace vgsim::topology::testing {
namespace smi_topo_samples_test {

using inventory::DeviceKind;
using inventory::PathMatrix;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// What a reader of the file sees in it.
struct TopoFacts {
  const char* name;
  std::size_t gpus;
  std::size_t nics;
  const char* pairs;        ///< of GPUs: "NV12:2 SYS:4"
  const char* nics_of_gpu;  ///< paths of the first GPU to the NICs
  const char* first_cpus;   ///< of the first GPU's row
  const char* first_numa;
  std::size_t last;  ///< the last GPU that has a row
  const char* last_cpus;
  const char* last_numa;
  const char* first_port;  ///< NIC0 in the legend
};

const std::vector<TopoFacts> kSamples = {
    {"7gforce-7gpu", 7, 0, "PHB:12 PIX:9", "", "0-19", "", 6, "0-19", "", ""},
    {"TRUNC-deepep128-8gpu-all-SYS", 8, 10, "SYS:27", "PIX SYS SYS SYS SYS SYS SYS SYS SYS SYS",
     "0-55,112-167", "0", 5, "56-111,168-223", "1", ""},
    {"TRUNC-nccltests78-dgx2-16gpu", 16, 10, "NV6:54", "PIX PXB NODE NODE SYS SYS SYS SYS SYS SYS",
     "0-23,48-71", "", 3, "0-23,48-71", "", ""},
    {"TRUNC-vllm31594-b200-glued-nic-header", 8, 13, "NV18:22",
     "SYS SYS SYS SYS SYS SYS SYS SYS NODE NODE NODE PIX NODE", "0-15", "0", 3, "0-15", "0", ""},
    {"anthony-hoo-github-posts-autodl-multi-gpu-interconnection-test-L161", 2, 0, "PIX:1", "",
     "24-47,72-95", "1", 1, "24-47,72-95", "1", ""},
    {"arthurchiao-github-posts-2023-09-16-gpu-advanced-notes-1-zh-L429", 8, 2, "NV18:28", "SYS SYS",
     "0-95,192-287", "0", 7, "96-191,288-383", "1", ""},
    {"awesome-ml-sys-tut-nccl-readme-L104", 8, 0, "SYS:28", "", "0-15,32-47", "0", 7, "16-31,48-63",
     "1", ""},
    {"awesome-ml-sys-tut-nccl-readme-L126", 8, 0, "NV18:28", "", "0-47,96-143", "0", 7,
     "48-95,144-191", "1", ""},
    {"aws-g5-48xlarge-L1", 8, 0, "PHB:28", "", "0-191", "0-1", 7, "0-191", "0-1", ""},
    {"aws-g5-8xlarge-L1", 1, 0, "", "", "0-31", "0", 0, "0-31", "0", ""},
    {"aws-g5g-2xlarge-L1", 1, 0, "", "", "0-7", "0", 0, "0-7", "0", ""},
    {"aws-p4d-24xlarge-L1", 8, 0, "NV12:28", "", "0-23,48-71", "0", 7, "24-47,72-95", "1", ""},
    {"dlperf-dlrm-readme-L22", 8, 2, "NV1:8 NV2:8 SYS:12", "NODE SYS", "0-23,48-71", "0", 7,
     "24-47,72-95", "1", ""},
    {"dlperf-megatron-lm-readme-L286", 8, 1, "NV1:8 NV2:8 SYS:12", "NODE", "0-11,24-35", "", 7,
     "12-23,36-47", "", ""},
    {"dlperf-nvidiadeeplearningexamples-readme-L18", 8, 1, "NV1:8 NV2:8 SYS:12", "NODE",
     "0-11,24-35", "", 7, "12-23,36-47", "", ""},
    {"dranet-user-gke-rdma-L411", 8, 8, "NV18:28", "PIX PIX NODE NODE SYS SYS SYS SYS",
     "0-55,112-167", "0", 7, "56-111,168-223", "1", "mlx5_0"},
    {"frankdenneman-gith-2026-03-31-topology-aware-multi-gpu-vm-placement-in-L51", 4, 0,
     "NV12:2 SYS:4", "", "", "", 3, "", "", ""},
    {"inference-results-documentation-performance-tuning-guide-L93", 4, 0, "SYS:6", "",
     "48-63,112-127", "3", 3, "0-15,64-79", "0", ""},
    {"inference-results-go-2xrtx4090-reference-cpu-pytorch-v2-2-1-default-co-L2", 2, 0, "SYS:1", "",
     "0-47", "0", 1, "0-47", "0", ""},
    {"malaya-deberta-v3-readme-L28", 4, 0, "NV12:2 SYS:4", "", "0-23", "0", 3, "72-95", "3", ""},
    {"ml-engineering-network-readme-L333", 2, 0, "NV2:1", "", "0-23", "N/A", 1, "0-23", "N/A", ""},
    {"ml-engineering-network-readme-L340", 2, 0, "PHB:1", "", "0-11", "N/A", 1, "0-11", "N/A", ""},
    {"ml-engineering-network-readme-L370", 8, 0, "NV12:28", "", "0-23", "0", 7, "24-47", "1", ""},
    {"ml-engineering-network-readme-L385", 8, 0, "NV18:28", "", "0-51", "0", 7, "52-103", "1", ""},
    {"nccl-tests-log-check-env-log-sh-L62", 2, 4, "SYS:1", "PHB PHB SYS SYS", "0-13,28-41", "0", 1,
     "14-27,42-55", "1", "mlx5_0"},
    {"paddle-p40x8-soc", 8, 1, "PIX:12 PXB:16", "SYS", "0-13", "", 7, "0-13", "", ""},
    {"rtx6kpro-asus-report-nvidia-topo-L1", 8, 0, "NODE:8 PIX:4 SYS:16", "", "0-63,128-191", "0", 7,
     "64-127,192-238", "1", ""},
    {"rtx6kpro-hardware-asus-esc8000a-e13p-broadcom-switches-L96", 8, 0, "NODE:8 PIX:4 SYS:16", "",
     "", "0", 7, "", "1", ""},
    {"rtx6kpro-hardware-topology-L186", 4, 0, "NODE:6", "", "", "", 3, "", "", ""},
    {"rtx6kpro-hardware-topology-L199", 8, 0, "PHB:12 SYS:16", "", "", "", 7, "", "", ""},
    {"rtx6kpro-hardware-topology-L217", 8, 0, "PHB:16 PIX:12", "", "", "", 7, "", "", ""},
    {"rtx6kpro-hardware-wrx90-cpayne-2switch-flat-L80", 8, 0, "NODE:16 PIX:12", "", "", "", 7, "",
     "", ""},
    {"rtx6kpro-hardware-wrx90-cpayne-microchip-switches-L92", 8, 0, "NODE:16 PIX:4 PXB:8", "", "",
     "", 7, "", "", ""},
    {"simllm-vastai-h200x8-vf-nics", 8, 8, "NV18:28", "PIX NODE NODE NODE SYS SYS SYS SYS", "0-95",
     "0", 7, "96-191", "1", "mlx5_0"},
    {"smiexp-nvidia-geforce-rtx-2080-super-linux-x-L1165", 1, 0, "", "", "0-23", "0", 0, "0-23",
     "0", ""},
    {"smiexp-nvidia-geforce-rtx-2080-super-windows-L1267", 1, 0, "", "", "", "", 0, "", "", ""},
    {"smiexp-nvidia-h100-80gb-hbm3-linux-x-L1193", 1, 0, "", "", "0-19", "0", 0, "0-19", "0", ""},
    {"training-results-v-65-distributed-gemm-requirements-L58", 8, 0, "NV18:28", "", "", "", 7, "",
     "", ""},
    {"ucx-py-source-ucx-debug-L70", 8, 4, "NV1:8 NV2:8 SYS:12", "PIX PHB SYS SYS", "0-19,40-59", "",
     7, "20-39,60-79", "", ""},
};

const std::vector<std::string> kPeerToPeer = {
    "anthony-hoo-github-posts-autodl-multi-gpu-interconnection-test-L176",
    "ml-engineering-debug-readme-L209",
};

std::string pairs_of(const PathMatrix& matrix, std::size_t gpus) {
  std::map<std::string, int> count;
  for (std::size_t a = 0; a < gpus; ++a) {
    for (std::size_t b = a + 1; b < gpus; ++b) {
      if (!matrix.cells[a][b].empty()) ++count[matrix.cells[a][b]];
    }
  }
  std::string text;
  for (const auto& [path, pairs] : count) {
    text += fmt::format("{}{}:{}", text.empty() ? "" : " ", path, pairs);
  }
  return text;
}

std::string nic_paths_of(const PathMatrix& matrix, std::size_t gpus) {
  std::string text;
  for (std::size_t i = gpus; i < matrix.names.size(); ++i) {
    text += (text.empty() ? "" : " ") + matrix.cells[0][i];
  }
  return text;
}

void check(const TopoFacts& facts) {
  const auto source = smi_sample(fmt::format("smi-topo/{}.txt", facts.name));
  ASSERT_TRUE(is_smi_topo(source->text));
  const auto host = read_with(read_smi_topo, source);
  ASSERT_TRUE(host) << input::render(host.error());
  EXPECT_EQ(count_of(*host, DeviceKind::kGpu), facts.gpus);
  EXPECT_EQ(count_of(*host, DeviceKind::kNic), facts.nics);
  ASSERT_TRUE(host->matrix);
  EXPECT_EQ(pairs_of(*host->matrix, facts.gpus), facts.pairs);
  EXPECT_EQ(nic_paths_of(*host->matrix, facts.gpus), facts.nics_of_gpu);
  EXPECT_EQ(host->matrix->cpu_list[0], facts.first_cpus);
  EXPECT_EQ(host->matrix->numa[0], facts.first_numa);
  EXPECT_EQ(host->matrix->cpu_list[facts.last], facts.last_cpus);
  EXPECT_EQ(host->matrix->numa[facts.last], facts.last_numa);
  EXPECT_EQ(value_of(host->unplaced[0].cpu_list), facts.first_cpus);
  EXPECT_EQ(value_of(host->unplaced[facts.last].gpu->index), facts.last);
  if (facts.nics == 0) return;
  const std::string port = value_of(host->unplaced[facts.gpus].ports.at(0).name);
  EXPECT_EQ(port, *facts.first_port ? facts.first_port : host->matrix->names[facts.gpus]);
}

using ExtraSmiTopoSamples = test::NeedsExtraFiles;

TEST_F(ExtraSmiTopoSamples, EachTellsWhatAReaderSees) {
  for (const TopoFacts& facts : kSamples) {
    SCOPED_TRACE(facts.name);
    check(facts);
  }
}

TEST_F(ExtraSmiTopoSamples, MatricesOfPeerToPeerAreRefusedWithTheReason) {
  for (const std::string& name : kPeerToPeer) {
    SCOPED_TRACE(name);
    const auto source = smi_sample(fmt::format("smi-topo/{}.txt", name));
    EXPECT_TRUE(is_smi_topo(source->text));
    EXPECT_FALSE(has_path_matrix(source->text));
    EXPECT_THAT(messages_of(read_with(read_smi_topo, source)),
                ElementsAre(HasSubstr("peer-to-peer works")));
  }
}

TEST_F(ExtraSmiTopoSamples, NoneIsLeftOut) {
  std::vector<std::string> known;
  for (const TopoFacts& facts : kSamples) known.push_back(fmt::format("{}.txt", facts.name));
  for (const std::string& name : kPeerToPeer) known.push_back(name + ".txt");
  EXPECT_THAT(known, ::testing::IsSupersetOf(smi_samples_in("smi-topo")));
}

/// Only copies that were cut, and only for being cut.
TEST_F(ExtraSmiTopoSamples, OnlyCutOnesGiveWarnings) {
  for (const TopoFacts& facts : kSamples) {
    SCOPED_TRACE(facts.name);
    const auto host =
        read_with(read_smi_topo, smi_sample(fmt::format("smi-topo/{}.txt", facts.name)));
    ASSERT_TRUE(host);
    const bool is_cut = std::string(facts.name).starts_with("TRUNC");
    EXPECT_EQ(host->warnings.empty(), !is_cut);
    for (const auto& message : messages_of(host)) {
      EXPECT_THAT(message, HasSubstr("its row is missing"));
    }
  }
}

TEST_F(ExtraSmiTopoSamples, AVmWithAllCpusHasNoNumaNode) {
  const auto host = read_with(read_smi_topo, smi_sample("smi-topo/aws-g5-48xlarge-L1.txt"));
  ASSERT_TRUE(host);
  EXPECT_FALSE(host->unplaced[0].numa_node);
  EXPECT_THAT(host->skipped, ElementsAre(HasSubstr("GPU0, GPU1, GPU2, GPU3, GPU4 and 3 more")));
}

}  // namespace smi_topo_samples_test
}  // namespace vgsim::topology::testing
