#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "tests/tools/program.hpp"

namespace vgsim {
namespace calibrate_command_test {

using nlohmann::json;
using ::testing::HasSubstr;

/// A DGX A100 whose times are `slower` times those of 40 us latency and 230 GB/s bus bandwidth.
json measured(double slower) {
  json points = json::array();
  for (int i = 12; i <= 33; ++i) {
    const double size = std::pow(2.0, i);
    const double seconds = slower * (40e-6 + size * 1.75 / 230e9);
    points.push_back({{"size", std::to_string(1LL << i) + " B"},
                      {"time", std::to_string(static_cast<long long>(seconds * 1e12)) + " ps"}});
  }
  return {{"format", "vgsim.case/1"},
          {"id", "mine"},
          {"title", "my host"},
          {"class", "nvswitch"},
          {"group", "mine"},
          {"grade", "A"},
          {"source", {{"url", "https://example.org"}, {"date", "2026"}}},
          {"scenario",
           {{"name", "mine"},
            {"hosts", {{"n", {{"server", "dgx-a100"}}}}},
            {"job", {{"collective", "all_reduce"}}}}},
          {"points", points}};
}

TEST(CalibrateCommand, ACalibratedModelHoldsUntilTheHostDrifts) {
  const test::Scratch scratch;
  const std::string mine = scratch.write("mine.json", measured(1.0).dump());
  const std::string calibration = scratch.file("host.json");
  const test::Ran fit =
      test::run_program(scratch, "calibrate " + mine + " --name host -o " + calibration);
  ASSERT_EQ(fit.exit_code, 0) << fit.err;
  EXPECT_THAT(fit.err, HasSubstr("validation"));
  const json written = json::parse(test::read_file(calibration));
  EXPECT_EQ(written["format"], "vgsim.calibration/1");
  EXPECT_LT(written["fit"]["proof"]["median"], 0.05);

  const auto check = [&](const std::string& file) {
    return test::run_program(
        scratch, "check --measured " + file + " --calibration " + calibration + " --tolerance 0.1");
  };
  const test::Ran same = check(mine);
  EXPECT_EQ(same.exit_code, 0) << same.out;
  EXPECT_THAT(same.out, HasSubstr("holds: "));
  const test::Ran drifted = check(scratch.write("later.json", measured(1.3).dump()));
  EXPECT_EQ(drifted.exit_code, 1);
  EXPECT_THAT(drifted.out, HasSubstr("drifted: "));
}

TEST(CalibrateCommand, WritesNothingWhereNothingWasMeasured) {
  const test::Scratch scratch;
  json blind = measured(1.0);
  for (json& point : blind["points"]) point.erase("time");
  const test::Ran fit =
      test::run_program(scratch, "calibrate " + scratch.write("blind.json", blind.dump()) +
                                     " --name host -o " + scratch.file("host.json"));
  EXPECT_EQ(fit.exit_code, 2);
  EXPECT_FALSE(std::filesystem::exists(scratch.file("host.json")));
}

/// Output of nccl-tests on eight GPUs.
std::string nccl_tests_log(const std::string& version) {
  std::string text = "# Using devices\n";
  for (int rank = 0; rank < 8; ++rank) {
    text += "#  Rank  " + std::to_string(rank) + " Group  0 Pid 1 on host device  " +
            std::to_string(rank) + " [0x07] NVIDIA A100-SXM4-80GB\n";
  }
  text += "NCCL version " + version + "+cuda12.4\n";
  text +=
      "#       size         count      type   redop    root     time   algbw   busbw #wrong     "
      "time   algbw   busbw #wrong\n"
      "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            "
      "(us)  (GB/s)  (GB/s)\n";
  for (int i = 12; i <= 32; ++i) {
    const double size = std::pow(2.0, i);
    const double us = 40 + size * 1.75 / 230e3;
    const double algbw = size / us / 1e3;
    char row[200];
    std::snprintf(row, sizeof row,
                  "%12.0f %12.0f float sum -1 %9.2f %7.2f %7.2f 0 %9.2f %7.2f %7.2f 0\n", size,
                  size / 4, us, algbw, algbw * 1.75, us, algbw, algbw * 1.75);
    text += row;
  }
  return text;
}

std::string a100_scenario(const test::Scratch& scratch) {
  const json scenario = {{"name", "mine"},
                         {"hosts", {{"n", {{"server", "dgx-a100"}}}}},
                         {"job", {{"collective", "all_reduce"}}}};
  return scratch.write("scenario.json", scenario.dump());
}

TEST(CalibrateCommand, ReadsALogOfNcclTestsWithItsScenario) {
  const test::Scratch scratch;
  const std::string log = scratch.write("all_reduce.log", nccl_tests_log("2.21.5"));
  const std::string out = scratch.file("host.json");
  const test::Ran without =
      test::run_program(scratch, "calibrate " + log + " --name host -o " + out);
  EXPECT_EQ(without.exit_code, 2);
  EXPECT_THAT(without.err, HasSubstr("--scenario"));
  const test::Ran with =
      test::run_program(scratch, "calibrate " + log + " --scenario " + a100_scenario(scratch) +
                                     " --name host -o " + out);
  ASSERT_EQ(with.exit_code, 0) << with.err;
  EXPECT_LT(json::parse(test::read_file(out))["fit"]["proof"]["median"], 0.05);
}

TEST(CalibrateCommand, RefusesALogThatMixesVersions) {
  const test::Scratch scratch;
  const std::string log =
      scratch.write("mixed.log", nccl_tests_log("2.18.3") + nccl_tests_log("2.21.5"));
  const test::Ran ran =
      test::run_program(scratch, "calibrate " + log + " --scenario " + a100_scenario(scratch) +
                                     " --name host -o " + scratch.file("host.json"));
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.err, HasSubstr("mixes NCCL 2.18.3 and 2.21.5"));
  EXPECT_FALSE(std::filesystem::exists(scratch.file("host.json")));
}

TEST(CalibrateCommand, UsesOfNvbandwidthWhatItUnderstandsAndNamesTheRest) {
  const test::Scratch scratch;
  const std::string log = scratch.write("bandwidth.log",
                                        "nvbandwidth Version: v0.7\n"
                                        "Built from Git version: v0.7\n\n"
                                        "CUDA Runtime Version: 12080\n"
                                        "CUDA Driver Version: 12080\n"
                                        "Driver Version: 570.86.15\n\n"
                                        "Device 0: NVIDIA A100-SXM4-80GB (00000000:07:00)\n\n"
                                        "segmentation fault, or so\n"
                                        "Running host_to_device_memcpy_ce.\n"
                                        "memcpy CE CPU(row) -> GPU(column) bandwidth (GB/s)\n"
                                        "           0\n"
                                        " 0     22.50\n\n"
                                        "SUM host_to_device_memcpy_ce 22.50\n\n"
                                        "Running device_to_host_memcpy_ce.\n"
                                        "memcpy CE CPU(row) <- GPU(column) bandwidth (GB/s)\n"
                                        "           0\n"
                                        " 0     22.50\n\n"
                                        "SUM device_to_host_memcpy_ce 22.50\n\n"
                                        "Running host_to_device_memcpy_sm.\n"
                                        "memcpy SM CPU(row) -> GPU(column) bandwidth (GB/s)\n"
                                        "           0\n"
                                        " 0     21.00\n\n"
                                        "SUM host_to_device_memcpy_sm 21.00\n");
  const std::string out = scratch.file("host.json");
  const test::Ran ran = test::run_program(
      scratch, "calibrate " + log + " --validation-share 0 --name host -o " + out);
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("left out: copy pinned -> gpu0 by a kernel"));
  const json written = json::parse(test::read_file(out));
  const json& pcie = written["parameters"]["pcie_rate_factor"];
  EXPECT_GT(pcie["value"], 0.8);  // 22.5 of the 24.6 GB/s that the catalogue's payload gives
  EXPECT_LT(pcie["value"], 1.0);
}

