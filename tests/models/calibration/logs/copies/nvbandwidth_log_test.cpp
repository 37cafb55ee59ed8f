#include "models/calibration/logs/copies/nvbandwidth_log.hpp"

#include <fmt/core.h>
#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/models/calibration/logs/log_reading.hpp"
#include "tests/support/extra.hpp"

namespace vgsim::calibration {
namespace nvbandwidth_log_test {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::DoubleNear;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

ReadLog read(const std::string& text) { return read_log(&read_nvbandwidth_log, text); }

std::string show(const Place& place) {
  if (place.kind == Place::Kind::kGpu) return fmt::format("{}", place.gpu);
  return place.kind == Place::Kind::kPinned ? "host" : "pageable";
}

/// "0>1 1>0 kernel 64 MiB at 10.00 GB/s": routes, kernel or copy engine, and the rate of each copy.
std::string show(const Measured& measured) {
  const auto& copies = std::get<Copies>(measured.work);
  std::string text;
  for (const Route& route : copies.routes) {
    text += show(route.from) + ">" + show(route.to) + " ";
  }
  const auto size = static_cast<double>(copies.size.count());
  return text + fmt::format("{} {} MiB at {:.2f} GB/s", copies.by_kernel ? "kernel" : "engine",
                            copies.size.count() >> 20, size / measured.timing.median_s / 1e9);
}

std::vector<std::string> show(const Measurement& measurement) {
  std::vector<std::string> all;
  for (const Measured& each : measurement.results) all.push_back(show(each));
  return all;
}

/// The lines before the tables of a run on two GPUs.
std::string preamble(const std::string& version = "v0.8") {
  return "nvbandwidth Version: " + version + "\nBuilt from Git version: " + version + R"(

CUDA Runtime Version: 12090
CUDA Driver Version: 13000
Driver Version: 580.12.01

gpubox
Device 0: NVIDIA H100 PCIe (00000000:17:00)
Device 1: NVIDIA H100 PCIe (00010000:ca:00)

)";
}

std::string table(const std::string& test, const std::string& heading, const std::string& rows) {
  return "Running " + test + ".\n" + heading + "\n           0         1\n" + rows + "\nSUM " +
         test + " 1.00\n\n";
}

const std::string kToGpu = "memcpy CE CPU(row) -> GPU(column) bandwidth (GB/s)";
const std::string kBothWays = "memcpy CE CPU(row) <-> GPU(column) bandwidth (GB/s)";

std::string host_table(const std::string& rows = " 0     50.00     40.00\n") {
  return table("host_to_device_memcpy_ce", kToGpu, rows);
}

TEST(NvbandwidthLog, TheMachineIsWhatTheRunSaysOfItself) {
  const ReadLog result = read(preamble() + host_table());
  ASSERT_EQ(result.errors, "");
  EXPECT_EQ(result.warnings, "");
  EXPECT_EQ(result.measurement.tool, "nvbandwidth v0.8");
  EXPECT_EQ(result.measurement.machine.driver, "580.12.01");
  EXPECT_EQ(result.measurement.machine.cuda, "13.0") << "the driver's, not the runtime's";
  ASSERT_THAT(result.measurement.machine.gpus, SizeIs(2));
  EXPECT_EQ(result.measurement.machine.gpus[1].name, "NVIDIA H100 PCIe");
  EXPECT_EQ(result.measurement.machine.gpus[1].pci_address, "10000:ca:00.0");
  EXPECT_THAT(result.measurement.left_out, IsEmpty());
}

TEST(NvbandwidthLog, ACellIsOneNumberWithoutSpread) {
  const ReadLog result = read(preamble() + host_table());
  ASSERT_THAT(result.measurement.results, SizeIs(2));
  const Timing& timing = result.measurement.results[0].timing;
  EXPECT_THAT(timing.median_s, DoubleNear(536870912.0 / 50e9, 1e-12));  // 2^29 B at 50 GB/s
  EXPECT_EQ(timing.low_s, timing.median_s);
  EXPECT_EQ(timing.high_s, timing.median_s);
  EXPECT_EQ(timing.samples, 0U);
}

TEST(NvbandwidthLog, CopiesBetweenHostAndGpu) {
  const ReadLog result =
      read(preamble() + host_table() +
           table("device_to_host_memcpy_sm", "memcpy SM CPU(row) <- GPU(column) bandwidth (GB/s)",
                 " 0     30.00       N/A\n") +
           table("host_to_device_bidirectional_memcpy_ce", kBothWays, " 0     20.00     21.00\n") +
           table("device_to_host_bidirectional_memcpy_sm", kBothWays, " 0     18.00     19.00\n"));
  EXPECT_THAT(show(result.measurement), ElementsAre("host>0 engine 512 MiB at 50.00 GB/s",
                                                    "host>1 engine 512 MiB at 40.00 GB/s",
                                                    "0>host kernel 512 MiB at 30.00 GB/s",
                                                    "host>0 0>host engine 512 MiB at 20.00 GB/s",
                                                    "host>1 1>host engine 512 MiB at 21.00 GB/s",
                                                    "0>host host>0 kernel 512 MiB at 18.00 GB/s",
                                                    "1>host host>1 kernel 512 MiB at 19.00 GB/s"));
  EXPECT_THAT(result.measurement.left_out, IsEmpty()) << "N/A was never measured";
}

TEST(NvbandwidthLog, TheRowIsTheGpuThatReadsOrWrites) {
  const std::string rows = " 0       N/A    200.00\n 1    210.00       N/A\n";
  const ReadLog result = read(preamble() +
                              table("device_to_device_memcpy_read_ce",
                                    "memcpy CE GPU(row) -> GPU(column) bandwidth (GB/s)", rows) +
                              table("device_to_device_memcpy_write_sm",
                                    "memcpy SM GPU(row) <- GPU(column) bandwidth (GB/s)", rows));
  EXPECT_THAT(
      show(result.measurement),
      ElementsAre("1>0 engine 512 MiB at 200.00 GB/s", "0>1 engine 512 MiB at 210.00 GB/s",
                  "0>1 kernel 512 MiB at 200.00 GB/s", "1>0 kernel 512 MiB at 210.00 GB/s"));
}

TEST(NvbandwidthLog, ATableOfTotalsCountsBothDirections) {
  const std::string test = "device_to_device_bidirectional_memcpy_write_ce";
  const auto part = [](const std::string& name, const std::string& a, const std::string& b) {
    return "memcpy CE GPU(row) <-> GPU(column) " + name +
           " bandwidth (GB/s)\n           0         1\n 0       N/A    " + a + "\n 1    " + b +
           "       N/A\n\nSUM x 1.00\n\n";
  };
  const ReadLog result =
      read(preamble() + "Running " + test + ".\n" + part("Write1", "190.00", "192.00") +
           part("Write2", "210.00", "208.00") + part("Total", "400.00", "400.00"));
  EXPECT_THAT(show(result.measurement), ElementsAre("0>1 1>0 engine 512 MiB at 200.00 GB/s",
                                                    "1>0 0>1 engine 512 MiB at 200.00 GB/s"));
  EXPECT_THAT(result.measurement.left_out,
              ElementsAre(left_out("Write1", "one direction"), left_out("Write2", "totals")));
}

TEST(NvbandwidthLog, BeforeV05KernelsCountBothDirectionsAndEnginesOne) {
  const std::string rows = "0       N/A    300.00\n1    300.00       N/A\n";
  const ReadLog result = read(preamble("v0.2") +
                              table("device_to_device_bidirectional_memcpy_read_ce",
                                    "memcpy CE GPU(row) <-> GPU(column) bandwidth (GB/s)", rows) +
                              table("device_to_device_bidirectional_memcpy_read_sm",
                                    "memcpy SM GPU(row) -> GPU(column) bandwidth (GB/s)", rows));
  EXPECT_THAT(
      show(result.measurement),
      ElementsAre("1>0 0>1 engine 64 MiB at 300.00 GB/s", "0>1 1>0 engine 64 MiB at 300.00 GB/s",
                  "1>0 0>1 kernel 64 MiB at 150.00 GB/s", "0>1 1>0 kernel 64 MiB at 150.00 GB/s"));
}

TEST(NvbandwidthLog, WhenAllGpusCopyTheSlowestTellsTheTime) {
  const ReadLog result =
      read(preamble() + table("host_to_all_memcpy_ce", kToGpu, " 0     25.00     24.00\n") +
           table("all_to_host_bidirectional_memcpy_ce", kBothWays, " 0     11.00     12.00\n"));
  EXPECT_THAT(show(result.measurement),
              ElementsAre("host>0 host>1 engine 512 MiB at 24.00 GB/s",
                          "0>host host>0 1>host host>1 engine 512 MiB at 11.00 GB/s"));
}

TEST(NvbandwidthLog, WithoutEveryRateNobodyKnowsTheSlowest) {
  for (const char* rows :
       {" 0     25.00       N/A\n", " 0     25.00\n", " 0     25.00      -1.0\n"}) {
    const ReadLog result =
        read(preamble() + host_table() + table("host_to_all_memcpy_ce", kToGpu, rows));
    EXPECT_THAT(result.measurement.results, SizeIs(2)) << rows;
    EXPECT_THAT(result.measurement.left_out,
                ElementsAre(left_out("host_to_all_memcpy_ce", "rate for each GPU")))
        << rows;
  }
}

TEST(NvbandwidthLog, ALocalCopyStaysInTheMemoryOfAGpu) {
  const ReadLog result =
      read(preamble() + table("device_local_copy", "memcpy local GPU(column) bandwidth (GB/s)",
                              " 0   1300.00   1301.00\n"));
  EXPECT_THAT(show(result.measurement), ElementsAre("0>0 engine 512 MiB at 1300.00 GB/s",
                                                    "1>1 engine 512 MiB at 1301.00 GB/s"));
}

TEST(NvbandwidthLog, TheDefaultSizeGrewInV07) {
  for (const char* version : {"v0.2", "v0.4", "v0.5", "v0.6", "v0.6.1"}) {
    EXPECT_THAT(show(read(preamble(version) + host_table()).measurement),
                Contains(HasSubstr(" 64 MiB at 50.00 GB/s")))
        << version;
  }
  for (const char* version : {"v0.7", "v0.8", "v0.10.0"}) {
    EXPECT_THAT(show(read(preamble(version) + host_table()).measurement),
                Contains(HasSubstr(" 512 MiB at 50.00 GB/s")))
        << version;
  }
}

TEST(NvbandwidthLog, ACommandLineTellsTheSize) {
  for (const char* command :
       {"user@gpubox:~$ ./nvbandwidth -t host_to_device_memcpy_ce -b 128", "+ nvbandwidth -b 128",
        "$ /opt/nvbandwidth --bufferSize 128", "$ ./nvbandwidth --bufferSize=128 -v"}) {
    EXPECT_THAT(show(read(std::string(command) + "\n" + preamble() + host_table()).measurement),
                Contains(HasSubstr(" 128 MiB at 50.00 GB/s")))
        << command;
  }
}

TEST(NvbandwidthLog, OldReleasesNameDevicesWithoutAddress) {
  const ReadLog result = read(replaced(preamble("v0.4"), " (00000000:17:00)", "") + host_table());
  EXPECT_EQ(result.measurement.machine.gpus[0].name, "NVIDIA H100 PCIe");
  EXPECT_EQ(result.measurement.machine.gpus[0].pci_address, "");
}

TEST(NvbandwidthLog, NewReleasesWriteCudaVersionsTwice) {
  const std::string text = replaced(preamble("v0.10.0"), "CUDA Driver Version: 13000",
                                    "CUDA Driver Version (API): 13.2 (13020)");
  EXPECT_EQ(read(text + host_table()).measurement.machine.cuda, "13.2");
}

TEST(NvbandwidthLog, WaivedAndUnknownTestsAreLeftOut) {
  const ReadLog result =
      read(preamble() + host_table() + "Waived:\nRunning device_to_device_memcpy_read_ce.\n" +
           "Waived: no peers\n" +
           table("host_device_latency_sm", "memory latency SM CPU(row) <-> GPU(column) (ns)",
                 " 0    700.00    710.00\n") +
           "Running all_to_one_write_ce.\nout of memory\n");
  EXPECT_THAT(result.measurement.results, SizeIs(2));
  EXPECT_THAT(result.measurement.left_out,
              ::testing::UnorderedElementsAre(
                  left_out("line 19 does not name", "waived by nvbandwidth"),
                  left_out("device_to_device_memcpy_read_ce", "waived by nvbandwidth"),
                  left_out("host_device_latency_sm", "not a known test of copies"),
                  left_out("all_to_one_write_ce", "no table")));
}

TEST(NvbandwidthLog, LinesAroundChangeNothing) {
  const std::string clean =
      preamble() + host_table() +
      table("device_to_device_memcpy_read_ce", "memcpy CE GPU(row) -> GPU(column) bandwidth (GB/s)",
            " 0       N/A    200.00\n 1    210.00       N/A\n");
  std::string noisy;
  for (const char c : clean) {
    noisy += c;
    if (c == '\n') noisy += "[warn] step 7: {\"a\": 1} \xff\n17\nRunning on gpubox with 2 GPUs\n";
  }
  EXPECT_EQ(show(read(noisy).measurement), show(read(clean).measurement));
  EXPECT_THAT(read(noisy).measurement.left_out, IsEmpty());
  EXPECT_EQ(read(noisy).errors, "");
}

TEST(NvbandwidthLog, PrefixesOfLaunchersAreSkipped) {
  const std::string clean = preamble() + host_table();
  for (const char* prefix : {"[1,0]<stdout>:", "[1,0]<stdout>: ", "0: ", " 3: "}) {
    std::string text = prefix;
    for (const char c : clean) text += c == '\n' ? "\n" + std::string(prefix) : std::string(1, c);
    EXPECT_EQ(show(read(text).measurement), show(read(clean).measurement)) << prefix;
    EXPECT_EQ(read(text).measurement.tool, "nvbandwidth v0.8") << prefix;
    EXPECT_EQ(read(text).warnings, "") << prefix;
  }
}

TEST(NvbandwidthLog, LinesMayEndAsOnWindows) {
  const std::string clean = preamble() + host_table();
  std::string text;
  for (const char c : clean) text += c == '\n' ? std::string("\r\n") : std::string(1, c);
  EXPECT_EQ(show(read(text).measurement), show(read(clean).measurement));
  EXPECT_EQ(read(text).measurement.tool, "nvbandwidth v0.8");
}

TEST(NvbandwidthLog, UnitsAreThoseOfTheHeading) {
  const auto in = [](const std::string& unit, const std::string& rows) {
    return read(preamble() + replaced(host_table(rows), "(GB/s)", unit));
  };
  EXPECT_EQ(show(in("(MB/s)", " 0  50000.00  40000.00\n").measurement),
            show(in("(GB/s)", " 0     50.00     40.00\n").measurement));
  EXPECT_THAT(show(in("(GiB/s)", " 0     10.00     10.00\n").measurement),
              Contains(HasSubstr(" at 10.74 GB/s")));  // 1.073741824 GB in a GiB
  for (const char* unit : {"(Gbit/s)", "(TB/s)", "(gb/s)", ""}) {
    const std::string errors = in(unit, " 0     50.00     40.00\n").errors;
    EXPECT_THAT(errors, HasSubstr("E621")) << unit;
    EXPECT_THAT(errors, HasSubstr("unknown unit")) << unit;
  }
}

TEST(NvbandwidthLog, NumbersThatCannotBeRatesAreLeftOut) {
  for (const char* number :
       {"-50.00", "0.00", "inf", "nan", "1e999", "100001.00", "5O.00", "1e-9"}) {
    const ReadLog result =
        read(preamble() + host_table(fmt::format(" 0     40.00    {}\n", number)));
    EXPECT_THAT(show(result.measurement), ElementsAre("host>0 engine 512 MiB at 40.00 GB/s"))
        << number;
    EXPECT_THAT(
        result.measurement.left_out,
        ElementsAre(left_out("host_to_device_memcpy_ce, row 0, column 1 (line 15)", number)));
  }
}

TEST(NvbandwidthLog, OfACutRowTheWholeNumbersCount) {
  const std::string whole = preamble() + host_table();
  const std::size_t end = whole.find("40.00");
  for (std::size_t digits = 0; digits < 5; ++digits) {
    const ReadLog result = read(whole.substr(0, end + digits));
    EXPECT_THAT(show(result.measurement), ElementsAre("host>0 engine 512 MiB at 50.00 GB/s"))
        << digits;
    EXPECT_THAT(result.measurement.left_out, ElementsAre(left_out("(line 15)", "truncated")))
        << digits;
  }
  EXPECT_THAT(show(read(whole.substr(0, end + 5)).measurement), SizeIs(2));
}

TEST(NvbandwidthLog, MissingRowsAreLeftOut) {
  const ReadLog result =
      read(preamble() + table("device_to_device_memcpy_read_ce",
                              "memcpy CE GPU(row) -> GPU(column) bandwidth (GB/s)",
                              " 1    210.00       N/A\n"));
  EXPECT_THAT(show(result.measurement), ElementsAre("0>1 engine 512 MiB at 210.00 GB/s"));
  EXPECT_THAT(result.measurement.left_out,
              ElementsAre(left_out("device_to_device_memcpy_read_ce, row 0", "missing")));
}

TEST(NvbandwidthLog, TablesThatDoNotFitTheDevicesAreLeftOutWhole) {
  const std::string wide = replaced(host_table(" 0     50.00     40.00     30.00\n"),
                                    "         1\n", "         1         2\n");
  EXPECT_THAT(read(preamble() + wide).errors, HasSubstr("3 columns for 2 GPUs"));
  const std::string high = host_table(" 0     50.00     40.00\n 1     50.00     40.00\n");
  EXPECT_THAT(read(preamble() + high).errors, HasSubstr("2 rows, expected 1"));
  const std::string long_row = host_table(" 0     50.00     40.00     30.00\n");
  EXPECT_THAT(read(preamble() + long_row).errors, HasSubstr("3 values for 2 columns"));
  const std::string unnumbered = replaced(host_table(), "           0         1\n", "");
  EXPECT_THAT(read(preamble() + unnumbered).errors,
              HasSubstr("the number of its columns is unknown"));
}

TEST(NvbandwidthLog, WithoutAListTheColumnsAreTheGpus) {
  const ReadLog result = read("nvbandwidth Version: v0.7\n" + host_table());
  ASSERT_EQ(result.errors, "");
  EXPECT_THAT(result.warnings, AllOf(HasSubstr("W621"), HasSubstr("2 GPUs")));
  ASSERT_THAT(result.measurement.machine.gpus, SizeIs(2));
  EXPECT_EQ(result.measurement.machine.gpus[0].name, "");
  EXPECT_THAT(result.measurement.results, SizeIs(2));
}

TEST(NvbandwidthLog, RunsMustBeOfOneVersionAndOnOneMachine) {
  const std::string run = preamble("v0.4") + host_table();
  EXPECT_THAT(read(run + preamble("v0.6") + host_table()).errors,
              AllOf(HasSubstr("E622"), HasSubstr("mixes outputs of nvbandwidth v0.4 and v0.6")));
  for (const char* name : {"NVIDIA A100 PCIe", "NVIDIA H100 PCIe (x)"}) {
    EXPECT_THAT(read(run + replaced(run, "NVIDIA H100 PCIe", name)).errors,
                AllOf(HasSubstr("E622"), HasSubstr("different devices")));
  }
  const std::string one = replaced(run, "Device 1: NVIDIA H100 PCIe (00010000:ca:00)\n", "");
  EXPECT_THAT(read(run + one).errors, HasSubstr("different devices"));
  const ReadLog twice = read(run + run);
  EXPECT_EQ(twice.errors, "");
  EXPECT_THAT(twice.measurement.results, SizeIs(4));
  EXPECT_THAT(twice.measurement.machine.gpus, SizeIs(2));
}

TEST(NvbandwidthLog, WhereNothingCanBeReadIsAnError) {
  for (const std::string& text : {std::string(), std::string("hello\n"), preamble(),
                                  preamble() + "Running host_to_device_memcpy_ce.\n"}) {
    EXPECT_THAT(read(text).errors, AllOf(HasSubstr("E621"), HasSubstr("expected tables"))) << text;
  }
}

TEST(NvbandwidthLog, IsKnownByItsContent) {
  EXPECT_TRUE(is_nvbandwidth_log(preamble()));
  EXPECT_TRUE(is_nvbandwidth_log(host_table()));
  EXPECT_TRUE(is_nvbandwidth_log(R"({"nvbandwidth": {"testcases": []}})"));
  EXPECT_FALSE(is_nvbandwidth_log("P2P=Disabled Latency Matrix (us)\n"));
  EXPECT_FALSE(is_nvbandwidth_log(""));
  EXPECT_FALSE(is_nvbandwidth_log(R"({"format": "vgsim.measurement/1"})"));
}

TEST(NvbandwidthLog, LongTextsAreReadToTheirEnd) {
  std::string text = preamble();
  while (text.size() < (4U << 20U)) text += host_table();
  text += "Waived:\n";
  EXPECT_EQ(read(text).errors, "");
}

const std::string kJson = R"json({
  "nvbandwidth" : {
    "CUDA Runtime Version" : 12080,
    "Driver Version" : "570.86.10",
    "GPU Device list" : [
      "0: NVIDIA H100 PCIe (00000000:17:00): (gpubox)",
      "1: NVIDIA H100 PCIe (00000000:ca:00): (gpubox)"
    ],
    "git_version" : "v0.8",
    "testcases" : [
      {
        "bandwidth_description" : "memcpy CE CPU(row) -> GPU(column) bandwidth (GB/s)",
        "bandwidth_matrix" : [ [ "55.5", "54" ] ],
        "name" : "host_to_device_memcpy_ce",
        "status" : "Passed",
        "sum" : 109.5
      },
      {
        "bandwidth_description" : "memcpy CE GPU(row) <-> GPU(column) Total bandwidth (GB/s)",
        "bandwidth_matrix" : [ [ "N/A", "190" ], [ "191", "N/A" ], [ "N/A", "210" ],
                               [ "209", "N/A" ], [ "N/A", "400" ], [ "402", "N/A" ] ],
        "name" : "device_to_device_bidirectional_memcpy_read_ce",
        "status" : "Passed",
        "sum" : 800.0
      },
      { "name" : "all_to_one_read_ce", "status" : "Waived" },
      { "name" : "device_local_copy", "status" : "Error" }
    ],
    "version" : "v0.8"
  }
}
)json";

