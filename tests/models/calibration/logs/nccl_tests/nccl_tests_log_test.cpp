#include "models/calibration/logs/nccl_tests/nccl_tests_log.hpp"

#include <gmock/gmock.h>

#include <map>

#include "tests/models/calibration/logs/log_samples.hpp"
#include "tests/support/extra.hpp"

namespace vgsim::calibration {
namespace nccl_tests_log_test {

using input::Diagnostics;
using ::testing::HasSubstr;
using ::testing::Optional;

struct Read {
  std::vector<LogTable> tables;
  std::string errors;
  std::string warnings;
};

Read read(const std::string& text) {
  Diagnostics warnings;
  auto tables = read_nccl_tests_log(input::make_source("t.log", text), warnings);
  return {tables.value_or(std::vector<LogTable>{}),
          tables ? std::string() : input::render(tables.error()), input::render(warnings)};
}

constexpr SimTime ns(std::int64_t count) { return SimTime{count * 1000}; }

/// A recent release, run manually on four GPUs.
const std::string kRecent =
    R"(# Collective test starting: all_reduce_perf
# nThread 1 nGpus 4 minBytes 8 maxBytes 1048576 step: 1024(factor) warmup iters: 1 iters: 20 agg iters: 1 validation: 1 graph: 0
#
# Using devices
#  Rank  0 Group  0 Pid    101 on  gpubox1 device  0 [0000:1a:00] NVIDIA H100 80GB HBM3
#  Rank  1 Group  0 Pid    101 on  gpubox1 device  1 [0000:40:00] NVIDIA H100 80GB HBM3
#  Rank  2 Group  0 Pid    101 on  gpubox1 device  2 [0000:53:00] NVIDIA H100 80GB HBM3
#  Rank  3 Group  0 Pid    101 on  gpubox1 device  3 [0000:66:00] NVIDIA H100 80GB HBM3
#
#                                                              out-of-place                       in-place
#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)
           8             2     float     sum      -1    14.21    0.00    0.00      0    13.90    0.00    0.00      0
     1048576        262144     float     sum      -1    30.50   34.38   51.57      0    31.00   33.83   50.74      0
# Out of bounds values : 0 OK
# Avg bus bandwidth    : 25.577
# Collective test concluded: all_reduce_perf
)";

void expect_recent(const Read& result) {
  ASSERT_EQ(result.errors, "");
  EXPECT_EQ(result.warnings, "");
  ASSERT_EQ(result.tables.size(), 1U);
  const LogTable& table = result.tables[0];
  EXPECT_THAT(table.collective, Optional(std::string("all_reduce")));
  EXPECT_THAT(table.ranks, Optional(std::size_t{4}));
  EXPECT_EQ(table.devices, std::vector<std::string>(4, "NVIDIA H100 80GB HBM3"));
  EXPECT_THAT(table.bus_factor, Optional(::testing::DoubleNear(1.5, 0.001)));  // 2 (4 - 1) / 4
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(table.rows[0].size, Bytes{8});
  EXPECT_EQ(table.rows[0].out_of_place, ns(14'210));
  EXPECT_EQ(table.rows[0].in_place, ns(13'900));
  EXPECT_EQ(table.rows[1].size, Bytes{1 << 20});
  EXPECT_EQ(table.rows[1].out_of_place, ns(30'500));
  EXPECT_EQ(table.rows[1].in_place, ns(31'000));
}

TEST(NcclTestsLog, RecentReleases) { expect_recent(read(kRecent)); }

TEST(NcclTestsLog, WhatLaunchersPutBeforeLinesIsSkipped) {
  for (const char* prefix : {"[1,0]<stdout>:", "[1,0]<stdout>: ", "0: ", "gpubox1: ",
                             "2026-05-18T10:11:12.345Z ", "May 18 10:11:12 gpubox1 run[77]: "}) {
    SCOPED_TRACE(prefix);
    expect_recent(read(prefixed(kRecent, prefix)));
  }
}

TEST(NcclTestsLog, LinesMayEndAsOnWindows) {
  std::string text;
  for (const char c : kRecent) text += c == '\n' ? std::string("\r\n") : std::string(1, c);
  expect_recent(read(text));
}

TEST(NcclTestsLog, MessagesOfNcclMayStandAnywhereEvenInARow) {
  std::string text = kRecent;
  text.insert(text.find("     1048576"), "gpubox1:101:140 [2] NCCL INFO Launch mode Parallel\n");
  const std::string row = "    14.21";
  text.insert(text.find(row),
              "gpubox1:101:150 [0] NCCL INFO comm 0x7f00 rank 0 float sum 8 8\n"
              "gpubox1:101:151 [1] NCCL INFO Connected all rings\n");
  expect_recent(read(text));
}

TEST(NcclTestsLog, TheVersionIsNcclsOwn) {
  const auto version_with = [](const std::string& line) {
    return read(line + "\n" + kRecent).tables.at(0).nccl_version;
  };
  EXPECT_THAT(version_with("gpubox1:101:101 [0] NCCL INFO NCCL version 2.21.5+cuda12.4"),
              Optional(std::string("2.21.5")));
  EXPECT_THAT(version_with("NCCL version 2.4.8+cuda10.1"), Optional(std::string("2.4.8")));
  EXPECT_THAT(version_with("# nccl-tests version 2.17.1 nccl-headers=22703 nccl-library=22703"),
              Optional(std::string("2.27.3")));
  EXPECT_THAT(version_with("# nccl-tests version 2.0 nccl-headers=2708 nccl-library=2708"),
              Optional(std::string("2.7.8")));
  EXPECT_EQ(version_with(""), std::nullopt);
}

TEST(NcclTestsLog, OldReleasesOfAllGather) {
  const Read result = read(R"(
# nThread 1 nGpus 2 minBytes 1 maxBytes 4096 step: 2(factor) warmup iters: 5 iters: 20 validation: 1
#
# Using devices
#   Rank  0 Pid  55 on  dgx device  0 [0x06] Tesla V100-SXM2-32GB
#   Rank  1 Pid  55 on  dgx device  1 [0x07] Tesla V100-SXM2-32GB
#
#                                             out-of-place                       in-place
#       size         count    type     time   algbw   busbw  error     time   algbw   busbw  error
#        (B)    (elements)             (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)
           0             0   float    10.01    0.00    0.00  0e+00     9.99    0.00    0.00  0e+00
        4096           512   float    11.25    0.36    0.18  4e-07    11.50    0.36    0.18    N/A
)");
  ASSERT_EQ(result.errors, "");
  EXPECT_EQ(result.warnings, "") << "a deviation is not a wrong element";
  const LogTable& table = result.tables.at(0);
  EXPECT_EQ(table.collective, std::nullopt) << "the log does not name it";
  EXPECT_EQ(table.ranks, std::size_t{2});
  ASSERT_EQ(table.rows.size(), 1U) << "a message of 0 bytes does not count";
  EXPECT_EQ(table.rows[0].out_of_place, ns(11'250));
  EXPECT_EQ(table.rows[0].in_place, ns(11'500));
}

TEST(NcclTestsLog, OldAllToAllLeavesAColumnBlank) {
  const Read result = read(R"(+ mpirun -np 8 ./build/alltoall_perf -b 1K -e 1K
#                                                     out-of-place                       in-place
#       size         count    type   redop     time   algbw   busbw  error     time   algbw   busbw  error
#        (B)    (elements)                     (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)
        1024            32   float            88.17    0.01    0.01    N/A     0.79    1.30    1.13    N/A
)");
  ASSERT_EQ(result.errors, "");
  EXPECT_EQ(result.tables.at(0).collective, "all_to_all");
  EXPECT_EQ(result.tables.at(0).ranks, std::nullopt);
  EXPECT_EQ(result.tables.at(0).rows.at(0).out_of_place, ns(88'170));
}

TEST(NcclTestsLog, BroadcastHasARootButNoOperation) {
  const Read result = read(R"($ broadcast_perf -g 2
#                                                     out-of-place                       in-place
#       size         count    type    root     time   algbw   busbw  error     time   algbw   busbw  error
           8             2   float       0     7.50    0.00    0.00    N/A     7.25    0.00    0.00    N/A
)");
  EXPECT_EQ(result.tables.at(0).collective, "broadcast");
  EXPECT_EQ(result.tables.at(0).rows.at(0).out_of_place, ns(7'500));
}

TEST(NcclTestsLog, SeveralRunsAreSeveralTables) {
  std::string second = kRecent;
  second.replace(second.find("all_reduce_perf"), 15, "reduce_perf");
  const Read result = read(kRecent + second);
  ASSERT_EQ(result.tables.size(), 2U);
  EXPECT_EQ(result.tables[1].collective, "reduce");
  EXPECT_EQ(result.tables[1].ranks, std::size_t{4});
}

TEST(NcclTestsLog, ARowThatIsCutShortGivesNoHalfNumbers) {
  const std::string cut = kRecent.substr(0, kRecent.find("31.00") + 2);  // "...  31"
  const Read result = read(cut);
  EXPECT_THAT(result.warnings, HasSubstr("truncated"));
  EXPECT_EQ(result.tables.at(0).rows.at(1).out_of_place, ns(30'500));
  EXPECT_EQ(result.tables.at(0).rows.at(1).in_place, std::nullopt);
}

TEST(NcclTestsLog, WrongDataAreToldOf) {
  std::string text = kRecent;
  text.replace(text.find("51.57      0"), 12, "51.57     17");
  EXPECT_THAT(read(text).warnings, HasSubstr("wrong data"));
}

TEST(NcclTestsLog, WhatCannotBeAMeasurementIsRefused) {
  EXPECT_THAT(read("hello\n").errors, HasSubstr("no table"));
  EXPECT_THAT(read("").errors, HasSubstr("no table"));
  const std::string header = kRecent.substr(0, kRecent.find("           8 "));
  EXPECT_THAT(read(header).errors, HasSubstr("no rows"));
  std::string cpu = kRecent;
  const std::string columns = "root     time";
  cpu.replace(cpu.find(columns), columns.size(), "root  cputime");
  EXPECT_THAT(read(cpu).errors, HasSubstr("CPU times"));
  std::string milli = kRecent;
  for (std::size_t at = milli.find("(us)"); at != std::string::npos; at = milli.find("(us)")) {
    milli.replace(at, 4, "(ms)");
  }
  EXPECT_THAT(read(milli).errors, HasSubstr("units"));
  std::string zero = kRecent;
  zero.replace(zero.find("14.21"), 5, " 0.00");
  EXPECT_THAT(read(zero).errors, HasSubstr("a time of 0.00 us"));
}

TEST(NcclTestsLog, HostsAreThoseOfTheDevices) {
  std::string text = kRecent;
  const std::string third = "on  gpubox1 device  2";
  text.replace(text.find(third), third.size(), "on  gpubox2 device  0");
  EXPECT_EQ(read(kRecent).tables.at(0).hosts, std::vector<std::string>{"gpubox1"});
  EXPECT_EQ(read(text).tables.at(0).hosts, (std::vector<std::string>{"gpubox1", "gpubox2"}));
}

TEST(NcclTestsLog, BusBandwidthsAreTold) {
  const std::vector<LogTable> tables = read(kRecent).tables;
  const LogRow& row = tables.at(0).rows.at(1);
  EXPECT_THAT(row.out_of_place_bus, Optional(51.57e9));
  EXPECT_THAT(row.in_place_bus, Optional(50.74e9));
  EXPECT_EQ(tables[0].rows[0].in_place_bus, std::nullopt) << "0.00 is not a measurement";
}

/// The same with more columns.
TEST(NcclTestsLog, ColumnsMayFollowThoseThatAreKnown) {
  std::string text = kRecent;
  for (const auto& [from, to] : std::map<std::string, std::string>{
           {"busbw #wrong\n", "busbw #wrong  #iters\n"},
           {"13.90    0.00    0.00      0", "13.90    0.00    0.00      0      20"},
           {"31.00   33.83   50.74      0", "31.00   33.83   50.74      0      20"}}) {
    ASSERT_NE(text.find(from), std::string::npos);
    text.replace(text.find(from), from.size(), to);
  }
  expect_recent(read(text));
}

TEST(NcclTestsLog, TimesOfSingleIterationsArePassedOver) {
  const Read result = read(R"(# Collective test starting: all_reduce_perf
#       size         count      type   redop    root     time   algbw   busbw  #wrong    i_min    i_max    i_p99    i_cv%     time   algbw   busbw  #wrong    i_min    i_max    i_p99    i_cv%           timestamp
#        (B)    (elements)                               (us)  (GB/s)  (GB/s)             (us)     (us)     (us)      (%)     (us)  (GB/s)  (GB/s)             (us)     (us)     (us)      (%)   %Y-%m-%d %H:%M:%S
     1048576        262144     float     sum      -1    30.50   34.38   51.57       0    29.10    33.20    33.10     2.10    31.00   33.83   50.74       0    30.10    32.00    31.90     1.20  2025-11-02 10:20:30
)");
  ASSERT_EQ(result.errors, "");
  EXPECT_EQ(result.warnings, "");
  EXPECT_EQ(result.tables.at(0).rows.at(0).out_of_place, ns(30'500));
  EXPECT_EQ(result.tables.at(0).rows.at(0).in_place, ns(31'000));
}

TEST(NcclTestsLog, WideNumbersHaveAnExponent) {
  std::string text = kRecent;
  const std::string row = "    30.50   34.38   51.57";
  text.replace(text.find(row), row.size(), "  1.2e+06    0.00    0.00");
  EXPECT_EQ(read(text).tables.at(0).rows.at(1).out_of_place, ns(1'200'000'000));
}

/// The tests print a row in three parts, and NCCL's messages come from other processes.
TEST(NcclTestsLog, MessagesThatAreGluedToANumberTakeItNot) {
  std::string text = "gpubox1:101:140 [2] NCCL INFO Launch mode Parallel\n" + kRecent;
  const std::string message = "gpubox1:101:150 [0] NCCL INFO Connected all rings\n";
  for (const std::string end : {"-1    30.50", "0    31.00"}) {
    const std::size_t gap = end.find(' ');
    text.insert(text.find(end) + gap, message);
  }
  expect_recent(read(text));
  expect_recent(read(text.substr(text.find('\n') + 1)));  // no line contains only a message
}

TEST(NcclTestsLog, ALineMayBeMessagesThroughout) {
  std::string line;
  while (line.size() < (std::size_t{1} << 22)) line += " NCCL INFO ";
  EXPECT_EQ(read(kRecent + line + "\n").tables[0].rows.size(), 2U);
}

TEST(NcclTestsLog, IsKnownByItsHeader) {
  EXPECT_TRUE(is_nccl_tests_log(kRecent));
  EXPECT_TRUE(is_nccl_tests_log(prefixed(kRecent, "[1,0]<stdout>:")));
  EXPECT_FALSE(is_nccl_tests_log("algbw and busbw are bandwidths\n"));
  EXPECT_FALSE(is_nccl_tests_log(""));
}

/// The contents of a log, read manually: sizes in bytes and the last line's busbw in GB/s.
struct Sample {
  const char* file;
  const char* collective;
  std::size_t ranks;
  std::size_t points;
  std::int64_t first;
  std::int64_t last;
  double out_of_place;
  double in_place;
};

constexpr std::int64_t kGiB = std::int64_t{1} << 30;
const std::string kMlperf = "mlperf40-smc-ac-power-language_model_pytorch_1x8x48_";

std::vector<Sample> samples() {
  static const std::string first = kMlperf + "240419092057726230862_nccl.log";
  static const std::string second = kMlperf + "240419093126463454333_nccl.log";
  return {
      {first.c_str(), "all_reduce", 8, 6, 22020096, 704643072, 457.77, 458.66},
      {second.c_str(), "all_reduce", 8, 6, 22020096, 704643072, 457.82, 457.71},
      {"mlperf50-supermicro-b200-allreduce.txt", "all_reduce", 8, 1, 40160460, 40160460, 389.23,
       406.30},
      {"mlperf50-supermicro-b200-alltoall_half.txt", "all_to_all", 1, 2, 4299152, 8598320, 0, 0},
      {"mlperf50-supermicro-b200-alltoall_uint32.txt", "all_to_all", 8, 3, 2048, 8192, 0.58, 0.56},
      {"superbench-nccl_allgather.log", "", 8, 29, 32, 8 * kGiB, 223.39, 230.07},
      {"superbench-nccl_allreduce.log", "", 8, 32, 4, 8 * kGiB, 235.26, 235.03},
      {"superbench-nccl_alltoall.log", "", 8, 29, 32, 8 * kGiB, 224.31, 226.16},
      {"superbench-nccl_broadcast.log", "", 8, 32, 4, 8 * kGiB, 232.81, 234.70},
      {"superbench-nccl_reduce.log", "", 8, 32, 4, 8 * kGiB, 228.38, 228.83},
      {"superbench-nccl_reducescatter.log", "", 8, 29, 32, 8 * kGiB, 231.52, 231.25},
  };
}

using ExtraNcclTestsLog = test::NeedsExtraFiles;

TEST_F(ExtraNcclTestsLog, SamplesHoldWhatIsInThem) {
  EXPECT_EQ(samples_in(sample_folder("nccl-tests")).size(), samples().size());
  for (const Sample& sample : samples()) {
    SCOPED_TRACE(sample.file);
    const Read result = read(sample_text(sample_folder("nccl-tests") / sample.file));
    ASSERT_EQ(result.errors, "");
    EXPECT_EQ(result.warnings, "");
    ASSERT_EQ(result.tables.size(), 1U);
    const LogTable& table = result.tables[0];
    EXPECT_EQ(table.collective.value_or(""), sample.collective);
    EXPECT_EQ(table.ranks, sample.ranks);
    ASSERT_EQ(table.rows.size(), sample.points);
    EXPECT_EQ(table.rows.front().size, Bytes{sample.first});
    EXPECT_EQ(table.rows.back().size, Bytes{sample.last});
    EXPECT_NEAR(table.rows.back().out_of_place_bus.value_or(0) / 1e9, sample.out_of_place, 1e-6);
    EXPECT_NEAR(table.rows.back().in_place_bus.value_or(0) / 1e9, sample.in_place, 1e-6);
  }
}

}  // namespace nccl_tests_log_test
}  // namespace vgsim::calibration
