#include "models/calibration/logs/copies/p2p_test_log.hpp"

#include <fmt/core.h>
#include <gmock/gmock.h>

#include "tests/models/calibration/logs/log_reading.hpp"

namespace vgsim::calibration {
namespace p2p_test_log_test {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::DoubleNear;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

ReadLog read(const std::string& text) { return read_log(&read_p2p_test_log, text); }

/// "0>1 1>0 engine direct 160 MB at 10.00 GB/s": routes, kernel or copy engine, access, and the
/// rate of each copy; for small copies the time.
std::string show(const Measured& measured) {
  const auto& copies = std::get<Copies>(measured.work);
  std::string text;
  for (const Route& route : copies.routes) {
    EXPECT_EQ(route.from.kind, Place::Kind::kGpu);
    EXPECT_EQ(route.to.kind, Place::Kind::kGpu);
    text += fmt::format("{}>{} ", route.from.gpu, route.to.gpu);
  }
  text += copies.by_kernel ? "kernel " : "engine ";
  text += copies.peer_access ? "direct " : "host ";
  const std::int64_t size = copies.size.count();
  const double time_s = measured.timing.median_s;
  if (size < 1000) return text + fmt::format("{} B in {:.2f} us", size, time_s * 1e6);
  return text + fmt::format("{} MB at {:.2f} GB/s", size / 1'000'000,
                            static_cast<double>(size) / time_s / 1e9);
}

std::vector<std::string> show(const Measurement& measurement) {
  std::vector<std::string> all;
  for (const Measured& each : measurement.results) all.push_back(show(each));
  return all;
}

const std::string kDevices = R"([P2P (Peer-to-Peer) GPU Bandwidth Latency Test]
Device: 0, NVIDIA A40, pciBusID: 1a, pciDeviceID: 0, pciDomainID:0
Device: 1, NVIDIA A40, pciBusID: c1, pciDeviceID: 3, pciDomainID:1
Device=0 CAN Access Peer Device=1
Device=1 CAN Access Peer Device=0

***NOTE: Devices without P2P access copy as usual.
Their Bandwidth (GB/s) is lower, their Latency (us) not steady.

)";
const std::string kConnectivity =
    "P2P Connectivity Matrix\n     D\\D     0     1\n"
    "     0\t     1     1\n     1\t     1     1\n";

std::string matrix(const std::string& heading, const std::string& rows,
                   const std::string& corner = "D\\D") {
  return heading + "\n   " + corner + "     0      1 \n" + rows;
}

const std::string kDisabled = "Unidirectional P2P=Disabled Bandwidth Matrix (GB/s)";
const std::string kWrites = "Unidirectional P2P=Enabled Bandwidth (P2P Writes) Matrix (GB/s)";
const std::string kRows = "     0 600.00  20.00 \n     1  21.00 610.00 \n";

std::string run() {
  return kDevices + kConnectivity + matrix(kDisabled, kRows) + matrix(kWrites, kRows);
}

TEST(P2pTestLog, TheMachineIsWhatTheRunSaysOfItself) {
  const ReadLog result = read(run());
  ASSERT_EQ(result.errors, "");
  EXPECT_EQ(result.warnings, "");
  EXPECT_EQ(result.measurement.tool, "p2pBandwidthLatencyTest");
  ASSERT_THAT(result.measurement.machine.gpus, SizeIs(2));
  EXPECT_EQ(result.measurement.machine.gpus[1].name, "NVIDIA A40");
  EXPECT_EQ(result.measurement.machine.gpus[1].pci_address, "0001:c1:03.0");
  EXPECT_THAT(result.measurement.left_out, IsEmpty());
}

TEST(P2pTestLog, TheRowWritesToTheColumnAndTheDiagonalReadsToo) {
  EXPECT_THAT(
      show(read(run()).measurement),
      ElementsAre(
          "0>0 engine direct 160 MB at 300.00 GB/s",  // 600 GB/s are read or written
          "0>1 engine host 160 MB at 20.00 GB/s", "1>0 engine host 160 MB at 21.00 GB/s",
          "1>1 engine direct 160 MB at 305.00 GB/s", "0>0 engine direct 160 MB at 300.00 GB/s",
          "0>1 engine direct 160 MB at 20.00 GB/s", "1>0 engine direct 160 MB at 21.00 GB/s",
          "1>1 engine direct 160 MB at 305.00 GB/s"));
}

TEST(P2pTestLog, ACellIsOneNumberWithoutSpread) {
  const Timing timing = read(run()).measurement.results.at(1).timing;
  EXPECT_THAT(timing.median_s, DoubleNear(0.008, 1e-12));  // 160 MB at 20 GB/s
  EXPECT_EQ(timing.low_s, timing.median_s);
  EXPECT_EQ(timing.high_s, timing.median_s);
  EXPECT_EQ(timing.samples, 0U);
}

TEST(P2pTestLog, BidirectionalBandwidthsCountBothCopies) {
  const ReadLog result = read(run() + matrix("Bidirectional P2P=Enabled Bandwidth Matrix (GB/s)",
                                             "     0 640.00  40.00 \n     1  42.00 640.00 \n"));
  const std::vector<std::string> all = show(result.measurement);
  ASSERT_THAT(all, SizeIs(12));
  EXPECT_THAT(std::vector(all.begin() + 8, all.end()),
              ElementsAre("0>0 0>0 engine direct 160 MB at 160.00 GB/s",  // two, each twice counted
                          "0>1 1>0 engine direct 160 MB at 20.00 GB/s",
                          "1>0 0>1 engine direct 160 MB at 21.00 GB/s",
                          "1>1 1>1 engine direct 160 MB at 160.00 GB/s"));
}

TEST(P2pTestLog, ReadsGoTheOtherWay) {
  const ReadLog result = read(
      kDevices + matrix("Unidirectional P2P=Enabled Bandwidth (P2P Reads) Matrix (GB/s)", kRows));
  EXPECT_THAT(show(result.measurement), Contains("1>0 engine direct 160 MB at 20.00 GB/s"));
}

TEST(P2pTestLog, LatenciesAreSmallCopiesBetweenGpus) {
  const std::string gpu = "     0   1.50  12.00 \n     1  13.00   1.60 \n";
  const ReadLog result = read(run() + matrix("P2P=Disabled Latency Matrix (us)", gpu, "GPU") +
                              "\n" + matrix("", gpu, "CPU") +
                              matrix("P2P=Enabled Latency (P2P Writes) Matrix (us)", gpu, "GPU") +
                              matrix("", gpu, "CPU"));
  const std::vector<std::string> all = show(result.measurement);
  ASSERT_THAT(all, SizeIs(12));
  EXPECT_THAT(
      std::vector(all.begin() + 8, all.end()),
      ElementsAre("0>1 engine host 16 B in 12.00 us", "1>0 engine host 16 B in 13.00 us",
                  "0>1 engine direct 16 B in 12.00 us", "1>0 engine direct 16 B in 13.00 us"));
  EXPECT_THAT(result.measurement.left_out, ElementsAre(left_out("CPU", "queue a copy")));
}

TEST(P2pTestLog, BeforeCuda10TheRowReadsSmallerBuffers) {
  const ReadLog result = read(
      kDevices + matrix("Unidirectional P2P=Enabled Bandwidth Matrix (GB/s)", kRows) +
      matrix("P2P=Enabled Latency Matrix (us)", "     0   2.00   7.00 \n     1   8.00   2.00 \n"));
  EXPECT_THAT(
      show(result.measurement),
      ElementsAre("0>0 engine direct 40 MB at 300.00 GB/s", "1>0 engine direct 40 MB at 20.00 GB/s",
                  "0>1 engine direct 40 MB at 21.00 GB/s", "1>1 engine direct 40 MB at 305.00 GB/s",
                  "1>0 engine direct 1 B in 7.00 us", "0>1 engine direct 1 B in 8.00 us"));
}

TEST(P2pTestLog, GpusThatAreNotConnectedCopyThroughTheHost) {
  const ReadLog result = read(replaced(run(), "     0\t     1     1\n     1\t     1     1\n",
                                       "     0\t     1     0\n     1\t     0     1\n"));
  for (const std::string& each : show(result.measurement)) {
    const bool is_local = each.starts_with("0>0") || each.starts_with("1>1");
    EXPECT_THAT(each, HasSubstr(is_local ? " direct " : " host "));
  }
}

TEST(P2pTestLog, ACommandLineTellsSizeAndKernels) {
  const ReadLog result =
      read("$ ./p2pBandwidthLatencyTest --numElems=250000000 --sm_copy\n" + run());
  const std::vector<std::string> all = show(result.measurement);
  EXPECT_THAT(all, Each(HasSubstr(" 1000 MB at ")));
  EXPECT_THAT(all, Contains("0>1 engine host 1000 MB at 20.00 GB/s")) << "no access, no kernel";
  EXPECT_THAT(all, Contains("0>1 kernel direct 1000 MB at 20.00 GB/s"));
  EXPECT_THAT(all, Contains("0>0 engine direct 1000 MB at 300.00 GB/s"));
}

TEST(P2pTestLog, LinesAroundChangeNothing) {
  std::string noisy;
  for (const char c : run()) {
    noisy += c;
    if (c == '\n') noisy += "GPU0 is warm\n[warn] Matrix (GB/s) \xff\n7\n\n";
  }
  EXPECT_EQ(read(noisy).errors, "");
  EXPECT_EQ(show(read(noisy).measurement), show(read(run()).measurement));
  EXPECT_THAT(read(noisy).measurement.left_out, IsEmpty());
}

TEST(P2pTestLog, PrefixesOfLaunchersAreSkipped) {
  for (const char* prefix : {"[1,0]<stdout>:", "[1,0]<stdout>: ", "0: ", " 3: "}) {
    std::string text = prefix;
    for (const char c : run()) text += c == '\n' ? "\n" + std::string(prefix) : std::string(1, c);
    EXPECT_EQ(show(read(text).measurement), show(read(run()).measurement)) << prefix;
    EXPECT_EQ(read(text).measurement.machine.gpus.size(), 2U) << prefix;
    EXPECT_EQ(read(text).warnings, "") << prefix;
  }
}

TEST(P2pTestLog, LinesMayEndAsOnWindows) {
  std::string text;
  for (const char c : run()) text += c == '\n' ? std::string("\r\n") : std::string(1, c);
  EXPECT_EQ(show(read(text).measurement), show(read(run()).measurement));
}

TEST(P2pTestLog, UnitsAreThoseOfTheHeading) {
  const auto in = [](const std::string& unit, const std::string& rows) {
    return read(kDevices + matrix(replaced(kWrites, "(GB/s)", unit), rows));
  };
  EXPECT_EQ(
      show(in("(MB/s)", "     0 600000.00 20000.00 \n     1 21000.00 610000.00 \n").measurement),
      show(in("(GB/s)", kRows).measurement));
  EXPECT_THAT(show(in("(GiB/s)", "     0 100.00  10.00 \n     1  10.00 100.00 \n").measurement),
              Contains("0>1 engine direct 160 MB at 10.74 GB/s"));  // 1.073741824 GB in a GiB
  for (const char* unit : {"(Gbit/s)", "(us)", ""}) {
    EXPECT_THAT(in(unit, kRows).errors, AllOf(HasSubstr("E621"), HasSubstr("unknown unit")))
        << unit;
  }
  EXPECT_THAT(
      read(run() + matrix("P2P=Disabled Latency Matrix (ms)", kRows, "GPU")).measurement.left_out,
      ElementsAre(left_out("Latency Matrix (ms)", "unknown unit \"ms\"")));
}

TEST(P2pTestLog, NumbersThatCannotBeMeasuredAreLeftOut) {
  for (const char* number :
       {"-20.00", "0.00", "inf", "nan", "1e999", "100001.00", "2O.00", "1e-9"}) {
    const ReadLog result = read(kDevices + matrix(kWrites, replaced(kRows, "20.00", number)));
    EXPECT_THAT(result.measurement.results, SizeIs(3)) << number;
    EXPECT_THAT(result.measurement.left_out,
                ElementsAre(left_out("row 0, column 1 (line 12)", number)));
  }
  const ReadLog slow = read(run() + matrix("P2P=Disabled Latency Matrix (us)",
                                           "     0   1.00  9e9 \n     1   8.00   1.00 \n", "GPU"));
  EXPECT_THAT(slow.measurement.left_out, ElementsAre(left_out("Latency", "longer than 10 s")));
}

TEST(P2pTestLog, OfACutRowTheWholeNumbersCount) {
  const std::string whole = kDevices + matrix(kWrites, kRows);
  const std::size_t end = whole.find("610.00");
  for (std::size_t digits = 0; digits < 6; ++digits) {
    const ReadLog result = read(whole.substr(0, end + digits));
    EXPECT_THAT(result.measurement.results, SizeIs(3)) << digits;
    EXPECT_THAT(result.measurement.left_out,
                ElementsAre(left_out("row 1, column 1 (line 13)", "truncated")))
        << digits;
  }
  EXPECT_THAT(read(whole.substr(0, end + 6)).measurement.results, SizeIs(4));
}

TEST(P2pTestLog, MissingRowsAreLeftOut) {
  const ReadLog result = read(kDevices + matrix(kWrites, "     1  21.00 610.00 \n"));
  EXPECT_THAT(result.measurement.results, SizeIs(2));
  EXPECT_THAT(result.measurement.left_out, ElementsAre(left_out("row 0", "missing")));
}

TEST(P2pTestLog, MatricesThatDoNotFitTheDevicesAreLeftOut) {
  const std::string wide = replaced(matrix(kWrites, kRows), "1 \n", "1      2 \n");
  EXPECT_THAT(read(kDevices + wide).errors, HasSubstr("3 columns for 2 GPUs"));
  const ReadLog long_row =
      read(kDevices + matrix(kWrites, replaced(kRows, "20.00", "20.00  19.00")));
  EXPECT_THAT(long_row.measurement.results, SizeIs(2));
  EXPECT_THAT(long_row.measurement.left_out,
              ElementsAre(left_out("row 0", "3 values for 2 columns")));
  EXPECT_THAT(read(kDevices + matrix("", kRows)).errors, HasSubstr("without a heading"));
}

TEST(P2pTestLog, WithoutAListTheColumnsAreTheGpus) {
  const ReadLog result = read("[...]\n" + matrix(kWrites, kRows) + "[...]\n");
  ASSERT_EQ(result.errors, "");
  EXPECT_THAT(result.warnings, AllOf(HasSubstr("W621"), HasSubstr("2 GPUs")));
  ASSERT_THAT(result.measurement.machine.gpus, SizeIs(2));
  EXPECT_EQ(result.measurement.machine.gpus[0].name, "");
  EXPECT_THAT(result.measurement.results, SizeIs(4));
}

TEST(P2pTestLog, RunsMustBeOnOneMachine) {
  EXPECT_THAT(read(run() + replaced(run(), "NVIDIA A40", "NVIDIA L40")).errors,
              AllOf(HasSubstr("E622"), HasSubstr("different devices")));
  EXPECT_THAT(read(run() + replaced(run(), "pciBusID: c1", "pciBusID: c2")).errors,
              HasSubstr("E622"));
  EXPECT_THAT(read(run() + run()).measurement.results, SizeIs(16));
}

TEST(P2pTestLog, WhereNothingCanBeReadIsAnError) {
  for (const std::string& text : {std::string(), std::string("hello\n"), kDevices,
                                  kDevices + kConnectivity, kDevices + kWrites + "\n"}) {
    EXPECT_THAT(read(text).errors, AllOf(HasSubstr("E621"), HasSubstr("expected matrices")))
        << text;
  }
}

TEST(P2pTestLog, IsKnownByItsContent) {
  EXPECT_TRUE(is_p2p_test_log(kDevices));
  EXPECT_TRUE(is_p2p_test_log(kWrites));
  EXPECT_TRUE(is_p2p_test_log("Unidirectional P2P=Enabled Bandwidth Matrix (GB/s)\n"));
  EXPECT_TRUE(is_p2p_test_log("P2P=Disabled Latency Matrix (us)\n"));
  EXPECT_FALSE(is_p2p_test_log("nvbandwidth Version: v0.8\n"));
  EXPECT_FALSE(is_p2p_test_log("RDMA_Write BW Test\n"));
}

}  // namespace p2p_test_log_test
}  // namespace vgsim::calibration
