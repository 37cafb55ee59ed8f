#include <gmock/gmock.h>

#include <filesystem>
#include <map>
#include <set>

#include "tests/support/extra.hpp"
#include "tests/support/scenarios.hpp"
#include "tests/tools/program.hpp"
#include "tools/cli/commands/server_comparison.hpp"
#include "tools/cli/import/imported.hpp"
#include "tools/cli/import/read_files.hpp"
#include "tools/cli/output.hpp"
#include "topology/importers/topology_file/topology_file.hpp"
#include "topology/machine/device_names.hpp"
#include "topology/machine/path_classes.hpp"

namespace vgsim::cli {
namespace import_samples_test {

namespace fs = std::filesystem;
namespace inventory = topology::inventory;

const fs::path kShared = test::extra_files();

std::vector<fs::path> files_below(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  return files;
}

std::size_t times(const std::string& text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != text.npos; ++at) ++count;
  return count;
}

using ExtraImportSamples = test::NeedsExtraFiles;

TEST_F(ExtraImportSamples, EveryDumpIsOfTheFormatOfItsFolder) {
  const std::map<std::string, std::set<std::string>> formats = {
      {"topologies/nccl-xml", {"nccl-xml"}},
      {"topologies/nccl-graph", {"nccl-graph"}},
      {"topologies/smi-topo", {"nvidia-smi"}},
      {"topologies/nvidia-smi", {"nvidia-smi"}},
      {"topologies/hwloc", {"hwloc"}},
      {"topologies/lspci", {"lspci-vvv", "lspci-tree"}},
      {"topologies/vsphere/vmx", {"vmx"}},
      {"topologies/vsphere/ovf", {"ovf"}},
      {"topologies/vsphere/esxcli", {"esxcli"}},
      {"topologies/vsphere/rvtools", {"rvtools"}},
      {"topologies/vsphere/govc", {"vim"}},
      {"topologies/vsphere/vcsim", {"vim", ""}},
      {"topologies/vsphere/api", {"vim", ""}},
      {"topologies/fabric", {""}},
      {"logs", {"log"}},
  };
  for (const auto& [folder, expected] : formats) {
    for (const fs::path& path : files_below(kShared / folder)) {
      const ImportFormat* format = format_of(test::read_file(path));
      EXPECT_THAT(expected, ::testing::Contains(format == nullptr ? "" : format->word)) << path;
    }
  }
}

TEST_F(ExtraImportSamples, WhatIsRefusedIsRefusedForAReason) {
  const std::map<std::string, std::string> refused = {
      {"dcp-metrics-included.csv", "E531"},
      {"hwloc-nvidiagpunumanodes.console.txt", "E531"},
      {"TRUNC-nccltests256-kvm-h200-vm.xml", "E502"},
      {"topo-p2p-n-h200x8.txt", "E532"},
      {"anthony-hoo-github-posts-autodl-multi-gpu-interconnection-test-L176.txt", "E532"},
      {"ml-engineering-debug-readme-L209.txt", "E532"},
      {"collect-extraConfig-devgroup4.json", "E532"},
      {"vHost-header-4.7.csv", "E532"},
      {"vInfo-header-4.7-prefix.csv", "E532"},
      {"vNetwork-header-4.7.csv", "E532"},
      {"ib_traffic_topo_aware_ibnetdiscover.txt", "E536"},
      {"ib_traffic_topo_aware_ibstat.txt", "E536"},
      {"device.ls-devgroup4.txt", "E536"},
      {"device.pci.ls-devgroup4.txt", "E536"},
      {"vim-device-keys.txt", "E536"},
      {"vim25-types-digest.txt", "E536"},
  };
  std::size_t imported = 0;
  for (const char* folder : {"topologies", "logs"}) {
    for (const fs::path& path : files_below(kShared / folder)) {
      const std::string name = path.filename().string();
      if (name == "PROVENANCE.tsv") continue;
      const auto read = read_inventories({path.string()}, std::nullopt);
      std::string code = read ? "" : read.error().items().front().code;
      const auto known = refused.find(name);
      const std::string expected = known != refused.end()              ? known->second
                                   : name.find(".v3.xml") != name.npos ? "E535"
                                                                       : "";
      EXPECT_EQ(code, expected) << path;
      imported += code.empty();
    }
  }
  EXPECT_GT(imported, 200u);
}

TEST_F(ExtraImportSamples, NcclFilesGiveAsManyGpusPortsAndLinksAsTheyList) {
  for (const fs::path& path : files_below(kShared / "topologies/nccl-xml")) {
    const auto read = read_inventories({path.string()}, std::nullopt);
    if (!read) continue;
    const std::string text = test::read_file(path);
    std::size_t gpus = 0;
    std::size_t ports = 0;
    std::size_t links = 0;
    for (const auto& host : read->hosts) {
      inventory::for_each_device(host, [&](const inventory::Device& device) {
        gpus += device.gpu.has_value();
        ports += device.ports.size();
        if (device.gpu) links += device.gpu->nvlinks.size();
      });
    }
    EXPECT_EQ(gpus, times(text, "<gpu ")) << path;
    EXPECT_EQ(ports, times(text, "<net ")) << path;
    EXPECT_EQ(links, times(text, "<nvlink ") + times(text, "<xgmi ")) << path;
  }
}

TEST_F(ExtraImportSamples, TheTreeOfAMatrixGivesTheMatrix) {
  // In these VMs SYS is between GPUs of one NUMA node, which no tree can reproduce; importing
  // them warns.
  const std::set<std::string> contradictory = {
      "inference-results-go-2xrtx4090-reference-cpu-pytorch-v2-2-1-default-co-L2.txt",
      "awesome-ml-sys-tut-nccl-readme-L104.txt"};
  for (const fs::path& path : files_below(kShared / "topologies/smi-topo")) {
    const auto read = read_inventories({path.string()}, std::nullopt);
    if (!read || path.filename().string().starts_with("TRUNC")) continue;
    ASSERT_EQ(read->hosts.size(), 1u) << path;
    const auto& host = read->hosts.front();
    EXPECT_EQ(inventory::differences(*host.matrix, inventory::path_classes(host)).empty(),
              !contradictory.contains(path.filename().string()))
        << path;
  }
}

/// Measured AllReduce of 1 GiB on eight GPUs of a board (tests/cases: nvsw-vtrain-a100-n8,
/// nvsw-8xH100-nccltests290, nvsw-8xB200-vultr, hcm-vtrain-v100-n8), in milliseconds.
const std::map<std::string, double> kMeasured = {{"8 a100-sxm4", 8.19},
                                                 {"8 h100-sxm5", 4.04},
                                                 {"8 h200-sxm5", 4.04},
                                                 {"8 b200-sxm", 2.60},
                                                 {"8 v100-sxm2", 13.97}};

TEST_F(ExtraImportSamples, BoardsWithoutNvLinksInTheDumpAreAsFastAsMeasured) {
  const test::Scratch scratch;
  const std::string host = scratch.file("host.json");
  const std::string scenario = R"({"name": "x", "hosts": {"h": {"topology": ")" + host +
                               R"("}}, "job": {"collective": "all_reduce", "sizes": ["1 GiB"]}})";
  std::size_t compared = 0;
  for (const char* folder : {"nccl-xml", "hwloc", "lspci", "nvidia-smi"}) {
    for (const fs::path& path : files_below(kShared / "topologies" / folder)) {
      const auto read = read_inventories({path.string()}, std::nullopt);
      if (!read || read->hosts.size() != 1) continue;
      write_result(to_topology_text(read->hosts.front()), host);
      const auto result = test::try_run(scenario, scratch.file("scenario.json"));
      if (!result) continue;  // AMD's, or without data on GPUs
      const auto& layout = result->layouts.front();
      for (const topology::OpenPoint& open : layout.open) {
        for (const auto& [gpus, milliseconds] : kMeasured) {
          if (open.text.find("the NVLinks of " + gpus) == open.text.npos) continue;
          const double seconds = to_seconds(layout.collective->points.front().time);
          EXPECT_NEAR(seconds * 1e3, milliseconds, 0.15 * milliseconds) << path;
          ++compared;
        }
      }
    }
  }
  EXPECT_GE(compared, 7u);
}

