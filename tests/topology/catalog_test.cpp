#include "topology/catalog/catalog.hpp"

#include <gtest/gtest.h>

#include "tests/support/scenarios.hpp"
#include "topology/catalog/part_names.hpp"
#include "topology/input/typed.hpp"

namespace vgsim::topology {
namespace catalog_test {

using namespace literals;

const Catalog& catalog() { return *test::library().catalog; }

TEST(CatalogTest, PcieLanesFollowTheStandardsLineEncoding) {
  // Gen3 to Gen5: GT/s x 128/130 / 8, rounded to whole bytes per second.
  EXPECT_NEAR(static_cast<double>(catalog().pcie.at(3).lane_rate.value.count()),
              8e9 * 128 / 130 / 8, 1.0);
  EXPECT_NEAR(static_cast<double>(catalog().pcie.at(4).lane_rate.value.count()),
              16e9 * 128 / 130 / 8, 1.0);
  EXPECT_NEAR(static_cast<double>(catalog().pcie.at(5).lane_rate.value.count()),
              32e9 * 128 / 130 / 8, 1.0);
}

TEST(CatalogTest, NvLinkTotalsAreThoseOfTheDatasheets) {
  // Bidirectional totals: P100 160, V100 300, A100 600, H100 900, B200 1800 GB/s.
  const auto total = [](const char* name) {
    const GpuModel& gpu = catalog().gpus.at(name);
    return catalog().nvlinks.at(gpu.nvlink).link_bandwidth.value * gpu.nvlink_links * 2;
  };
  EXPECT_EQ(total("p100-sxm2-16gb"), 160_GBps);
  EXPECT_EQ(total("v100-sxm2-32gb"), 300_GBps);
  EXPECT_EQ(total("a100-sxm4-80gb"), 600_GBps);
  EXPECT_EQ(total("h100-sxm5-80gb"), 900_GBps);
  EXPECT_EQ(total("b200-sxm-180gb"), 1800_GBps);
}

TEST(CatalogTest, GpusOfOneNameDifferByTheirBoard) {
  // H100: 3.35 TB/s as SXM module, a little more than 2 TB/s as PCIe card; each half of an NVL pair
  // has 94 GB.
  const auto& gpus = catalog().gpus;
  const auto rate = [&](const char* name) {
    return static_cast<double>(gpus.at(name).memory_bandwidth.value.count());
  };
  EXPECT_NEAR(rate("h100-sxm5-80gb"), 3.35e12, 0.01e12);
  EXPECT_NEAR(rate("h100-pcie-80gb"), 2.0e12, 0.05e12);
  EXPECT_EQ(gpus.at("h100-nvl-94gb").memory.value, Bytes{94} * (std::int64_t{1} << 30));
}

/// A GPU can only have its links once: all of them on its board, or half and the rest to its CPU.
TEST(CatalogTest, BoardsConnectAllNvLinksOfTheirGpus) {
  using Kind = NvLinkLayout::Kind;
  for (const auto& [id, board] : catalog().boards) {
    for (const std::string& name : board.gpus) {
      const std::int64_t all = catalog().gpus.at(name).nvlink_links;
      ASSERT_GT(all, 0) << id;
      for (std::size_t g = 0; g < static_cast<std::size_t>(board.count); ++g) {
        std::int64_t used = all;  // on an NVSwitch
        if (board.nvlink.kind == Kind::kMesh)
          used = board.nvlink.links_per_pair * (board.count - 1);
        if (board.nvlink.kind == Kind::kMatrix) {
          const auto& links = board.nvlink.links;
          used = 0;
          for (std::size_t other = 0; other < links.size(); ++other) {
            used += links[g][other];
            EXPECT_EQ(links[g][other], links[other][g]) << id;
          }
        }
        const bool has_cpu_links = board.cpu_vendor == "ibm";
        EXPECT_LE(used, all) << id << " GPU " << g;
        EXPECT_GE(used, has_cpu_links ? all / 2 : all) << id << " GPU " << g;
      }
    }
  }
}

/// A number of an entry that no model reads.
std::int64_t number_of(const char* kind, const char* name, const char* field) {
  const input::Value entries = *input::find(catalog().documents.at(kind), "entries");
  const auto entry = input::find(*input::find(entries, name), field);
  return input::as_count(*input::find(*entry, "value"));
}

TEST(CatalogTest, PartsCountTheUnitsOfTheirVendors) {
  EXPECT_EQ(number_of("gpus", "h100-sxm5-80gb", "sm_count"), 132);
  EXPECT_EQ(number_of("gpus", "h100-pcie-80gb", "sm_count"), 114);
  // x16 root complexes of a socket.
  EXPECT_EQ(number_of("cpus", "intel-sapphire-rapids", "root_complexes"), 5);
  EXPECT_EQ(number_of("cpus", "intel-ice-lake-sp", "root_complexes"), 4);
}

TEST(CatalogTest, SocketsAreJoinedByAsManyLinksAsTheirGenerationHas) {
  const auto between = [](const char* name) {
    const CpuModel& cpu = catalog().cpus.at(name);
    return cpu.socket_link_bandwidth.value * cpu.socket_links;
  };
  // Skylake: 2 UPI links of 10.4 GT/s, 20.8 GB/s in each direction. EPYC: 4 xGMI links.
  EXPECT_NEAR(static_cast<double>(between("intel-skylake-sp").count()), 2 * 20.8e9, 1e6);
  EXPECT_GT(between("intel-sapphire-rapids"), between("intel-skylake-sp"));
  EXPECT_EQ(catalog().cpus.at("amd-rome").socket_links, 4);
  EXPECT_EQ(catalog().cpus.at("amd-genoa").socket_links, 4);
  EXPECT_GT(between("amd-genoa"), between("amd-rome"));
}

TEST(CatalogTest, FindsPartsByTheIdsInDumps) {
  ASSERT_NE(catalog().gpu_by_pci_id("10de:20b5"), nullptr);
  EXPECT_EQ(catalog().gpu_by_pci_id("10de:20b5")->id, "a100-pcie-80gb");
  ASSERT_NE(catalog().cpu_by_cpuid(6, 143), nullptr);
  EXPECT_EQ(catalog().cpu_by_cpuid(6, 143)->id, "intel-sapphire-rapids");
  EXPECT_EQ(catalog().gpu_by_pci_id("10de:0000"), nullptr);
}

TEST(CatalogTest, RdmaNicsUseInfiniBandVerbsUnlessStatedOtherwise) {
  const auto& nics = catalog().nics;
  EXPECT_EQ(nics.at("connectx-7-ndr-400g").net, NetKind::kIb);
  EXPECT_TRUE(nics.at("connectx-7-ndr-400g").gdr);
  EXPECT_EQ(nics.at("x710-10g").net, NetKind::kSocket);
  EXPECT_FALSE(nics.at("x710-10g").gdr);
  EXPECT_EQ(nics.at("efa-v2-100g").net, NetKind::kEfa);
  EXPECT_TRUE(nics.at("efa-v2-100g").gdr);
  EXPECT_FALSE(nics.at("efa-v1-100g").gdr) << "GPUDirect RDMA came with p4d";
}

TEST(CatalogTest, EveryValueOfEveryFileNamesASource) {
  for (const auto& [kind, document] : catalog().documents) {
    for (const auto& [name, key, entry] : input::find(document, "entries")->members()) {
      for (const auto& [field, location, value] : entry.members()) {
        if (value.member("value") == nullptr) continue;
        EXPECT_NE(value.member("source"), nullptr) << kind << " " << name << " " << field;
      }
    }
  }
}

TEST(CatalogTest, ReportsUnknownSourcesAndParts) {
  const auto file = input::make_source("datasets.json", R"({"kind": "datasets",
    "sources": {"a": {"title": "A", "evidence": "measured"}},
    "entries": {"d": {"name": "D", "samples": {"value": 1, "source": "b"}}}})");
  const auto catalog = Catalog::read({file});
  ASSERT_FALSE(catalog);
  const std::string text = input::render(catalog.error());
  EXPECT_NE(text.find("datasets.json:3:"), std::string::npos) << text;
  EXPECT_NE(text.find("unknown source \"b\""), std::string::npos) << text;
}

TEST(CatalogTest, FallsBackToTheNearestPcieGeneration) {
  Catalog catalog;
  EXPECT_THROW(static_cast<void>(catalog.nearest_pcie_generation(3)), std::out_of_range);
  catalog.pcie[3] = catalog.pcie[5] = {};
  EXPECT_EQ(catalog.nearest_pcie_generation(1), 3);
  EXPECT_EQ(catalog.nearest_pcie_generation(3), 3);
  EXPECT_EQ(catalog.nearest_pcie_generation(4), 5) << "the later of two";
  EXPECT_EQ(catalog.nearest_pcie_generation(6), 5);
}

TEST(CatalogTest, FindsGpusByTheNamesOfThePciIdList) {
  const auto id_of = [](std::string_view name) {
    const GpuModel* gpu = gpu_by_dumped_name(catalog(), name);
    return gpu == nullptr ? std::string() : gpu->id;
  };
  EXPECT_EQ(id_of("NVIDIA Corporation GA100 [A100 SXM4 40GB]"), "a100-sxm4-40gb");
  EXPECT_EQ(id_of("NVIDIA Corporation GH100 [H100 SXM5 80GB]"), "h100-sxm5-80gb");
  EXPECT_EQ(id_of("NVIDIA Corporation GV100GL [Tesla V100 SXM2 16GB]"), "v100-sxm2-16gb");
  EXPECT_EQ(id_of("NVIDIA Corporation AD102GL [L40S]"), "l40s");
  EXPECT_EQ(id_of("NVIDIA A100-SXM4-80GB"), "a100-sxm4-80gb") << "as the driver calls it";
  EXPECT_EQ(id_of("NVIDIA Corporation GA107GL [A2 / A16]"), "") << "either of two";
  EXPECT_EQ(id_of("NVIDIA Corporation Device 2335"), "");
}

}  // namespace catalog_test
}  // namespace vgsim::topology