TEST(NvbandwidthLog, JsonTellsTheSame) {
  const ReadLog result = read(kJson);
  ASSERT_EQ(result.errors, "");
  EXPECT_EQ(result.warnings, "");
  EXPECT_EQ(result.measurement.tool, "nvbandwidth v0.8");
  EXPECT_EQ(result.measurement.machine.driver, "570.86.10");
  EXPECT_EQ(result.measurement.machine.cuda, "12.8");
  ASSERT_THAT(result.measurement.machine.gpus, SizeIs(2));
  EXPECT_EQ(result.measurement.machine.gpus[0].name, "NVIDIA H100 PCIe");
  EXPECT_EQ(result.measurement.machine.gpus[1].pci_address, "0000:ca:00.0");
  EXPECT_THAT(show(result.measurement), ElementsAre("host>0 engine 512 MiB at 55.50 GB/s",
                                                    "host>1 engine 512 MiB at 54.00 GB/s",
                                                    "1>0 0>1 engine 512 MiB at 200.00 GB/s",
                                                    "0>1 1>0 engine 512 MiB at 201.00 GB/s"));
  EXPECT_THAT(result.measurement.left_out,
              ElementsAre(left_out("all_to_one_read_ce", "waived by nvbandwidth"),
                          left_out("device_local_copy", "status \"Error\"")));
}