/// Files of one machine: a tree and what nvidia-smi showed there.
TEST_F(ExtraImportSamples, TheMatrixOfATreeIsThatOfNvidiaSmi) {
  for (const auto& [tree, matrix] : {std::pair{"nccl-xml/simllm-vastai-hgx-h200x8.xml",
                                               "smi-topo/simllm-vastai-h200x8-vf-nics.txt"},
                                     {"lspci/rtx6kpro-asus-esc8000a-vvv.txt",
                                      "smi-topo/rtx6kpro-asus-report-nvidia-topo-L1.txt"}}) {
    const auto read = read_inventories(
        {(kShared / "topologies" / tree).string(), (kShared / "topologies" / matrix).string()},
        std::nullopt);
    ASSERT_TRUE(read) << input::render(read.error());
    ASSERT_EQ(read->hosts.size(), 1u);
    const auto& host = read->hosts.front();
    EXPECT_EQ(inventory::gpus_in_order(host).size(), 8u);
    EXPECT_THAT(inventory::differences(*host.matrix, inventory::path_classes(host)),
                ::testing::IsEmpty())
        << tree;
  }
}

TEST_F(ExtraImportSamples, ServersOfTheCatalogueHaveThePathClassesOfTheirDumps) {
  for (const auto& [dump, server] : {std::pair{"infragraph-dgx-a100", "dgx-a100"},
                                     {"azure-ndv2", "azure-ndv2"},
                                     {"azure-ndv4", "azure-ndv4"},
                                     {"azure-ndv5", "azure-nd-h100-v5"},
                                     {"aws-p4d-24xl", "aws-p4d"},
                                     {"mlperfv2.0-Dell-bert-xe8545-nic-affinity", "dell-xe8545"},
                                     {"oci-topo-flattened-b4", "oci-bm-gpu-b4-8"},
                                     {"simllm-vastai-hgx-h200x8", "dgx-h200"}}) {
    const fs::path path = kShared / "topologies/nccl-xml" / (std::string(dump) + ".xml");
    const auto read = read_inventories({path.string()}, std::nullopt);
    ASSERT_TRUE(read) << path;
    const auto text = server_comparison(read->hosts.front(), server, *test::library().catalog);
    ASSERT_TRUE(text) << input::render(text.error());
    EXPECT_THAT(*text, ::testing::HasSubstr(": 0 of ")) << dump << '\n' << *text;
  }
}

}  // namespace import_samples_test
}  // namespace vgsim::cli
