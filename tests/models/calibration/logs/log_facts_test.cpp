#include "models/calibration/logs/log_facts.hpp"

#include <gmock/gmock.h>

#include <map>

#include "tests/models/calibration/logs/log_samples.hpp"
#include "tests/support/extra.hpp"

namespace vgsim::calibration {
namespace log_facts_test {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

struct Description {
  bool is_log = false;
  LogFacts facts;
  std::string errors;
};

Description describe(const std::string& text) {
  const auto described = describe_log(input::make_source("run.log", text));
  if (!described) return {};
  return {true, described->value_or(LogFacts{}),
          *described ? std::string() : input::render(described->error())};
}

const std::string kTable =
    R"(# Collective test starting: all_reduce_perf
# nThread 1 nGpus 2 minBytes 8 maxBytes 1048576 step: 2(factor) warmup iters: 1 iters: 20
# Using devices
#  Rank  0 Group  0 Pid    101 on  gpubox1 device  0 [0000:1a:00] NVIDIA H100 80GB HBM3
#  Rank  1 Group  0 Pid    101 on  gpubox2 device  0 [0000:1a:00] NVIDIA H100 80GB HBM3
#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)
           8             2     float     sum      -1    14.21    0.00    0.00      0    13.90    0.00    0.00      0
     1048576        262144     float     sum      -1    30.50   34.38   34.38      0    31.00   33.83   33.83      0
)";

TEST(LogFacts, ATableIsOneSentence) {
  const Description result = describe(kTable);
  ASSERT_EQ(result.errors, "");
  EXPECT_EQ(result.facts.kind, "nccl-tests");
  EXPECT_THAT(result.facts.found,
              ElementsAre("nccl-tests: all_reduce on 2 GPUs of 2 hosts (NVIDIA H100 80GB HBM3), 2 "
                          "points from 8 B to 1 MiB, busbw up to 34.4 GB/s"));
  EXPECT_THAT(result.facts.skipped, IsEmpty());
  EXPECT_THAT(result.facts.next, HasSubstr("vgsim score --from-log run.log --scenario"));
  EXPECT_THAT(result.facts.next, HasSubstr("vgsim calibrate run.log --scenario"));
}

TEST(LogFacts, MessagesOfNcclAreToldBesideTheTable) {
  const Description result = describe(
      "NCCL version 2.19.3+cuda12.3\n"
      "gpubox1:1:1 [0] NCCL INFO NCCL_ALGO set by environment to Ring\n" +
      kTable);
  EXPECT_EQ(result.facts.kind, "nccl-tests");
  ASSERT_THAT(result.facts.found, SizeIs(3));
  EXPECT_EQ(result.facts.found[1], "NCCL 2.19.3 (CUDA 12.3): 2 messages on 1 host (gpubox1)");
  EXPECT_EQ(result.facts.found[2], "NCCL: set: NCCL_ALGO=Ring");
  const Description quiet = describe("gpubox1:1:1 [0] NCCL INFO Launch mode Parallel\n" + kTable);
  EXPECT_THAT(quiet.facts.found, SizeIs(1)) << "such a message has no contents";
  EXPECT_THAT(quiet.facts.skipped, IsEmpty());
}

TEST(LogFacts, HostsOfAJobCountAsNcclCountsThemIfTheLogShowsFewer) {
  const Description result = describe(
      "gpubox1:1:1 [0] NCCL INFO comm 0xa1 rank 0 nRanks 16 nNodes 2 localRanks 8 localRank 0 "
      "MNNVL 0\n"
      "gpubox1:1:1 [0] NCCL INFO comm 0xa1 rank 0 nranks 16 cudaDev 0 nvmlDev 0 busId 1a000 commId "
      "0x77 - Init COMPLETE\n");
  EXPECT_THAT(result.facts.found[0],
              HasSubstr("16 ranks on 2 hosts, of which the log shows 1 (gpubox1)"));
}

TEST(LogFacts, WarningsComeWithTheFacts) {
  std::string text = kTable;
  text.replace(text.find("34.38      0"), 12, "34.38     17");
  EXPECT_THAT(input::render(describe(text).facts.warnings), HasSubstr("wrong data"));
}

TEST(LogFacts, AMeasurementNamesItsCopies) {
  const Description result = describe(
      "[CUDA Bandwidth Test] - Starting...\nRunning on...\n\n Device 0: NVIDIA A40\n Quick Mode\n\n"
      " Host to Device Bandwidth, 1 Device(s)\n PINNED Memory Transfers\n"
      "   Transfer Size (Bytes)\tBandwidth(GB/s)\n   32000000\t\t\t25.5\n   32\t\t\t0.1\n\n");
  EXPECT_EQ(result.facts.kind, "bandwidthTest");
  EXPECT_THAT(result.facts.found,
              ElementsAre("bandwidthTest: 1 GPU (NVIDIA A40)",
                          "bandwidthTest: 1 copy time from the host to a GPU, up to 25.5 GB/s "
                          "in each direction"));
  EXPECT_THAT(result.facts.skipped, ElementsAre(HasSubstr("rounded to 0.1 GB/s")));
  EXPECT_THAT(result.facts.next, StartsWith("vgsim calibrate run.log"));
}

TEST(LogFacts, OtherToolsAreNamed) {
  const std::map<std::string, std::string> kinds = {
      {"gpu_copy", "gpu0_to_gpu1_write_by_sm 258.5\n"},
      {"p2pBandwidthLatencyTest",
       "Unidirectional P2P=Enabled Bandwidth (P2P Writes) Matrix (GB/s)\n   D\\D     0      1 \n"
       "     0 600.00  20.00 \n     1  21.00 610.00 \n"},
      {"perftest",
       "                    RDMA_Write BW Test\n"
       " #bytes     #iterations    BW peak[Gb/sec]    BW average[Gb/sec]   MsgRate[Mpps]\n"
       " 65536      5000             92.50              92.40		   0.176239\n"},
      {"NCCL messages", "h:1:1 [0] NCCL INFO Using network IB\nNCCL version 2.8.4+cuda11.2\n"},
      {"DCGM", "DCGM_FI_DEV_GPU_UTIL{gpu=\"0\"} 98\nDCGM_FI_DEV_XID_ERRORS{gpu=\"0\"} 0\n"}};
  for (const auto& [kind, text] : kinds) {
    const Description result = describe(text);
    EXPECT_EQ(result.errors, "") << kind;
    EXPECT_EQ(result.facts.kind, kind);
    EXPECT_FALSE(result.facts.found.empty()) << kind;
    EXPECT_FALSE(result.facts.next.empty()) << kind;
  }
  EXPECT_THAT(
      describe(kinds.at("perftest")).facts.found,
      ElementsAre("perftest: RDMA_Write BW, 1 point of 64 KiB, up to 11.6 GB/s on average"));
  EXPECT_THAT(describe(kinds.at("DCGM")).facts.found,
              ElementsAre("DCGM: GPU 0: GPU utilization 98 %"));
  EXPECT_THAT(describe(kinds.at("DCGM")).facts.skipped,
              ElementsAre(HasSubstr("DCGM_FI_DEV_XID_ERRORS")));
}

TEST(LogFacts, OfSeveralLogsInOneFileAllAreTold) {
  const Description result = describe(kTable + "gpu0_to_gpu1_write_by_sm 258.5\n");
  EXPECT_EQ(result.facts.kind, "nccl-tests");
  EXPECT_THAT(result.facts.found, Contains(StartsWith("gpu_copy: 2 GPUs")));
  const Description broken = describe(kTable + "Transfer Size (Bytes)\tBandwidth(GB/s)\n");
  EXPECT_EQ(broken.errors, "");
  EXPECT_THAT(broken.facts.skipped, ElementsAre(StartsWith("bandwidthTest: no measurement")));
}

TEST(LogFacts, WithoutANameTheRatioOfBandwidthsTells) {
  std::string text = kTable.substr(kTable.find("# nThread"));
  EXPECT_THAT(describe(text).facts.found.at(0), HasSubstr("an unnamed collective on 2"));
  const std::string second = "#  Rank  1";
  std::string devices;
  for (const char* rank : {"1", "2", "3"}) {
    devices += std::string("#  Rank  ") + rank + " Pid 5 on a device 0 [0x1a] H100\n";
  }
  text.replace(text.find(second), text.find("#       size") - text.find(second), devices);
  text.replace(text.find("34.38   34.38"), 13, "34.38   51.57");
  EXPECT_THAT(describe(text).facts.found.at(0), HasSubstr("1.5 times algbw, as for all_reduce)"));
}

TEST(LogFacts, ALogOfWhichNothingCanBeReadIsAnError) {
  EXPECT_THAT(describe(kTable.substr(0, kTable.find("           8 "))).errors,
              HasSubstr("no rows"));
  EXPECT_THAT(describe("h:1:1 [0] NCCL INFO Launch mode Parallel\n").errors, HasSubstr("E532"));
  EXPECT_THAT(describe("DCGM_FI_DEV_SM_CLOCK,  gauge, SM clock\n").errors,
              HasSubstr("its configuration"));
}

TEST(LogFacts, AnythingElseIsNoLog) {
  for (const char* text : {"", "hello\n", "{\"format\": \"vgsim.case/1\"}\n", "<system/>\n",
                           "\tGPU0\tGPU1\tCPU Affinity\nGPU0\t X \tNV18\t0-23\n"}) {
    EXPECT_FALSE(describe(text).is_log) << text;
  }
}

using ExtraLogFacts = test::NeedsExtraFiles;

TEST_F(ExtraLogFacts, EverySampleIsReadOrRefusedForAReason) {
  const std::map<std::string, std::string> kinds = {
      {"nccl-tests", "nccl-tests"}, {"nccl-log", "NCCL messages"}, {"nvbandwidth", "nvbandwidth"}};
  std::size_t samples = 0;
  for (const auto& path : samples_in(sample_folder(""))) {
    SCOPED_TRACE(path);
    ++samples;
    const std::string folder = path.parent_path().filename().string();
    const Description result = describe(sample_text(path));
    ASSERT_TRUE(result.is_log);
    if (folder == "dcgm") {
      EXPECT_THAT(result.errors, HasSubstr("a list of 26 fields for dcgm-exporter"));
      continue;
    }
    ASSERT_EQ(result.errors, "");
    EXPECT_FALSE(result.facts.found.empty());
    EXPECT_FALSE(result.facts.next.empty());
    const bool is_copy = path.filename() == "superbench-gpu_copy_bw.log";
    const std::string p2p = is_copy ? "gpu_copy" : "perftest";
    EXPECT_EQ(result.facts.kind, folder == "p2p" ? p2p : kinds.at(folder));
  }
  EXPECT_EQ(samples, 41U);
}

}  // namespace log_facts_test
}  // namespace vgsim::calibration
