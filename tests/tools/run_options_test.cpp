#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>

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

/// The scenario with an epoch of `iterations` iterations.
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
    EXPECT_TRUE(std::regex_search(
        ran.out,
        std::regex(std::string("\n") + layout + "\\s+(bottleneck: )?waiting for other vGPUs")))
        << ran.out;
  }
}

const std::string kScenarios = std::string(VGSIM_SOURCE_DIR) + "/configs/scenarios/";

/// Options without effect on the answer are errors, with the reason, all reported together.
TEST(Options, WithoutEffectAreErrors) {
  struct Asked {
    std::string command;
    std::vector<std::string> said;
  };
  const test::Scratch scratch;
  const std::string saved = scratch.file("saved.json");
  const std::string collective = kScenarios + "questions/q24-nvls-sharp-all-reduce.json";
  const std::string sharded = kScenarios + "training/nemotron-4-15b-tensor.json";
  ASSERT_EQ(test::run_program(scratch, "run --draws 0 --format json -o " + saved + " " +
                                           kScenarios + "questions/q05-nic-upgrade.json")
                .exit_code,
            0);
  const std::vector<Asked> all{
      {"run --seeds 3 " + sharded, {"nothing of the job varies", "/variability/compute_sigma"}},
      {"run --fidelity chunk " + sharded, {"--fidelity chunk has no effect"}},
      {"run --seeds 3 " + kScenario, {"nothing of the job varies", "/variability/compute_sigma"}},
      {"run --seed 3 --draws 0 " + kScenario, {"--seed 3 has no effect"}},
      {"run --seeds 3 --no-period --trace " + scratch.file("t") + " " + collective,
       {"--seeds 3 has", "--no-period has", "--trace has", "bare collective"}},
      {"run --full --format json -o " + scratch.file("t.csv") + " " + kScenario,
       {"--full has", "--format json has"}},
      {"validate --full -o " + scratch.file("t.csv") + " " + kScenario, {"--full has"}},
      {"place -o " + scratch.file("t.xlsx") + " " + kScenario, {"would be no table"}},
      {"explain --top 3 " + kScenario, {"--top has no effect without --full"}},
      {"explain mmio-too-small --full --set /a=1", {"--set has no effect", "--full has no effect"}},
      {"compare --draws 5 " + saved, {"--draws has no effect on saved results"}},
  };
  for (const Asked& each : all) {
    const test::Ran ran = test::run_program(scratch, each.command);
    EXPECT_EQ(ran.exit_code, 2) << each.command << ran.err;
    EXPECT_EQ(ran.out, "") << each.command;
    for (const std::string& words : each.said) {
      EXPECT_NE(ran.err.find(words), std::string::npos) << each.command << "\n" << ran.err;
    }
  }
}

/// A refused layout is a failure for every command; the other layouts are answered.
TEST(ExitCodes, OfARefusalAreTheSameForAllCommands) {
  const test::Scratch scratch;
  const std::string path = scratch.write("s.json", R"({"name": "x",
    "hosts": {"h": {"server": "dell-xe9680", "gpus": "8 x h100-sxm5-80gb"}},
    "job": {"network": "bert-large", "batch_per_gpu": 8},
    "layouts": {"fits": {}, "too large": {"job": {"batch_per_gpu": 100000}}}})");
  const std::string large = path + " --layout 'too large'";
  const std::string fits = path + " --layout fits";
  for (const std::string command :
       {"run", "run --format json", "validate", "explain", "report --format md"}) {
    EXPECT_EQ(test::run_program(scratch, command + " " + path).exit_code, 1) << command;
    EXPECT_EQ(test::run_program(scratch, command + " " + large).exit_code, 1) << command;
    EXPECT_EQ(test::run_program(scratch, command + " " + fits).exit_code, 0) << command;
  }
  EXPECT_EQ(test::run_program(scratch, "compare " + path).exit_code, 1);
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
  EXPECT_NE(ran.err.find("too large"), std::string::npos) << ran.err;
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
