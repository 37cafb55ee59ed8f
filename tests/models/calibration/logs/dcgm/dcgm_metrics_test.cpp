#include "models/calibration/logs/dcgm/dcgm_metrics.hpp"

#include <fmt/core.h>
#include <gmock/gmock.h>

#include "tests/models/calibration/logs/log_samples.hpp"
#include "tests/support/extra.hpp"

namespace vgsim::calibration {
namespace dcgm_metrics_test {

using input::Diagnostics;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

struct Read {
  DcgmMetrics metrics;
  std::string errors;
  std::string warnings;
};

Read read(const std::string& text) {
  Diagnostics warnings;
  auto metrics = read_dcgm_metrics(input::make_source("t.txt", text), warnings);
  return {metrics.value_or(DcgmMetrics{}), metrics ? std::string() : input::render(metrics.error()),
          input::render(warnings)};
}

/// "GPU utilization 0.98 (0.9 to 1, 2)"
std::vector<std::string> show(const DcgmEntity& entity) {
  std::vector<std::string> all;
  for (const DcgmMetric& each : entity.metrics) {
    all.push_back(fmt::format("{} {:.6g}{}{} ({:.6g} to {:.6g}, {})", each.name, each.mean,
                              each.unit.empty() ? "" : " ", each.unit, each.least, each.most,
                              each.samples));
  }
  return all;
}

const std::string kLabels =
    R"({gpu="0",UUID="GPU-5c3d",pci_bus_id="00000000:3B:00.0",device="nvidia0",)"
    R"(modelName="NVIDIA A100-SXM4-80GB",Hostname="node \"1\"",pod=""})";
const std::string kScrape =
    "# HELP DCGM_FI_DEV_GPU_UTIL GPU utilization (in %).\n"
    "# TYPE DCGM_FI_DEV_GPU_UTIL gauge\n"
    "DCGM_FI_DEV_GPU_UTIL" +
    kLabels +
    " 98\n"
    "DCGM_FI_PROF_SM_ACTIVE" +
    kLabels +
    " 0.875000\n"
    "DCGM_FI_DEV_FB_USED" +
    kLabels +
    " 4096\n"
    "DCGM_FI_DEV_POWER_USAGE" +
    kLabels +
    " 409.692000\n"
    "# TYPE DCGM_FI_PROF_PCIE_RX_BYTES counter\n"
    "DCGM_FI_PROF_PCIE_TX_BYTES" +
    kLabels +
    " 33011804\n"
    "DCGM_FI_PROF_PCIE_RX_BYTES" +
    kLabels +
    " 1.2e+09 1732268130000\n"
    "DCGM_FI_PROF_NVLINK_TX_BYTES" +
    kLabels +
    " 45e9\n"
    "DCGM_FI_DEV_NVLINK_BANDWIDTH_TOTAL" +
    kLabels +
    " 91000\n"
    "DCGM_FI_DEV_XID_ERRORS" +
    kLabels +
    " 0\n"
    "go_goroutines 12\n";

TEST(DcgmMetrics, AScrapeTellsOfEachGpu) {
  const Read result = read(kScrape);
  ASSERT_EQ(result.errors, "");
  EXPECT_EQ(result.warnings, "");
  ASSERT_THAT(result.metrics.entities, SizeIs(1));
  const DcgmEntity& gpu = result.metrics.entities[0];
  EXPECT_EQ(gpu.gpu, "0");
  EXPECT_EQ(gpu.uuid, "GPU-5c3d");
  EXPECT_EQ(gpu.model, "NVIDIA A100-SXM4-80GB");
  EXPECT_EQ(gpu.bus_id, "0000:3b:00.0");
  EXPECT_EQ(gpu.host, "node \"1\"");
  EXPECT_THAT(show(gpu), ElementsAre("GPU utilization 0.98 (0.98 to 0.98, 1)",
                                     "SM active 0.875 (0.875 to 0.875, 1)",
                                     "memory used 4.29497e+09 B (4.29497e+09 to 4.29497e+09, 1)",
                                     "power 409.692 W (409.692 to 409.692, 1)",
                                     "PCIe tx 3.30118e+07 B/s (3.30118e+07 to 3.30118e+07, 1)",
                                     "PCIe rx 1.2e+09 B/s (1.2e+09 to 1.2e+09, 1)",
                                     "NVLink tx 4.5e+10 B/s (4.5e+10 to 4.5e+10, 1)",
                                     "NVLink of all links 9.1e+10 B/s (9.1e+10 to 9.1e+10, 1)"));
  EXPECT_THAT(result.metrics.unused, ElementsAre("DCGM_FI_DEV_XID_ERRORS"));
}