TEST(NvbandwidthLog, LinesAroundJsonChangeNothing) {
  const ReadLog result =
      read("$ ./nvbandwidth -j {\"\n[warn] { \"b\n{\"other\": {}}\n" + kJson + "done }\n");
  ASSERT_EQ(result.errors, "");
  EXPECT_EQ(show(result.measurement), show(read(kJson).measurement));
}

TEST(NvbandwidthLog, JsonMayTellTheSizeAndNumbersAsNumbers) {
  const std::string text = replaced(replaced(kJson, R"("55.5")", "55.5"), "\"version\"",
                                    "\"bufferSize\" : 32, \"version\"");
  EXPECT_THAT(show(read(text).measurement), Contains("host>0 engine 32 MiB at 55.50 GB/s"));
}

TEST(NvbandwidthLog, DamagedJson) {
  EXPECT_THAT(read(kJson.substr(0, kJson.size() / 2)).errors, HasSubstr("E1"));
  const std::string noise = "first line\n";
  EXPECT_THAT(read(noise + replaced(kJson, "12080,", "12080")).errors, HasSubstr("t.log:5:"))
      << "the location is the one in the file";
  const auto damaged = [](const std::string& from, const std::string& to) {
    return read(replaced(kJson, from, to)).measurement.left_out;
  };
  EXPECT_THAT(damaged(R"("55.5", "54")", R"("nan", "54")"),
              Contains(left_out("host_to_device_memcpy_ce, row 0, column 0", "nan")));
  EXPECT_THAT(damaged(R"("55.5", "54")", R"("55.5", {})"),
              Contains(left_out("host_to_device_memcpy_ce, row 0, column 1", "not a number")));
  EXPECT_THAT(damaged(R"([ [ "55.5", "54" ] ])", "[ 3, null ]"),
              Contains(left_out("host_to_device_memcpy_ce", "number of its columns is unknown")));
  EXPECT_THAT(damaged(R"("55.5", "54")", R"("55.5")"),
              Contains(left_out("host_to_device_memcpy_ce", "1 columns for 2 GPUs")));
  EXPECT_THAT(damaged("-> GPU(column) bandwidth (GB/s)", "-> GPU(column)"),
              Contains(left_out("host_to_device_memcpy_ce", "unknown unit")));
  for (const char* text :
       {R"({"nvbandwidth": {"testcases": 5}})", R"({"nvbandwidth": ["testcases"]})",
        R"({"nvbandwidth": {"testcases": [1, {}, {"name": 7, "bandwidth_matrix": {}}]}})"}) {
    EXPECT_THAT(read(text).errors, HasSubstr("E621")) << text;
  }
}