TEST(CalibrateCommand, RefusesMeasurementsOfAnotherMachine) {
  const test::Scratch scratch;
  const test::Ran ran =
      test::run_program(scratch, "calibrate " + scratch.write("m.json", measured(1e-3).dump()) +
                                     " --name host -o " + scratch.file("host.json"));
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.err, HasSubstr("no parameters fit the measurements"));
  EXPECT_FALSE(std::filesystem::exists(scratch.file("host.json")));
}

TEST(CalibrateCommand, RefusesAFileThatMeasuresNothing) {
  const test::Scratch scratch;
  const test::Ran ran = test::run_program(
      scratch, "calibrate " + scratch.write("noise.log", "hello\nworld\n") + " --scenario " +
                   a100_scenario(scratch) + " --name host -o " + scratch.file("host.json"));
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.err, HasSubstr("is of no known kind"));
  EXPECT_FALSE(std::filesystem::exists(scratch.file("host.json")));
}

TEST(RunCommand, IntervalsNarrowWithACalibration) {
  const test::Scratch scratch;
  const json exact = {
      {"format", "vgsim.calibration/1"},
      {"name", "exact"},
      {"date", "2026-11-22"},
      {"sources", {{"s", {{"title", "a test"}, {"evidence", "measured"}}}}},
      {"parameters",
       {{"nvlink_rate_factor",
         {{"meaning", "m"}, {"value", 0.9}, {"low", 0.89}, {"high", 0.91}, {"source", "s"}}},
        {"usual_software_share",
         {{"meaning", "m"}, {"value", 0.8}, {"low", 0.79}, {"high", 0.81}, {"source", "s"}}},
        {"data_parallel_model_error",
         {{"meaning", "m"}, {"value", 1}, {"low", 0.9}, {"high", 1.2}, {"source", "s"}}}}}};
  scratch.write("exact.json", exact.dump());
  json scenario = {
      {"name", "intervals"},
      {"hosts", {{"h", {{"server", "dgx-a100"}}}}},
      {"job", {{"network", "bert-large"}, {"batch_per_gpu", 32}}},
      {"layouts", {{"default", json::object()}, {"calibrated", {{"calibration", "exact.json"}}}}}};
  const test::Ran run = test::run_program(
      scratch, "run --format json --draws 40 " + scratch.write("scenario.json", scenario.dump()));
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const json layouts = json::parse(run.out)["layouts"];
  const auto width = [&](const char* layout) {
    const json& interval = layouts[layout]["interval"]["iteration_time_s"];
    return interval["high"].get<double>() - interval["low"].get<double>();
  };
  EXPECT_GT(width("default"), 0.0);
  EXPECT_LT(width("calibrated"), width("default"));
  EXPECT_TRUE(layouts["default"]["calibration"].is_null());
  EXPECT_THAT(layouts["calibrated"]["calibration"].get<std::string>(), HasSubstr("exact"));
}

}  // namespace calibrate_command_test
}  // namespace vgsim