TEST(DcgmMetrics, ScrapesInARowAreSamples) {
  std::string later = kScrape;
  later.replace(later.find(" 98\n"), 4, " 50\n");
  EXPECT_EQ(show(read(kScrape + later).metrics.entities.at(0)).at(0),
            "GPU utilization 0.74 (0.5 to 0.98, 2)");
}

TEST(DcgmMetrics, InstancesOfMigAreTheirOwn) {
  const Read result =
      read(R"(DCGM_FI_PROF_SM_ACTIVE{gpu="0",GPU_I_PROFILE="2g.20gb",GPU_I_ID="3"} 0.5)"
           "\n"
           R"(DCGM_FI_PROF_SM_ACTIVE{gpu="0",GPU_I_PROFILE="3g.40gb",GPU_I_ID="1"} 0.25)"
           "\n");
  ASSERT_THAT(result.metrics.entities, SizeIs(2));
  EXPECT_EQ(result.metrics.entities[1].instance, "1");
  EXPECT_EQ(result.metrics.entities[1].profile, "3g.40gb");
}

TEST(DcgmMetrics, SingleLinksAndOtherThingsCountNot) {
  const Read result = read(R"(DCGM_FI_PROF_NVLINK_TX_BYTES{gpu="0",nvlink="1"} 22
DCGM_FI_DEV_NVSWITCH_POWER{nvswitch="0"} 22
DCGM_FI_DEV_CPU_UTIL_TOTAL{cpu="0"} 0.5
DCGM_FI_PROF_NVLINK_TX_BYTES{gpu="0"} 44
)");
  ASSERT_THAT(result.metrics.entities, SizeIs(1));
  EXPECT_THAT(show(result.metrics.entities[0]), ElementsAre("NVLink tx 44 B/s (44 to 44, 1)"));
}

TEST(DcgmMetrics, MissingValuesAreNone) {
  for (const char* value :
       {"NaN", "+Inf", "-1", "2147483632", "140737488355328", "9223372036854775794"}) {
    const Read result = read(std::string("DCGM_FI_DEV_POWER_USAGE{gpu=\"0\"} ") + value +
                             "\nDCGM_FI_DEV_GPU_TEMP{gpu=\"0\"} 41\n");
    EXPECT_THAT(show(result.metrics.entities.at(0)), ElementsAre("temperature 41 C (41 to 41, 1)"))
        << value;
  }
  EXPECT_THAT(read("DCGM_FI_DEV_GPU_UTIL{gpu=\"0\"} 101\n").errors, HasSubstr("E532"));
}

TEST(DcgmMetrics, EarlyExportersHaveOtherNames) {
  const Read result = read(R"(dcgm_gpu_utilization{gpu="1",uuid="GPU-7"} 42
dcgm_fb_used{gpu="1",uuid="GPU-7"} 1024
)");
  ASSERT_THAT(result.metrics.entities, SizeIs(1));
  EXPECT_EQ(result.metrics.entities[0].uuid, "GPU-7");
  EXPECT_EQ(show(result.metrics.entities[0]).at(0), "GPU utilization 0.42 (0.42 to 0.42, 1)");
}

TEST(DcgmMetrics, LinesThatAreCutAreToldOf) {
  for (const char* line :
       {"DCGM_FI_DEV_GPU_UTIL{gpu=\"0\",UUID=\"GPU", "DCGM_FI_DEV_GPU_UTIL{gpu=\"0\"}",
        "DCGM_FI_DEV_GPU_UTIL{gpu=\"0\"} fast", "DCGM_FI_DEV_GPU_UTIL{gpu=0} 5",
        "DCGM_FI_DEV_GPU_UTIL{gpu=\"0\"} 5 6 7", "DCGM_FI_DEV_GPU_UTIL{", "DCGM_FI-DEV 5"}) {
    const Read result = read(kScrape + line);
    EXPECT_THAT(result.warnings, AllOf(HasSubstr("W531"), HasSubstr("1 lines"))) << line;
    EXPECT_THAT(result.metrics.entities, SizeIs(1)) << line;
  }
}

const std::string kDmon =
    R"(#Entity   GPUTL     SMACT         DRAMA         PCIRX                   POWER
