#include "models/calibration/logs/copies/bandwidth_test_log.hpp"

#include <fmt/core.h>
#include <gmock/gmock.h>

#include "tests/models/calibration/logs/log_reading.hpp"
#include "tests/models/calibration/logs/log_samples.hpp"

namespace vgsim::calibration {
namespace bandwidth_test_log_test {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::DoubleNear;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

ReadLog read(const std::string& text) { return read_log(&read_bandwidth_test_log, text); }

/// "pinned>gpu0 32000000 B at 24.90 GB/s": the route, the size and the rate of the copy.
std::vector<std::string> show(const Measurement& measurement) {
  std::vector<std::string> all;
  for (const Measured& measured : measurement.results) {
    const auto& copies = std::get<Copies>(measured.work);
    EXPECT_THAT(copies.routes, SizeIs(1));
    EXPECT_FALSE(copies.by_kernel);
    const double size = static_cast<double>(copies.size.count());
    all.push_back(fmt::format("{}>{} {} B at {:.3f} GB/s", to_string(copies.routes[0].from),
                              to_string(copies.routes[0].to), copies.size.count(),
                              size / measured.timing.median_s / 1e9));
  }
  return all;
}

const std::string kRun = R"([CUDA Bandwidth Test] - Starting...
Running on...

 Device 0: NVIDIA A40
 Quick Mode

 Host to Device Bandwidth, 1 Device(s)
 PINNED Memory Transfers
   Transfer Size (Bytes)	Bandwidth(GB/s)
   32000000			25.5

 Device to Host Bandwidth, 1 Device(s)
 PINNED Memory Transfers
   Transfer Size (Bytes)	Bandwidth(GB/s)
   32000000			26.3

