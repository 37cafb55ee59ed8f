#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/tools/program.hpp"

namespace vgsim {
namespace {

using nlohmann::json;
using testing::HasSubstr;

/// A DGX A100 that takes `slower` times as long as 40 us and 230 GB/s of bus bandwidth.
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
  EXPECT_THAT(fit.err, HasSubstr("held back"));
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
        {"achieved_share_factor",
         {{"meaning", "m"}, {"value", 1.0}, {"low", 0.99}, {"high", 1.01}, {"source", "s"}}}}}};
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

}  // namespace
}  // namespace vgsim
