
#include "smi_fixture.hpp"
#include "tests/support/extra.hpp"
#include "topology/importers/smi/smi_parts.hpp"
#include "topology/importers/smi/smi_text.hpp"

namespace vgsim::topology::testing {
namespace smi_samples_test {

using inventory::DeviceKind;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// What a reader of the file sees of its first GPU.
struct GpuFacts {
  const char* file;
  std::size_t gpus;
  const char* driver;
  const char* bus_id;
  const char* name;
  const char* ids;  ///< device:vendor and subsystem device:vendor
  const char* pci_class;
  const char* link;
  const char* link_now;
  std::int64_t mebibytes;
  const char* virtualization;
  std::int64_t module_id;   ///< -1: unknown
  std::int64_t sm;          ///< 0: unknown
  std::int64_t nvlinks_up;  ///< -1: unknown
};

const std::vector<GpuFacts> kSamples = {
    {"capture-linux-x86_64__nvidia-h100-80gb-hbm3__590.48.01.txt", 1, "590.48.01", "0000:00:09.0",
     "NVIDIA H100 80GB HBM3", "2330:10de 16c1:10de", "0302", "gen5 x16", "gen5 x16", 81559,
     "Pass-Through", 7, 90, 18},
    {"capture-linux-x86_64__nvidia-h100-mig__590.48.01.txt", 1, "590.48.01", "0000:00:09.0",
     "NVIDIA H100 80GB HBM3", "2330:10de 16c1:10de", "0302", "gen5 x16", "gen5 x16", 81559,
     "Pass-Through", 7, 90, -1},
    {"capture-linux-x86_64__nvidia-h200__590.48.01.txt", 1, "590.48.01", "0000:83:00.0",
     "NVIDIA H200", "2335:10de 18be:10de", "0302", "gen5 x16", "gen5 x16", 143771, "Pass-Through",
     1, 90, 18},
    {"capture-linux-x86_64__nvidia-l40s__595.80.txt", 1, "595.80", "0000:01:00.0", "NVIDIA L40S",
     "26b9:10de 1851:10de", "0302", "gen4 x16", "gen4 x16", 46068, "Pass-Through", 1, 89, 0},
    {"nvlink-R-h200-gpu0.txt", 1, "", "", "NVIDIA H200", ": :", "", "-", "-", 0, "", -1, 0, -1},
    {"nvlink-s-h200-2gpus.txt", 2, "", "", "NVIDIA H200", ": :", "", "-", "-", 0, "", -1, 0, 18},
    {"q-x-k8sinfra-a100.xml", 1, "570.148.08", "0000:06:00.0", "NVIDIA A100-SXM4-40GB",
     "20b0:10de 134f:10de", "0302", "gen4 x16", "gen4 x16", 40960, "Pass-Through", 7, 0, -1},
    {"q-x-k8sinfra-b200.xml", 8, "580.105.08", "0000:8f:00.0", "NVIDIA B200", "2901:10de 1999:10de",
     "0302", "gen5 x16", "gen5 x16", 183359, "Pass-Through", 6, 0, -1},
    {"q-x-k8sinfra-gb200.xml", 4, "580.173.02", "0000:29:00.0", "NVIDIA GB200",
     "2941:10de 2046:10de", "0302", "gen5 x16", "gen5 x16", 189471, "Pass-Through", 2, 0, -1},
    {"q-x-k8sinfra-gb300.xml", 4, "580.173.02", "0008:06:00.0", "NVIDIA GB300",
     "31c2:10de 21f1:10de", "0302", "gen6 x16", "gen6 x16", 284208, "None", 2, 0, -1},
    {"q-x-k8sinfra-h100.xml", 8, "580.105.08", "0000:53:00.0", "NVIDIA H100 80GB HBM3",
     "2330:10de 16c1:10de", "0302", "gen5 x16", "gen5 x16", 81559, "Pass-Through", 7, 0, -1},
    {"q-x-k8sinfra-qx-gb200-fabric-degraded.xml", 2, "580.65.06", "0000:0a:00.0", "NVIDIA GB200",
     "2341:10de 1817:10de", "0302", "gen6 x16", "gen6 x16", 196608, "None", 1, 0, -1},
    {"q-x-telegraf-gtx-1070-ti.xml", 1, "", "0000:01:00.0", "GeForce GTX 1070 Ti", ": :", "", "-",
     "gen1 x16", 4096, "", -1, 0, -1},
    {"q-x-telegraf-quadro-p2000-v12.xml", 1, "525.125.06", "0000:17:00.0", "Quadro P2000",
     "1c30:10de 11b3:1028", "", "gen3 x16", "gen1 x8", 5120, "None", 1, 0, -1},
    {"q-x-telegraf-rtx-3080-v13.xml", 1, "595.58.03", "0000:0c:00.0", "NVIDIA GeForce RTX 3080",
     "2216:10de 1612:19da", "0300", "gen4 x16", "gen4 x16", 10240, "None", 1, 0, -1},
    {"q-x-telegraf-tesla-t4.xml", 1, "515.105.01", "0000:00:1e.0", "Tesla T4",
     "1eb8:10de 12a2:10de", "", "gen3 x16", "gen3 x8", 15360, "Pass-Through", 0, 0, -1},
};

constexpr const char* kPeerToPeer = "topo-p2p-n-h200x8.txt";

SmiResult read(const char* file) {
  return read_smi_text(smi_sample(fmt::format("nvidia-smi/{}", file)));
}

void check(const GpuFacts& facts) {
  ASSERT_TRUE(is_smi_text(smi_sample(fmt::format("nvidia-smi/{}", facts.file))->text));
  const auto host = read(facts.file);
  ASSERT_TRUE(host) << input::render(host.error());
  EXPECT_EQ(count_of(*host, DeviceKind::kGpu), facts.gpus);
  EXPECT_EQ(host->unplaced.size(), facts.gpus);
  EXPECT_EQ(value_of(host->driver), facts.driver);
  const auto& device = host->unplaced.at(0);
  EXPECT_EQ(device.bus_id, facts.bus_id);
  EXPECT_EQ(value_of(device.name), facts.name);
  EXPECT_EQ(fmt::format("{}:{} {}:{}", value_of(device.device), value_of(device.vendor),
                        value_of(device.subsystem_device), value_of(device.subsystem_vendor)),
            facts.ids);
  EXPECT_EQ(value_of(device.pci_class), facts.pci_class);
  EXPECT_EQ(link_of(device.link), facts.link);
  EXPECT_EQ(link_of(device.link_now), facts.link_now);
  const auto& gpu = *device.gpu;
  EXPECT_EQ(value_of(gpu.index), 0);
  EXPECT_EQ(value_of(gpu.memory).count() >> 20, facts.mebibytes);
  EXPECT_EQ(value_of(gpu.virtualization), facts.virtualization);
  EXPECT_EQ(gpu.module_id ? gpu.module_id->value : -1, facts.module_id);
  EXPECT_EQ(value_of(gpu.sm), facts.sm);
  EXPECT_EQ(gpu.nvlinks_up ? gpu.nvlinks_up->value : -1, facts.nvlinks_up);
}

using ExtraSmiSamples = test::NeedsExtraFiles;

TEST_F(ExtraSmiSamples, EachTellsWhatAReaderSees) {
  for (const GpuFacts& facts : kSamples) {
    SCOPED_TRACE(facts.file);
    check(facts);
  }
}

TEST_F(ExtraSmiSamples, NoneIsLeftOut) {
  std::vector<std::string> known = {kPeerToPeer};
  for (const GpuFacts& facts : kSamples) known.emplace_back(facts.file);
  EXPECT_THAT(known, ::testing::IsSupersetOf(smi_samples_in("nvidia-smi")));
}

TEST_F(ExtraSmiSamples, PeerToPeerIsRefusedWithTheReason) {
  EXPECT_THAT(messages_of(read(kPeerToPeer)), ElementsAre(HasSubstr("peer-to-peer works")));
}

TEST_F(ExtraSmiSamples, OnlyTheseAreOdd) {
  for (const GpuFacts& facts : kSamples) {
    SCOPED_TRACE(facts.file);
    const std::string file = facts.file;
    if (file == "q-x-k8sinfra-gb300.xml") {
      EXPECT_THAT(messages_of(read(facts.file)),
                  ElementsAre("The stated root port is slower than the running link and is "
                              "ignored: 0008:06:00.0, 0009:06:00.0, 0018:06:00.0, 0019:06:00.0"));
    } else if (file == "q-x-k8sinfra-qx-gb200-fabric-degraded.xml") {
      EXPECT_THAT(messages_of(read(facts.file)),
                  ElementsAre("The NVLink fabric is not in order (health: Unhealthy): 0000:0b:00.0",
                              "The NVLink fabric is not in order (unhealthy route: True): "
                              "0000:0b:00.0"));
    } else {
      EXPECT_THAT(messages_of(read(facts.file)), IsEmpty());
    }
  }
}

TEST_F(ExtraSmiSamples, ModuleIdsAreNotNumbers) {
  const auto host = read("q-x-k8sinfra-b200.xml");
  ASSERT_TRUE(host);
  std::vector<std::int64_t> modules;
  for (const auto& device : host->unplaced) modules.push_back(value_of(device.gpu->module_id));
  EXPECT_THAT(modules, ElementsAre(6, 8, 7, 5, 2, 4, 3, 1));
  EXPECT_EQ(value_of(host->unplaced[7].gpu->index), 7);
}

TEST_F(ExtraSmiSamples, AGpuHasFiveFiveFourAndFourLinksToTheFourSwitches) {
  const auto host = read("nvlink-R-h200-gpu0.txt");
  ASSERT_TRUE(host);
  EXPECT_THAT(peers_of(*host->unplaced[0].gpu), ElementsAre("0000:c5:00.0 x5", "0000:c4:00.0 x5",
                                                            "0000:c3:00.0 x4", "0000:c6:00.0 x4"));
}

TEST_F(ExtraSmiSamples, CapturesHoldTheMatrixToo) {
  const auto cpus = [](const char* file) {
    const auto host = read(file);
    if (!host || !host->matrix) return std::string("none");
    return value_of(host->unplaced[0].cpu_list);
  };
  EXPECT_EQ(cpus("capture-linux-x86_64__nvidia-h100-80gb-hbm3__590.48.01.txt"), "0-19");
  EXPECT_EQ(cpus("capture-linux-x86_64__nvidia-h100-mig__590.48.01.txt"), "0-19");
  EXPECT_EQ(cpus("capture-linux-x86_64__nvidia-h200__590.48.01.txt"), "0-23");
  EXPECT_EQ(cpus("capture-linux-x86_64__nvidia-l40s__595.80.txt"), "0-7");
}

TEST_F(ExtraSmiSamples, MigModeIsOnWhereInstancesAreListed) {
  const auto mig = read("capture-linux-x86_64__nvidia-h100-mig__590.48.01.txt");
  ASSERT_TRUE(mig);
  EXPECT_TRUE(value_of(mig->unplaced[0].gpu->mig));
  const auto whole = read("capture-linux-x86_64__nvidia-h100-80gb-hbm3__590.48.01.txt");
  ASSERT_TRUE(whole);
  ASSERT_TRUE(whole->unplaced[0].gpu->mig);
  EXPECT_FALSE(whole->unplaced[0].gpu->mig->value);
}

}  // namespace smi_samples_test
}  // namespace vgsim::topology::testing