 Device to Device Bandwidth, 1 Device(s)
 PINNED Memory Transfers
   Transfer Size (Bytes)	Bandwidth(GB/s)
   32000000			520.4

Result = PASS

NOTE: The CUDA Samples are not meant for performance measurements.
)";
const std::vector<std::string> kCopies = {"pinned>gpu0 32000000 B at 25.500 GB/s",
                                          "gpu0>pinned 32000000 B at 26.300 GB/s",
                                          "gpu0>gpu0 32000000 B at 260.200 GB/s"};

TEST(BandwidthTestLog, WithinAGpuReadingAndWritingCount) {
  const ReadLog result = read(kRun);
  ASSERT_EQ(result.errors, "");
  EXPECT_EQ(result.warnings, "");
  EXPECT_EQ(show(result.measurement), kCopies);
  EXPECT_THAT(result.measurement.left_out, IsEmpty());
  EXPECT_EQ(result.measurement.tool, "bandwidthTest");
  ASSERT_THAT(result.measurement.machine.gpus, SizeIs(1));
  EXPECT_EQ(result.measurement.machine.gpus[0].name, "NVIDIA A40");
  const Timing& timing = result.measurement.results[0].timing;
  EXPECT_THAT(timing.median_s, DoubleNear(0.032 / 25.5, 1e-12));
  EXPECT_EQ(timing.samples, 0U);
}

TEST(BandwidthTestLog, PrefixesAndLineEndsChangeNothing) {
  for (const char* prefix : {"[1,0]<stdout>:", "[1,0]<stdout>: ", "0: ", "  "}) {
    EXPECT_EQ(show(read(prefixed(kRun, prefix)).measurement), kCopies) << prefix;
  }
  std::string windows;
  for (const char c : kRun) windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
  EXPECT_EQ(show(read(windows).measurement), kCopies);
}

TEST(BandwidthTestLog, BlanksMayBeLostInACopy) {
  std::string text;
  for (const char c : kRun) {
    const bool is_blank = c == ' ' || c == '\t';
    if (is_blank && (text.empty() || text.back() == ' ' || text.back() == '\n')) continue;
    text += is_blank ? ' ' : c;
  }
  EXPECT_EQ(show(read(text).measurement), kCopies);
}

TEST(BandwidthTestLog, RangesAndShmoosHaveALineForEachSize) {
  const ReadLog result = read(R"(Running on...

 Device 2: NVIDIA A40
 Shmoo Mode

.................................................................................
 Host to Device Bandwidth, 1 Device(s)
 PAGEABLE Memory Transfers
   Transfer Size (Bytes)	Bandwidth(GB/s)
   1024				0.0
   2048				0.4
   3072				1.2
   67186688			12.5

)");
  ASSERT_EQ(result.errors, "");
  EXPECT_THAT(show(result.measurement), ElementsAre("pageable>gpu2 3072 B at 1.200 GB/s",
                                                    "pageable>gpu2 67186688 B at 12.500 GB/s"));
  EXPECT_THAT(result.measurement.machine.gpus, SizeIs(3));
  EXPECT_THAT(result.measurement.left_out,
              ElementsAre(left_out("pageable, 2 sizes from 1 KiB to 2 KiB", "0.1 GB/s")));
}

/// (float)(1<<10) per millisecond over 1<<20 from CUDA 5 on, and 1e3f over 1<<20 before.
TEST(BandwidthTestLog, AMegabyteDependsOnTheRelease) {
  const std::string recent = replaced(kRun, "Bandwidth(GB/s)\n   32000000\t\t\t25.5",
                                      "Bandwidth(MB/s)\n   33554432\t\t\t11618.3");
  EXPECT_THAT(show(read(recent).measurement),
              Contains("pinned>gpu0 33554432 B at 11.897 GB/s"));  // 11618.3 * 1.024
  const ReadLog early = read(R"(Running on......
      device 0:GeForce 8800 GTX
Quick Mode
Host to Device Bandwidth for Pageable memory
.
Transfer Size (Bytes)	Bandwidth(MB/s)
 33554432		2000.0

Quick Mode
Device to Device Bandwidth
.
Transfer Size (Bytes)	Bandwidth(MB/s)
 33554432		70000.0

&&&& Test PASSED
)");
  EXPECT_THAT(show(early.measurement),
              ElementsAre("pageable>gpu0 33554432 B at 2.097 GB/s",  // 2000 * 1.048576
                          "gpu0>gpu0 33554432 B at 36.700 GB/s"));
  EXPECT_EQ(early.measurement.machine.gpus.at(0).name, "GeForce 8800 GTX");
}

TEST(BandwidthTestLog, LinesOfCsvTellTheSame) {
  const ReadLog result = read(R"([CUDA Bandwidth Test] - Starting...
Running on...

 Device 1: NVIDIA A40
 Quick Mode

bandwidthTest-H2D-Pinned, Bandwidth = 25.5 GB/s, Time = 0.00125 s, Size = 32000000 bytes, NumDevsUsed = 1
bandwidthTest-D2H-Paged, Bandwidth = 9.5 GB/s, Time = 0.00337 s, Size = 32000000 bytes, NumDevsUsed = 1
bandwidthTest-D2D, Bandwidth = 520.4 GB/s, Time = 0.00006 s, Size = 32000000 bytes, NumDevsUsed = 1
bandwidthTest-H2D-Pinned-WriteCombined, Bandwidth = 25.6 GB/s, Time = 0.00125 s, Size = 32000000 bytes, NumDevsUsed = 1
bandwidthTest-H2D-Pinned, Bandwidth = 51.0 GB/s, Time = 0.00063 s, Size = 32000000 bytes, NumDevsUsed = 2
)");
  EXPECT_THAT(show(result.measurement), ElementsAre("pinned>gpu1 32000000 B at 25.500 GB/s",
                                                    "gpu1>pageable 32000000 B at 9.500 GB/s",
                                                    "gpu1>gpu1 32000000 B at 260.200 GB/s"));
  EXPECT_THAT(result.measurement.left_out,
              ElementsAre(left_out("Host to Device", "write-combined"),
                          left_out("Host to Device", "the sum of 2 devices")));
}

TEST(BandwidthTestLog, WriteCombinedMemoryIsToldBeforeTheUnit) {
  const std::string wc = " Write-Combined Memory Writes are Enabled   Transfer Size";
  const ReadLog result = read(replaced(kRun, "   Transfer Size", wc));
  EXPECT_THAT(result.measurement.left_out, ElementsAre(left_out("pinned", "write-combined")));
  EXPECT_THAT(result.measurement.results, SizeIs(2));
}

TEST(BandwidthTestLog, SumsOverDevicesAreLeftOut) {
  const std::string all =
      "\n!!!!!Cumulative Bandwidth to be computed from all the devices !!!!!!\n";
  std::string text = all + replaced(kRun, " Quick", " Device 1: NVIDIA A40\n Quick");
  for (int table = 0; table < 3; ++table) text = replaced(text, ", 1 Device(s)", ", 2 Device(s)");
  EXPECT_THAT(read(text).errors, AllOf(HasSubstr("E621"), HasSubstr("the sum of 2 devices")));
}

TEST(BandwidthTestLog, RunsOnOtherDevicesMayFollow) {
  const ReadLog result =
      read(kRun + replaced(kRun, "Device 0: NVIDIA A40", "Device 3: NVIDIA L40"));
  ASSERT_EQ(result.errors, "");
  EXPECT_THAT(result.measurement.results, SizeIs(6));
  EXPECT_THAT(show(result.measurement), Contains("pinned>gpu3 32000000 B at 25.500 GB/s"));
  ASSERT_THAT(result.measurement.machine.gpus, SizeIs(4));
  EXPECT_EQ(result.measurement.machine.gpus[3].name, "NVIDIA L40");
  EXPECT_THAT(read(kRun + replaced(kRun, "NVIDIA A40", "NVIDIA L40")).errors, HasSubstr("E622"));
}

TEST(BandwidthTestLog, WithoutANameTheDeviceIsTheFirst) {
  const ReadLog result = read(kRun.substr(kRun.find(" Host to Device")));
  EXPECT_EQ(show(result.measurement), kCopies);
  EXPECT_THAT(result.warnings, HasSubstr("W621"));
}

TEST(BandwidthTestLog, WhatCannotBeIsLeftOut) {
  const auto with = [](const std::string& from, const std::string& to) {
    return read(replaced(kRun, from, to)).measurement.left_out;
  };
  EXPECT_THAT(with("(GB/s)", "(Gbit/s)"), ElementsAre(left_out("pinned", "unknown unit")));
  EXPECT_THAT(with("32000000			25.5", "0	25.5"),
              ElementsAre(left_out("pinned", "not a size")));
  EXPECT_THAT(with("25.5", "-25.5"), ElementsAre(left_out("pinned (line 10)", "above 0")));
  EXPECT_THAT(with("25.5", "nan"), ElementsAre(left_out("pinned (line 10)", "above 0")));
  EXPECT_THAT(with("25.5", "2e9"), ElementsAre(left_out("pinned (line 10)", "100 TB/s")));
  EXPECT_THAT(with("   32000000			25.5\n", ""),
              ElementsAre(left_out("pinned", "no line")));
}

TEST(BandwidthTestLog, WhereNothingCanBeReadIsAnError) {
  for (const std::string& text :
       {std::string(), std::string("hello\n"), kRun.substr(0, 90), kRun.substr(0, 200)}) {
    EXPECT_THAT(read(text).errors, HasSubstr("E621")) << text;
  }
}

TEST(BandwidthTestLog, IsKnownByItsContent) {
  EXPECT_TRUE(is_bandwidth_test_log(kRun));
  EXPECT_TRUE(is_bandwidth_test_log("Transfer Size (Bytes)	Bandwidth(MB/s)\n"));
  EXPECT_TRUE(is_bandwidth_test_log("bandwidthTest-D2D, Bandwidth = 5.0 GB/s, Time = 1 s\n"));
  EXPECT_FALSE(is_bandwidth_test_log("P2P=Disabled Latency Matrix (us)\n"));
  EXPECT_FALSE(is_bandwidth_test_log("make bandwidthTest\n"));
}

}  // namespace bandwidth_test_log_test
}  // namespace vgsim::calibration
