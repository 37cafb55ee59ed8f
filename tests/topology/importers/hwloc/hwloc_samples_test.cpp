#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <set>
#include <string>

#include "tests/support/extra.hpp"
#include "tests/topology/importers/pci_dump_fixture.hpp"
#include "topology/importers/hwloc/hwloc_xml.hpp"

/// Topologies of real machines. What they hold was counted and read in the files by other means.
namespace vgsim::topology {
namespace hwloc_samples_test {

using inventory::DeviceKind;
using pci_testing::any_has;
using pci_testing::codes_of;
using pci_testing::count_of;
using pci_testing::device_at;
using pci_testing::Imported;
using pci_testing::links_of;
using pci_testing::numa_of;
using pci_testing::shape_of;
using pci_testing::words_of;

const std::string kFolder = (test::extra_files() / "topologies/hwloc/").string();

struct Counts {
  const char* file;
  std::size_t gpus;
  std::size_t nics;
  std::size_t nvswitches;
  std::size_t drives;
  std::ptrdiff_t numa_nodes;  ///< with CPUs
  std::int64_t packages;
  std::int64_t cores;  ///< 0: not listed
  std::int64_t threads;
};

constexpr Counts kCounts[] = {
    {"fluxcore-ipa20.xml", 4, 6, 0, 1, 8, 2, 112, 224},
    {"fluxsched-rsmi_corona240.xml", 8, 3, 0, 1, 2, 2, 48, 96},
    {"hwloc-24em64t-pci.xml", 3, 2, 0, 0, 2, 2, 12, 24},
    {"hwloc-32em64t-pci-normalio.xml", 4, 3, 0, 0, 2, 2, 16, 32},
    {"hwloc-32em64t-pci-wholeio.xml", 4, 3, 0, 0, 2, 2, 16, 32},
    {"hwloc-96em64t-pci.xml", 0, 8, 0, 0, 4, 16, 96, 96},
    {"hwloc-cxlmem-dax.v2.xml", 0, 1, 0, 0, 1, 1, 4, 4},
    {"hwloc-nvidiaDGX2.xml", 16, 0, 12, 0, 2, 2, 4, 4},
    {"hwloc-power8gpudistances.xml", 4, 0, 0, 0, 2, 2, 8, 16},
    {"infragraph-DGX2H-16nvml-1nvswitch-10ib.xml", 16, 12, 12, 10, 2, 2, 48, 96},
    {"infragraph-supermicro.xml", 1, 4, 0, 0, 2, 2, 64, 128},
    {"mpibind-cascade-lake-ap-snl-hwloc1.xml", 0, 0, 0, 0, 4, 4, 96, 192},
    {"mpibind-coral-ea-hwloc1.xml", 4, 4, 0, 0, 2, 2, 20, 160},
    {"mpibind-cts1-pascal.xml", 2, 3, 0, 0, 2, 2, 36, 72},
    {"mpibind-eas-tioga.xml", 8, 5, 0, 16, 4, 1, 64, 128},
    {"mpibind-epyc-corona-p2.xml", 8, 3, 0, 1, 2, 2, 48, 96},
    {"mpibind-epyc-corona.xml", 4, 3, 0, 1, 8, 2, 48, 96},
    {"nixl-aws-c5n.18xl.xml", 0, 2, 0, 1, 2, 2, 0, 0},
    {"nixl-aws-g5.48xl.xml", 8, 2, 0, 3, 2, 2, 0, 0},
    {"nixl-aws-p4d.24xl.xml", 8, 8, 0, 9, 2, 2, 0, 0},
    {"prrte-test-topo.xml", 0, 2, 0, 2, 4, 2, 176, 176},
    {"prrte-turin-4gpu-nvml.xml", 4, 7, 0, 2, 8, 2, 128, 256},
    {"prrte-turin-4gpu.xml", 4, 7, 0, 2, 8, 2, 128, 256},
};

class ExtraHwlocSamples : public test::NeedsExtraFiles {
 protected:
  static Imported read(const std::string& name) {
    return read_hwloc_xml(pci_testing::sample(kFolder + name));
  }
};

TEST_F(ExtraHwlocSamples, HaveTheirDevicesAndCpus) {
  for (const Counts& counts : kCounts) {
    SCOPED_TRACE(counts.file);
    const Imported host = read(counts.file);
    ASSERT_TRUE(host) << codes_of(host);
    EXPECT_EQ(count_of(*host, DeviceKind::kGpu), counts.gpus);
    EXPECT_EQ(count_of(*host, DeviceKind::kNic), counts.nics);
    EXPECT_EQ(count_of(*host, DeviceKind::kNvSwitch), counts.nvswitches);
    EXPECT_EQ(count_of(*host, DeviceKind::kStorage), counts.drives);
    const auto nodes =
        std::count_if(host->numa_nodes.begin(), host->numa_nodes.end(),
                      [](const inventory::NumaNode& node) { return node.id.has_value(); });
    EXPECT_EQ(nodes, counts.numa_nodes);
    EXPECT_EQ(host->packages->value, counts.packages);
    EXPECT_EQ(host->cores ? host->cores->value : 0, counts.cores);
    EXPECT_EQ(host->threads ? host->threads->value : 0, counts.threads);
  }
}

TEST_F(ExtraHwlocSamples, AreAllCovered) {
  std::set<std::string> read_ones;
  for (const Counts& counts : kCounts) read_ones.insert(counts.file);
  std::size_t refused = 0;
  for (const auto& file : std::filesystem::directory_iterator(kFolder)) {
    const std::string name = file.path().filename();
    SCOPED_TRACE(name);
    if (read_ones.contains(name)) {
      EXPECT_TRUE(is_hwloc_xml(pci_testing::sample(file.path())->text));
      continue;
    }
    const bool version_3 = name.ends_with(".v3.xml");
    EXPECT_TRUE(version_3 || name.ends_with(".console.txt"));
    EXPECT_EQ(codes_of(read(name)), version_3 ? "E535" : "E531");
    EXPECT_EQ(is_hwloc_xml(pci_testing::sample(file.path())->text), version_3);
    ++refused;
  }
  EXPECT_GE(refused, 12u);
}

TEST_F(ExtraHwlocSamples, AServerWithFourH100InFourNodesPerSocket) {
  const Imported host = read("fluxcore-ipa20.xml");
  ASSERT_TRUE(host);
  EXPECT_EQ(host->model->value, "PowerEdge XE8640");
  EXPECT_EQ(shape_of(host->numa_nodes[3].devices), "49:00.0(4b:00.0 4d:00.0 4d:00.1 4e:00.0)");
  EXPECT_EQ(host->numa_nodes[3].cpu_list->value, "42-55,154-167");
  EXPECT_EQ(host->numa_nodes[3].package->value, 0);
  EXPECT_EQ(numa_of(*host, "0000:5f:00.0"), "1");
  EXPECT_EQ(numa_of(*host, "0000:db:00.0"), "5");
  EXPECT_EQ(numa_of(*host, "0000:cb:00.0"), "7");
  EXPECT_EQ(links_of(device_at(*host, "0000:4e:00.0")),
            "0000:5f:00.0 x6, 0000:cb:00.0 x6, 0000:db:00.0 x6");
  EXPECT_EQ(device_at(*host, "0000:cb:00.0").gpu->index->value, 2);
  EXPECT_EQ(words_of(device_at(*host, "0000:4e:00.0").link_now), "gen5 x16");
  EXPECT_EQ(device_at(*host, "0000:5e:00.0").ports[0].name->value, "mlx5_2");
  EXPECT_EQ(device_at(*host, "0000:5e:00.0").ports[0].guid->value, "0xa088c2030009704e");
}

TEST_F(ExtraHwlocSamples, ADgx2HasSixLinksToSixSwitchesFromEachGpu) {
  for (const char* name : {"hwloc-nvidiaDGX2.xml", "infragraph-DGX2H-16nvml-1nvswitch-10ib.xml"}) {
    SCOPED_TRACE(name);
    const Imported host = read(name);
    ASSERT_TRUE(host);
    EXPECT_EQ(links_of(device_at(*host, "0000:34:00.0")),
              "0000:61:00.0 x1, 0000:62:00.0 x1, 0000:63:00.0 x1, 0000:65:00.0 x1, "
              "0000:66:00.0 x1, 0000:67:00.0 x1");
    EXPECT_EQ(device_at(*host, "0000:34:00.0").gpu->nvlinks[4].target_class->value, "0680");
    EXPECT_EQ(links_of(device_at(*host, "0000:e7:00.0")),
              "0000:c1:00.0 x1, 0000:c2:00.0 x1, 0000:c3:00.0 x1, 0000:c5:00.0 x1, "
              "0000:c6:00.0 x1, 0000:c7:00.0 x1");
    const auto paths = pci_testing::gpu_paths(*host);
    EXPECT_EQ(paths[0][1], "PIX");
    EXPECT_EQ(paths[0][2], "PXB");
    EXPECT_EQ(paths[0][4], "NODE");
    EXPECT_EQ(paths[0][8], "SYS");
    EXPECT_EQ(words_of(device_at(*host, "0000:34:00.0").link_now), "gen3 x16 (assumed)");
  }
}

TEST_F(ExtraHwlocSamples, ADgx2HasItsNicsBesideTheGpus) {
  const Imported host = read("infragraph-DGX2H-16nvml-1nvswitch-10ib.xml");
  ASSERT_TRUE(host);
  EXPECT_EQ(shape_of({device_at(*host, "0000:2c:00.0")}),
            "2c:00.0(2e:00.0 2f:00.0 32:00.0(34:00.0 35:00.0 36:00.0) "
            "37:00.0(39:00.0 3a:00.0 3b:00.0))");
  EXPECT_EQ(device_at(*host, "0000:35:00.0").ports[0].name->value, "mlx5_1");
  EXPECT_EQ(device_at(*host, "0000:2c:00.0").slot->value, "102");
  EXPECT_EQ(words_of(device_at(*host, "0000:2e:00.0").link_now), "gen3 x4 (assumed)");
}

TEST_F(ExtraHwlocSamples, APower8ServerLinksItsGpusInPairs) {
  const Imported host = read("hwloc-power8gpudistances.xml");
  ASSERT_TRUE(host);
  EXPECT_EQ(host->numa_nodes[0].arch->value, "ppc64");
  EXPECT_EQ(links_of(device_at(*host, "0002:01:00.0")), "0003:01:00.0 x2");
  EXPECT_EQ(links_of(device_at(*host, "000b:01:00.0")), "000a:01:00.0 x2");
  EXPECT_TRUE(any_has(host->skipped, "such as a CPU"));
  EXPECT_EQ(device_at(*host, "0002:01:00.0").root_complex->value, "0002:00");
}

TEST_F(ExtraHwlocSamples, FourBridgedH200BehindTheirNics) {
  const Imported host = read("prrte-turin-4gpu-nvml.xml");
  ASSERT_TRUE(host);
  EXPECT_EQ(shape_of(host->numa_nodes[1].devices), "01:00.0(03:00.0 04:00.0(06:00.0))");
  EXPECT_EQ(host->numa_nodes[1].family->value, 191);
  EXPECT_EQ(links_of(device_at(*host, "0000:06:00.0")),
            "0000:16:00.0 x6, 0000:96:00.0 x6, 0000:e6:00.0 x6");
  EXPECT_EQ(device_at(*host, "0000:06:00.0").gpu->memory->value,
            Bytes(std::int64_t{146593728} * 1024));
  EXPECT_EQ(words_of(device_at(*host, "0000:71:00.0").link_now), "gen5 x4 (assumed)");
}

TEST_F(ExtraHwlocSamples, AnMi250NodeHasEightLinkedGpus) {
  const Imported host = read("mpibind-eas-tioga.xml");
  ASSERT_TRUE(host);
  for (const inventory::Device* gpu : pci_testing::all_of(*host, DeviceKind::kGpu)) {
    EXPECT_EQ(gpu->gpu->nvlinks.size(), 7u);
    EXPECT_TRUE(gpu->gpu->xgmi);
  }
  EXPECT_EQ(numa_of(*host, "0000:d1:00.0"), "0");
  EXPECT_EQ(device_at(*host, "0000:d1:00.0").gpu->index->value, 4);
  EXPECT_EQ(numa_of(*host, "0000:c1:00.0"), "3");
  // Behind two switches: 11f8:4028, then 11f8:4200.
  EXPECT_EQ(shape_of({device_at(*host, "0000:91:00.0")}).substr(0, 34),
            "91:00.0(94:00.0 98:00.0(9a:00.0 9b");
}

TEST_F(ExtraHwlocSamples, AmazonShowsNoBridges) {
  const Imported flat = read("nixl-aws-g5.48xl.xml");
  ASSERT_TRUE(flat);
  EXPECT_EQ(numa_of(*flat, "0000:00:16.0"), "none");
  EXPECT_EQ(words_of(device_at(*flat, "0000:00:16.0").link_now), "gen1 x8 (assumed)");
  EXPECT_TRUE(any_has(flat->skipped, "opencl0d"));
  EXPECT_TRUE(any_has(flat->skipped, "whose CPUs are not all in the file"));
  const Imported pairs = read("nixl-aws-p4d.24xl.xml");
  ASSERT_TRUE(pairs);
  const auto paths = pci_testing::gpu_paths(*pairs);
  EXPECT_EQ(paths[0][1], "PIX");  // on one bus
  EXPECT_EQ(paths[0][2], "NODE");
  EXPECT_EQ(paths[0][4], "SYS");
  EXPECT_EQ(device_at(*pairs, "0000:90:1b.0").ports[0].name->value, "rdmap144s27");
}

TEST_F(ExtraHwlocSamples, VersionOneLacksNamesAndSpeeds) {
  const Imported host = read("mpibind-coral-ea-hwloc1.xml");
  ASSERT_TRUE(host);
  EXPECT_TRUE(any_has(host->skipped, "hwloc 1"));
  EXPECT_EQ(words_of(device_at(*host, "0002:01:00.0").link_now), "");
  EXPECT_EQ(numa_of(*host, "0002:01:00.0"), "0");
  EXPECT_EQ(numa_of(*host, "0006:01:00.0"), "1");
  EXPECT_EQ(shape_of({device_at(*host, "0005:01:00.0")}), "01:00.0(07:00.0 07:00.1)");
}

TEST_F(ExtraHwlocSamples, AnMi50IsBehindASwitchOfItsOwn) {
  const Imported host = read("fluxsched-rsmi_corona240.xml");
  ASSERT_TRUE(host);
  EXPECT_EQ(shape_of(host->numa_nodes[0].devices),
            "01:00.0(03:00.0) 21:00.0 25:00.0(27:00.0) 41:00.0(43:00.0) 61:00.0(63:00.0)");
  EXPECT_EQ(device_at(*host, "0000:63:00.0").gpu->index->value, 0);
  EXPECT_EQ(words_of(device_at(*host, "0000:63:00.0").link_now), "gen4 x16 (assumed)");
  EXPECT_EQ(host->numa_nodes[0].family->value, 143);
}

TEST_F(ExtraHwlocSamples, AzureGivesEachDeviceADomain) {
  const Imported host = read("prrte-test-topo.xml");
  ASSERT_TRUE(host);
  EXPECT_EQ(device_at(*host, "0101:00:00.0").root_complex->value, "0101:00");
  EXPECT_EQ(device_at(*host, "0101:00:00.0").ports[0].name->value, "mlx5_ib0");
  EXPECT_EQ(host->numa_nodes[0].cores->value, 44);
}

}  // namespace hwloc_samples_test
}  // namespace vgsim::topology
