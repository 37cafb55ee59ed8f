#include <gmock/gmock.h>

#include "models/calibration/logs/nccl_tests/nccl_tests_log.hpp"
#include "tests/models/calibration/logs/log_reading.hpp"

namespace vgsim::calibration {
namespace nccl_tests_json_test {

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
  auto tables = read_nccl_tests_log(input::make_source("t.json", text), warnings);
  return {tables.value_or(std::vector<LogTable>{}),
          tables ? std::string() : input::render(tables.error()), input::render(warnings)};
}

/// Written by all_reduce_perf -g 4 -J: no blanks, one device for all four, numbers as strings.
const std::string kFile =
    R"({"version":2,"start_time":"2025-11-02 10:20:30","args":["./build/all_reduce_perf","-b","8",)"
    R"("-g","4"],"env":["PATH=\/usr\/bin"],"nccl_version":22807,"config":{"nthreads":1,"ngpus":4,)"
    R"("minimum_bytes":8,"maximum_bytes":1048576,"step_factor":2,"warmup_iters":1,"iterations":20,)"
    R"("aggregated_iterations":1,"validation":1,"graph":0,"blocking_collectives":"false",)"
    R"("devices":[{"rank":0,"group":0,"pid":101,"hostname":"gpubox1","device":0,)"
    R"("device_hex":"0000:1a:00","device_info":"NVIDIA H100 80GB HBM3"}]},"results":[)"
    R"({"size":0,"count":0,"type":"float","redop":"sum","root":"    -1",)"
    R"("out_of_place":{"time":9.1,"alg_bw":0.0,"bus_bw":0.0,"nwrong":0.0},)"
    R"("in_place":{"time":9.1,"alg_bw":0.0,"bus_bw":0.0,"nwrong":0.0}},)"
    R"({"size":8,"count":2,"type":"float","redop":"sum","root":"    -1",)"
    R"("out_of_place":{"time":14.21,"alg_bw":0.0,"bus_bw":0.0,"nwrong":0.0},)"
    R"("in_place":{"time":13.9,"alg_bw":0.0,"bus_bw":0.0,"nwrong":null}},)"
    R"({"size":1048576,"count":262144,"type":"float","redop":"sum","root":"    -1",)"
    R"("out_of_place":{"time":30.5,"alg_bw":34.38,"bus_bw":51.57,"nwrong":0.0},)"
    R"("in_place":{"time":31.0,"alg_bw":33.83,"bus_bw":50.74,"nwrong":0.0},)"
    R"("actual_iterations":20,"experiment_name":""}],"out_of_bounds":{"count":0,"okay":"true"},)"
    R"("average_bus_bandwidth":{"bandwidth":25.577,"okay":"unchecked"},"errors":[],)"
    R"("end_time":"2025-11-02 10:20:41"})";

TEST(NcclTestsJson, AFileTellsWhatTheTextDoes) {
  const Read result = read(kFile);
  ASSERT_EQ(result.errors, "");
  EXPECT_EQ(result.warnings, "");
  ASSERT_EQ(result.tables.size(), 1U);
  const LogTable& table = result.tables[0];
  EXPECT_THAT(table.collective, Optional(std::string("all_reduce")));
  EXPECT_THAT(table.ranks, Optional(std::size_t{4}));
  EXPECT_EQ(table.devices, std::vector<std::string>{"NVIDIA H100 80GB HBM3"});
  EXPECT_EQ(table.hosts, std::vector<std::string>{"gpubox1"});
  EXPECT_THAT(table.nccl_version, Optional(std::string("2.28.7")));
  EXPECT_THAT(table.test_settings, Optional(HasSubstr("nThread 1 nGpus 4 minBytes 8 maxBytes")));
  EXPECT_THAT(table.bus_factor, Optional(::testing::DoubleNear(1.5, 0.001)));
  ASSERT_EQ(table.rows.size(), 2U) << "a message of 0 bytes does not count";
  EXPECT_EQ(table.rows[0].size, Bytes{8});
  EXPECT_EQ(table.rows[0].out_of_place, SimTime{14'210'000});
  EXPECT_EQ(table.rows[1].in_place, SimTime{31'000'000});
  EXPECT_THAT(table.rows[1].out_of_place_bus, Optional(51.57e9));
}

TEST(NcclTestsJson, EachProcessListsItsFirstGpuAlone) {
  const std::string second =
      R"({"rank":4,"hostname":"gpubox2","device":0,"device_info":"NVIDIA H100 80GB HBM3"})";
  const Read result = read(replaced(kFile, "]},\"results\"", "," + second + "]},\"results\""));
  EXPECT_THAT(result.tables.at(0).ranks, Optional(std::size_t{8}));
  EXPECT_EQ(result.tables.at(0).hosts, (std::vector<std::string>{"gpubox1", "gpubox2"}));
}

TEST(NcclTestsJson, WhereRanksFollowOneAnotherAllAreListed) {
  std::string devices;
  for (const char* rank : {"1", "2", "3"}) {
    devices +=
        std::string(R"(,{"rank":)") + rank + R"(,"hostname":"gpubox1","device_info":"H100"})";
  }
  const Read result = read(replaced(kFile, "]},\"results\"", devices + "]},\"results\""));
  EXPECT_THAT(result.tables.at(0).ranks, Optional(std::size_t{4}));
}

TEST(NcclTestsJson, APlaceThatWasNotMeasuredIsMissing) {
  const std::string place =
      R"("in_place":{"time":31.0,"alg_bw":33.83,"bus_bw":50.74,"nwrong":0.0})";
  const Read result = read(replaced(kFile, place, "\"in_place\":null"));
  ASSERT_EQ(result.errors, "");
  EXPECT_EQ(result.tables.at(0).rows.at(1).in_place, std::nullopt);
}

TEST(NcclTestsJson, WrongDataAreToldOf) {
  const Read result =
      read(replaced(kFile, "\"bus_bw\":51.57,\"nwrong\":0.0", "\"bus_bw\":51.57,\"nwrong\":17.0"));
  EXPECT_THAT(result.warnings, HasSubstr("wrong data"));
}

TEST(NcclTestsJson, WhatCannotBeAMeasurementIsRefused) {
  EXPECT_THAT(read(replaced(kFile, "\"time\":30.5", "\"cpu_time\":30.5")).errors,
              HasSubstr("CPU times"));
  EXPECT_THAT(read(replaced(kFile, "\"time\":30.5", "\"time\":0.0")).errors, HasSubstr("no time"));
  EXPECT_THAT(read(replaced(kFile, "\"time\":30.5", "\"time\":\"nan\"")).errors,
              HasSubstr("no time"));
  EXPECT_THAT(read(replaced(kFile, "\"size\":8", "\"size\":-8")).errors, HasSubstr("a size"));
  EXPECT_THAT(read(kFile.substr(0, kFile.size() / 2)).errors, HasSubstr("E103"));
  EXPECT_THAT(read(R"({"results":[],"bus_bw":0})").errors, HasSubstr("list of results is empty"));
  EXPECT_THAT(read(R"({"results":5,"bus_bw":0})").errors, HasSubstr("no results"));
}

TEST(NcclTestsJson, IsKnownByItsContent) {
  EXPECT_TRUE(is_nccl_tests_log(kFile));
  EXPECT_TRUE(is_nccl_tests_log("\xef\xbb\xbf\n" + kFile));
  EXPECT_FALSE(is_nccl_tests_log(R"({"nvbandwidth":{"testcases":[]}})"));
}

}  // namespace nccl_tests_json_test
}  // namespace vgsim::calibration