TEST(NvbandwidthLog, JsonOfTwoVersionsIsRefused) {
  EXPECT_THAT(read(kJson + replaced(kJson, R"("version" : "v0.8")", R"("version" : "0.7")")).errors,
              HasSubstr("mixes outputs of nvbandwidth v0.8 and v0.7"));
  EXPECT_THAT(read(kJson + kJson).measurement.results, SizeIs(8));
}

using ExtraNvbandwidthLog = test::NeedsExtraFiles;

/// An edited real log: one device, and two matrices with more.
TEST_F(ExtraNvbandwidthLog, ASampleIsRead) {
  const auto path = test::extra_files() / "logs/nvbandwidth/superbench-nvbandwidth.log";
  std::ifstream file(path, std::ios::binary);
  ASSERT_TRUE(file) << path;
  const ReadLog result = read({std::istreambuf_iterator<char>(file), {}});
  ASSERT_EQ(result.errors, "");
  EXPECT_EQ(result.warnings, "");
  EXPECT_EQ(result.measurement.tool, "nvbandwidth v0.6");
  ASSERT_THAT(result.measurement.machine.gpus, SizeIs(1));
  EXPECT_EQ(result.measurement.machine.gpus[0].pci_address, "0009:01:00.0");
  EXPECT_THAT(show(result.measurement), Contains("host>0 kernel 64 MiB at 372.33 GB/s"));
  EXPECT_THAT(result.measurement.results, SizeIs(12)) << "14 tables of copies, two do not match";
  EXPECT_THAT(result.measurement.left_out,
              AllOf(Contains(left_out("host_to_device_memcpy_ce", "3 columns for 1 GPUs")),
                    Contains(left_out("device_to_host_memcpy_ce", "2 columns for 1 GPUs")),
                    Contains(left_out("host_device_latency_sm", "not a known test of copies"))));
}

}  // namespace nvbandwidth_log_test
}  // namespace vgsim::calibration