ID                                                                      W
GPU 0     98        0.951         0.500         1200000000              410.500
GPU 1     N/A       N/A           N/A           N/A                     61.000
GPU 0     96        0.949         0.300         1300000000              409.500
GPU 1     0         0.000         0.000         123456789012345...      61.000
#Entity   GPUTL     SMACT         DRAMA         PCIRX                   POWER
ID                                                                      W
GPU 0     97        0.950         0.400         1250000000              410.000
)";

TEST(DcgmMetrics, RowsOfDmonAreSamples) {
  const Read result = read("$ dcgmi dmon -e 203,1002,1005,1010,155\n" + kDmon);
  ASSERT_EQ(result.errors, "");
  EXPECT_EQ(result.warnings, "");
  ASSERT_THAT(result.metrics.entities, SizeIs(2));
  EXPECT_THAT(
      show(result.metrics.entities[0]),
      ElementsAre("GPU utilization 0.97 (0.96 to 0.98, 3)", "SM active 0.95 (0.949 to 0.951, 3)",
                  "DRAM active 0.4 (0.3 to 0.5, 3)", "PCIe rx 1.25e+09 B/s (1.2e+09 to 1.3e+09, 3)",
                  "power 410 W (409.5 to 410.5, 3)"));
  EXPECT_THAT(show(result.metrics.entities[1]),
              ElementsAre("power 61 W (61 to 61, 2)", "GPU utilization 0 (0 to 0, 1)",
                          "SM active 0 (0 to 0, 1)", "DRAM active 0 (0 to 0, 1)"));
}

TEST(DcgmMetrics, EarlyDmonsIndentTheirRows) {
  const Read result = read(R"(# Entity  TENSO  XIDER
      Id
    GPU 0  0.250  0
    GPU-I 1  0.500  0
    Switch 0  0.500  0
    GPU 2  0.500
)");
  ASSERT_THAT(result.metrics.entities, SizeIs(2));
  EXPECT_EQ(result.metrics.entities[1].instance, "GPU-I 1");
  EXPECT_THAT(result.metrics.unused, ElementsAre("XIDER"));
  EXPECT_THAT(result.warnings, HasSubstr("1 lines"));
}

TEST(DcgmMetrics, AListOfFieldsIsNoMeasurement) {
  const std::string list =
      "# DCGM FIELD, Prometheus metric type, help message\n"
      "DCGM_FI_DEV_SM_CLOCK,  gauge, SM clock frequency (in MHz).\n"
      "DCGM_FI_DEV_DEC_UTIL ,     gauge, Decoder utilization (in %).\n"
      "DCGM_FI_DRIVER_VERSION,        label, Driver Version\n";
  EXPECT_THAT(read(list).errors, AllOf(HasSubstr("E531"), HasSubstr("a list of 3 fields")));
  EXPECT_EQ(read(list + kScrape).errors, "");
}

TEST(DcgmMetrics, AFileWithoutAValueIsAnError) {
  for (const char* text : {"", "hello\n", "# HELP DCGM_FI_DEV_GPU_UTIL x\n", "#Entity  GPUTL\nID\n",
                           "DCGM_FI_DEV_GPU_UTIL 5\n", "DCGM_FI_DEV_XID_ERRORS{gpu=\"0\"} 0\n"}) {
    EXPECT_THAT(read(text).errors, HasSubstr("E532")) << text;
  }
}

TEST(DcgmMetrics, AreKnownByTheirNames) {
  EXPECT_TRUE(is_dcgm_metrics(kScrape));
  EXPECT_TRUE(is_dcgm_metrics(kDmon));
  EXPECT_TRUE(is_dcgm_metrics("# Entity  TENSO\n"));
  EXPECT_FALSE(is_dcgm_metrics("#Entity Framework\n"));
  EXPECT_FALSE(is_dcgm_metrics("go_goroutines 12\n"));
}

using ExtraDcgmMetrics = test::NeedsExtraFiles;

TEST_F(ExtraDcgmMetrics, TheSampleIsAListOfFields) {
  const Read result = read(sample_text(sample_folder("dcgm") / "dcp-metrics-included.csv"));
  EXPECT_THAT(result.errors, AllOf(HasSubstr("E531"), HasSubstr("a list of 26 fields")));
}

}  // namespace dcgm_metrics_test
}  // namespace vgsim::calibration
