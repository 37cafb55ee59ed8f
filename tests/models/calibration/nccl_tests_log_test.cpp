#include "models/calibration/nccl_tests_log.hpp"

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace vgsim::calibration {
namespace {

using input::Diagnostics;
using testing::HasSubstr;
using testing::Optional;

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

/// A recent release, run by hand on four GPUs.
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
  EXPECT_THAT(table.bus_factor, Optional(testing::DoubleNear(1.5, 0.001)));  // 2 (4 - 1) / 4
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(table.rows[0].size, Bytes{8});
  EXPECT_EQ(table.rows[0].out_of_place, ns(14'210));
  EXPECT_EQ(table.rows[0].in_place, ns(13'900));
  EXPECT_EQ(table.rows[1].size, Bytes{1 << 20});
  EXPECT_EQ(table.rows[1].out_of_place, ns(30'500));
  EXPECT_EQ(table.rows[1].in_place, ns(31'000));
}

/// Each line with something before it.
std::string prefixed(const std::string& text, const std::string& prefix) {
  std::string result = prefix;
  for (const char c : text.substr(0, text.size() - 1)) {
    result += c;
    if (c == '\n') result += prefix;
  }
  return result + "\n";
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
  EXPECT_EQ(result.warnings, "") << "a deviation is no wrong element";
  const LogTable& table = result.tables.at(0);
  EXPECT_EQ(table.collective, std::nullopt) << "nothing names it";
  EXPECT_EQ(table.ranks, std::size_t{2});
  ASSERT_EQ(table.rows.size(), 1U) << "a message of no bytes is none";
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
  EXPECT_THAT(result.warnings, HasSubstr("cut short"));
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

/// Logs of real runs, which lie beside the repository where they lie at all.
TEST(NcclTestsLog, RealLogsAreRead) {
  namespace fs = std::filesystem;
  const char* shared = std::getenv("VGSIM_SHARED");
  const fs::path folder =
      fs::path(shared != nullptr ? shared : VGSIM_SHARED) / "logs" / "nccl-tests";
  std::error_code absent;
  std::size_t logs = 0;
  for (const auto& entry : fs::directory_iterator(folder, absent)) {
    ++logs;
    std::ifstream file(entry.path(), std::ios::binary);
    const Read result = read({std::istreambuf_iterator<char>(file), {}});
    ASSERT_EQ(result.errors, "") << entry.path();
    EXPECT_EQ(result.warnings, "") << entry.path();
    for (const LogTable& table : result.tables) {
      EXPECT_TRUE(table.ranks) << entry.path();
      for (const LogRow& row : table.rows) {
        EXPECT_TRUE(row.out_of_place && row.in_place) << entry.path();
      }
    }
  }
  if (logs == 0) GTEST_SKIP() << "no logs in " << folder;
}

}  // namespace
}  // namespace vgsim::calibration
