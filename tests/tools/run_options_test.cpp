#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/tools/program.hpp"

namespace vgsim {
namespace run_options_test {

using nlohmann::json;

const std::string kScenario =
    std::string(VGSIM_SOURCE_DIR) + "/configs/scenarios/xe8545-4xa100.json";

json layout_of(const test::Scratch& scratch, const std::string& options,
               const std::string& scenario = kScenario) {
  const test::Ran ran = test::run_program(scratch, "run --format json " + options + " " + scenario);
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  return json::parse(ran.out)["layouts"].begin().value();
}

/// The scenario with jitter.
std::string jittered(const test::Scratch& scratch) {
  json scenario = json::parse(test::read_file(kScenario));
  scenario["variability"] = {{"compute_sigma", 0.05}};
  const std::string path = scratch.file("jitter.json");
  std::ofstream(path) << scenario;
  return path;
}

/// The scenario with an epoch of so many iterations.
std::string with_iterations(const test::Scratch& scratch, int iterations) {
  json scenario = json::parse(test::read_file(kScenario));
  scenario["job"].erase("samples_per_epoch");
  scenario["job"].erase("dataset");
  scenario["job"]["iterations_per_epoch"] = iterations;
  const std::string path = scratch.file("short.json");
  std::ofstream(path) << scenario;
  return path;
}

TEST(RunOptions, ShortCutsChangeWorkAndNotResults) {
  const test::Scratch scratch;
  const std::string scenario = with_iterations(scratch, 200);
  const json quick = layout_of(scratch, "", scenario);
  const json every = layout_of(scratch, "--no-symmetry --no-period", scenario);
  EXPECT_EQ(quick["fingerprint"], every["fingerprint"]);
  EXPECT_EQ(quick["epoch_time_ps"], every["epoch_time_ps"]);
  EXPECT_LT(quick["events"].get<double>() * 10, every["events"].get<double>());
}

TEST(RunOptions, TurnsOnSharedGpusAreTheCauseHoweverAJobIsSplit) {
  const test::Scratch scratch;
  const std::string path = scratch.file("shared.json");
  std::ofstream(path) << R"({"name": "shared",
    "hosts": {"e1": {"server": "dell-xe9680", "gpus": "8 x h100-sxm5-80gb"}},
    "vms": {"a": {"host": "e1", "gpus": {"count": 4, "mode": "vgpu",
                                         "profile": "nvidia_h100xm-40c"}},
            "b": {"host": "e1", "gpus": {"count": 8, "mode": "vgpu",
                                         "profile": "nvidia_h100xm-40c"}, "gpu_load": 1.0}},
    "job": {"network": "bert-large", "batch_per_gpu": 4, "cuda_graphs": true, "vms": "a",
            "samples_per_epoch": 1000},
    "layouts": {"fsdp": {"job": {"parallel": "fsdp"}}, "ddp": {"job": {"parallel": "ddp"}}}})";
  const test::Ran ran = test::run_program(scratch, "run --full " + path);
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  for (const char* layout : {"fsdp", "ddp"}) {
    EXPECT_NE(ran.out.find(std::string("  ") + layout + ": turns of other vGPUs"),
              std::string::npos)
        << ran.out;
  }
}

TEST(RunOptions, AnEventLimitStopsTheRun) {
  const test::Scratch scratch;
  const test::Ran ran = test::run_program(scratch, "run --max-events 10 " + kScenario);
  EXPECT_EQ(ran.exit_code, 4);
  EXPECT_EQ(ran.out, "");
  EXPECT_NE(ran.err.find("more than 10 events"), std::string::npos) << ran.err;
}

TEST(RunOptions, ATimeLimitStopsTheRun) {
  const test::Scratch scratch;
  const test::Ran ran =
      test::run_program(scratch, "run --no-period --time-limit \"0 s\" " + kScenario);
  EXPECT_EQ(ran.exit_code, 4);
  EXPECT_NE(ran.err.find("out of real time"), std::string::npos) << ran.err;
}

TEST(RunOptions, AMemoryLimitIsComparedWithTheEstimateBeforeTheRun) {
  const test::Scratch scratch;
  const test::Ran ran = test::run_program(scratch, "run --memory-limit \"1 kB\" " + kScenario);
  EXPECT_EQ(ran.exit_code, 4);
  EXPECT_NE(ran.err.find("too big"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("tasks"), std::string::npos) << ran.err;
}

TEST(RunOptions, SeedsAreReproducibleAndShowTheirSpread) {
  const test::Scratch scratch;
  const std::string scenario = jittered(scratch);
  const json one = layout_of(scratch, "--seed 7", scenario);
  EXPECT_EQ(one, layout_of(scratch, "--seed 7", scenario));
  EXPECT_NE(one["iteration_time_ps"],
            layout_of(scratch, "--seed 8", scenario)["iteration_time_ps"]);
  const json many = layout_of(scratch, "--seed 7 --seeds 9", scenario);
  EXPECT_EQ(many["iteration_time_ps"], one["iteration_time_ps"]) << "the first seed is shown";
  const json& spread = many["spread"]["iteration_time_s"];
  EXPECT_EQ(many["spread"]["seeds"], 9);
  EXPECT_LT(spread["low"].get<double>(), spread["median"].get<double>());
  EXPECT_LT(spread["median"].get<double>(), spread["high"].get<double>());
}

TEST(RunOptions, ChunksTakeWhatTheFluidDoesUpToTheFill) {
  const test::Scratch scratch;
  const json fluid = layout_of(scratch, "");
  const json chunk = layout_of(scratch, "--fidelity chunk");
  EXPECT_GT(chunk["events"].get<double>(), fluid["events"].get<double>());
  EXPECT_NEAR(chunk["iteration_time_s"].get<double>(), fluid["iteration_time_s"].get<double>(),
              1e-6);
}

TEST(RunOptions, NonsenseIsRefused) {
  const test::Scratch scratch;
  for (const char* option : {"--time-limit 3", "--memory-limit lots", "--fidelity exact",
                             "--seeds 0", "--max-events -1"}) {
    EXPECT_EQ(test::run_program(scratch, std::string("run ") + option + " " + kScenario).exit_code,
              2)
        << option;
  }
}

}  // namespace run_options_test
}  // namespace vgsim
