#include "models/calibration/logs/perftest/perftest_log.hpp"

#include <fmt/core.h>
#include <gmock/gmock.h>

#include "tests/models/calibration/logs/log_reading.hpp"
#include "tests/models/calibration/logs/log_samples.hpp"
#include "tests/support/extra.hpp"

namespace vgsim::calibration {
namespace perftest_log_test {

using input::Diagnostics;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Optional;
using ::testing::SizeIs;

struct Read {
  std::vector<PerftestRun> runs;
  std::string errors;
  std::string warnings;
};

Read read(const std::string& text) {
  Diagnostics warnings;
  auto runs = read_perftest_log(input::make_source("t.log", text), warnings);
  return {runs.value_or(std::vector<PerftestRun>{}),
          runs ? std::string() : input::render(runs.error()), input::render(warnings)};
}

const std::string kSettings =
    R"( Dual-port       : OFF		Device         : mlx5_3
 Number of qps   : 4		Transport type : IB
 Connection type : RC		Using SRQ      : OFF
 PCIe relax order: ON		Lock-free      : OFF
 ibv_wr* API     : ON		Using DDP      : OFF
 TX depth        : 128
 CQ Moderation   : 100
 Mtu             : 4096[B]
 Link type       : Ethernet
 GID index       : 3
 Max inline data : 0[B]
 rdma_cm QPs	 : OFF
 Data ex. method : Ethernet
---------------------------------------------------------------------------------------
 local address: LID 0000 QPN 0x0127 PSN 0x3ff1bc RKey 0x080329 VAddr 0x007fc97ff50000
 GID: 00:00:00:00:00:00:00:00:00:00:255:255:10:00:00:02
---------------------------------------------------------------------------------------
)";
const std::string kLine =
    "---------------------------------------------------------------------------------------\n";
const std::string kBandwidth =
    kLine + "                    RDMA_Write BW Test\n" + kSettings +
    " #bytes     #iterations    BW peak[MB/sec]    BW average[MB/sec]   MsgRate[Mpps]\n"
    " 2          5000             5.32               5.30		   2.778732\n"
    " 65536      5000             11000.25           10999.50		   0.175992\n" +
    kLine;
const std::string kLatency =
    kLine + "                    RDMA_Write Latency Test\n" + kSettings +
    " #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]    "
    "t_stdev[usec]   99% percentile[usec]   99.9% percentile[usec] \n"
    " 2       1000          1.24           5.19         1.27     	       1.29        	"
    "0.05   		"
    "1.37    		5.19   \n" +
    kLine;

TEST(PerftestLog, ABandwidthTestTellsItsSettings) {
  const Read result = read(kBandwidth);
  ASSERT_EQ(result.errors, "");
  EXPECT_EQ(result.warnings, "");
  ASSERT_THAT(result.runs, SizeIs(1));
  const PerftestRun& run = result.runs[0];
  EXPECT_EQ(run.test, "RDMA_Write BW");
  EXPECT_EQ(run.device, "mlx5_3");
  EXPECT_EQ(run.link, "Ethernet");
  EXPECT_EQ(run.transport, "IB");
  EXPECT_EQ(run.connection, "RC");
  EXPECT_THAT(run.mtu, Optional(Bytes{4096}));
  EXPECT_THAT(run.queue_pairs, Optional(std::size_t{4}));
  EXPECT_EQ(run.memory, "");
}

TEST(PerftestLog, MegabytesAreOf1048576Bytes) {
  const PerftestPoint point = read(kBandwidth).runs.at(0).points.at(1);
  EXPECT_EQ(point.size, Bytes{65536});
  EXPECT_EQ(point.iterations, 5000);
  EXPECT_THAT(point.average, Optional(DoubleNear(10999.5 * 1048576.0, 1.0)));
  EXPECT_THAT(point.peak, Optional(DoubleNear(11000.25 * 1048576.0, 1.0)));
  EXPECT_THAT(point.message_rate, Optional(DoubleNear(175992.0, 1e-3)));
  // The rate is a number of messages of that size.
  EXPECT_NEAR(*point.message_rate * 65536.0 / *point.average, 1.0, 1e-4);
  const Read recent = read(replaced(kBandwidth, "BW average[MB/sec]", "BW average[MiB/sec]"));
  EXPECT_EQ(recent.runs.at(0).points.at(1).average, point.average);
}

TEST(PerftestLog, GigabitsAreOfATenth) {
  const Read result =
      read(replaced(replaced(replaced(kBandwidth, "BW peak[MB/sec]", "BW peak[Gb/sec]"),
                             "BW average[MB/sec]", "BW average[Gb/sec]"),
                    "10999.50", "92.400000"));
  EXPECT_THAT(result.runs.at(0).points.at(1).average, Optional(DoubleNear(11.55e9, 1.0)));
}

TEST(PerftestLog, ALatencyTestTellsTimes) {
  const Read result = read(kLatency);
  ASSERT_EQ(result.errors, "");
  ASSERT_THAT(result.runs, SizeIs(1));
  EXPECT_EQ(result.runs[0].test, "RDMA_Write Latency");
  const PerftestPoint& point = result.runs[0].points.at(0);
  EXPECT_THAT(point.least_s, Optional(DoubleNear(1.24e-6, 1e-15)));
  EXPECT_THAT(point.most_s, Optional(DoubleNear(5.19e-6, 1e-15)));
  EXPECT_THAT(point.typical_s, Optional(DoubleNear(1.27e-6, 1e-15)));
  EXPECT_THAT(point.mean_s, Optional(DoubleNear(1.29e-6, 1e-15)));
  EXPECT_THAT(point.p99_s, Optional(DoubleNear(1.37e-6, 1e-15)));
  EXPECT_EQ(point.average, std::nullopt);
}

TEST(PerftestLog, EarlyAndTimedTestsHaveFewerColumns) {
  const Read early = read(
      "                    Send Latency Test\n"
      " #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]\n"
      " 64      1000          1.10           3.30         1.20\n");
  EXPECT_THAT(early.runs.at(0).points.at(0).typical_s, Optional(DoubleNear(1.2e-6, 1e-15)));
  const Read timed = read(
      "                    RDMA_Read Latency Test\n"
      " #bytes        #iterations       t_avg[usec]    tps average\n"
      " 64            2000000           2.50           400000.00\n");
  EXPECT_THAT(timed.runs.at(0).points.at(0).mean_s, Optional(DoubleNear(2.5e-6, 1e-15)));
  const Read duration = read(
      " #bytes     #iterations    BW peak[MB/sec]    BW average[MB/sec]   MsgRate[Mpps]    "
      "CPU_Util[%]\n"
      " 65536      279928           0.00               5830.79		   0.093293	    "
      "12.5\n");
  const PerftestPoint& point = duration.runs.at(0).points.at(0);
  EXPECT_EQ(point.peak, std::nullopt) << "a timed test measures no peak";
  EXPECT_THAT(point.average, Optional(DoubleNear(5830.79 * 1048576.0, 1.0)));
}

TEST(PerftestLog, BothDirectionsAreNamed) {
  const Read result =
      read(replaced(kBandwidth, "RDMA_Write BW Test", "RDMA_Write Bidirectional BW Test"));
  EXPECT_EQ(result.runs.at(0).test, "RDMA_Write Bidirectional BW");
}

TEST(PerftestLog, BuffersMayLieInAGpusMemory) {
  const std::string cuda =
      "initializing CUDA\nListing all CUDA devices in system:\n"
      "CUDA device 0: PCIe address is 1A:00\n\nPicking device No. 0\n"
      "[pid = 4711, dev = 0] device name = [NVIDIA A100-SXM4-80GB]\ncreating CUDA Ctx\n";
  const Read result = read(kBandwidth + "\n" + cuda + kLatency + "deallocating GPU buffer\n");
  ASSERT_THAT(result.runs, SizeIs(2));
  EXPECT_EQ(result.runs[0].memory, "");
  EXPECT_EQ(result.runs[1].memory, "CUDA");
  EXPECT_EQ(result.runs[1].gpu, "NVIDIA A100-SXM4-80GB");
  EXPECT_EQ(
      read(replaced(kBandwidth, " rdma_cm", " Use ROCm memory : ON\n rdma_cm")).runs.at(0).memory,
      "ROCm");
}

TEST(PerftestLog, ServerAndClientTellOneTransfer) {
  EXPECT_THAT(read(kBandwidth + kBandwidth).runs, SizeIs(1));
  EXPECT_THAT(read(kBandwidth + replaced(kBandwidth, "10999.50", "10998.50")).runs, SizeIs(2));
  std::string twice;
  std::string line;
  for (const char c : kBandwidth) {
    line += c;
    if (c != '\n') continue;
    twice += line + line;
    line.clear();
  }
  ASSERT_THAT(read(twice).runs, SizeIs(1));
  EXPECT_THAT(read(twice).runs[0].points, SizeIs(2));
}

TEST(PerftestLog, OtherLinesChangeNothing) {
  const std::string frequency = "Conflicting CPU frequency values detected: 1.5 != 3.2.\n 65536\n";
  const Read result = read(replaced(kBandwidth, " 65536 ", frequency + " 65536 "));
  EXPECT_THAT(result.runs.at(0).points, SizeIs(2));
  EXPECT_EQ(result.warnings, "");
  for (const char* prefix : {"[1,0]<stdout>:", "0: "}) {
    EXPECT_THAT(read(prefixed(kBandwidth, prefix)).runs.at(0).points, SizeIs(2)) << prefix;
  }
  std::string windows;
  for (const char c : kBandwidth) windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
  EXPECT_EQ(read(windows).runs.at(0).test, "RDMA_Write BW");
}

TEST(PerftestLog, LinesThatCannotBeAreToldOf) {
  for (const char* number : {"-1.00", "0.00", "1e30", "inf", "nan"}) {
    const Read result = read(replaced(kBandwidth, "10999.50", number));
    EXPECT_THAT(result.warnings, HasSubstr("W531")) << number;
    EXPECT_THAT(result.runs.at(0).points, SizeIs(1)) << number;
  }
  const Read cut = read(kBandwidth.substr(0, kBandwidth.find("10999.50") + 3));
  EXPECT_THAT(cut.warnings, HasSubstr("truncated"));
  EXPECT_THAT(cut.runs.at(0).points, SizeIs(1));
  const std::string whole = kBandwidth.substr(0, kBandwidth.find("0.175992") + 8);
  EXPECT_THAT(read(whole).runs.at(0).points, SizeIs(2)) << "only the newline is missing";
}

TEST(PerftestLog, UnitsThatItDoesNotPrintAreErrors) {
  EXPECT_THAT(read(replaced(kBandwidth, "BW average[MB/sec]", "BW average[parsec]")).errors,
              HasSubstr("E534"));
  EXPECT_THAT(read(replaced(replaced(kLatency, "t_typical[usec]", "t_typical[cycles]"),
                            "t_avg[usec]", "t_avg[cycles]"))
                  .errors,
              HasSubstr("E534"));
}

TEST(PerftestLog, AFileWithoutALineIsAnError) {
  for (const std::string& text :
       {std::string(), std::string("RDMA_Write BW Test\n"), kLine + kSettings,
        kBandwidth.substr(0, kBandwidth.find(" 2 ")), std::string("Couldn't connect to host\n")}) {
    EXPECT_THAT(read(text).errors, HasSubstr("E532")) << text;
  }
}

TEST(PerftestLog, IsKnownByItsHeader) {
  EXPECT_TRUE(is_perftest_log(kBandwidth));
  EXPECT_TRUE(is_perftest_log(kLatency));
  EXPECT_FALSE(is_perftest_log("[P2P (Peer-to-Peer) GPU Bandwidth Latency Test]\n"));
  EXPECT_FALSE(is_perftest_log("#bytes\n"));
}

using ExtraPerftestLog = test::NeedsExtraFiles;

TEST_F(ExtraPerftestLog, SamplesHoldWhatIsInThem) {
  const auto run_of = [](const char* file) {
    const Read result = read(sample_text(sample_folder("p2p") / file));
    EXPECT_EQ(result.errors, "");
    EXPECT_EQ(result.warnings, "");
    EXPECT_THAT(result.runs, SizeIs(1)) << "server and client of one transfer";
    return result.runs.at(0);
  };
  const PerftestRun one = run_of("ib_loopback_8M_size.log");
  EXPECT_EQ(one.test + " " + one.device + " " + one.link, "RDMA_Write BW ib0 IB");
  ASSERT_THAT(one.points, SizeIs(1));
  EXPECT_EQ(one.points[0].size, Bytes{8388608});
  EXPECT_EQ(one.points[0].iterations, 20000);
  EXPECT_THAT(one.points[0].average, Optional(DoubleNear(24056.72 * 1048576.0, 1.0)));
  const PerftestRun all = run_of("ib_loopback_all_sizes.log");
  ASSERT_THAT(all.points, SizeIs(23));
  EXPECT_EQ(all.points.front().size, Bytes{2});
  EXPECT_EQ(all.points.back().size, Bytes{8388608});
  EXPECT_THAT(all.points[13].peak, Optional(DoubleNear(23115.27 * 1048576.0, 1.0)));
  EXPECT_THAT(all.points[13].average, Optional(DoubleNear(16782.50 * 1048576.0, 1.0)));
}

}  // namespace perftest_log_test
}  // namespace vgsim::calibration
