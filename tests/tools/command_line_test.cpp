#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/tools/program.hpp"

namespace vgsim {
namespace command_line_test {

const std::string kScenario =
    std::string(VGSIM_SOURCE_DIR) + "/configs/scenarios/xe8545-4xa100.json";

TEST(CommandLine, JsonGoesToStdoutAlone) {
  const test::Scratch scratch;
  const test::Ran ran = test::run_program(scratch, "run --format json " + kScenario);
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_EQ(ran.err, "");
  const auto result = nlohmann::json::parse(ran.out);
  EXPECT_EQ(result["schema"], "vgsim.result/2");
  const auto& layout = result["layouts"]["passthrough"];
  for (const char* key : {"iteration_time_s", "epoch_time_s", "samples_per_s", "scaling_efficiency",
                          "breakdown_s", "bottleneck", "links", "warnings", "fingerprint"}) {
    EXPECT_TRUE(layout.contains(key)) << key;
  }
  double sum = 0.0;
  for (const auto& part : layout["breakdown_s"]) sum += part.get<double>();
  EXPECT_NEAR(sum, layout["iteration_time_s"].get<double>(), 1e-12);
}

TEST(CommandLine, TextNamesEveryLayoutAndTheBottleneck) {
  const test::Scratch scratch;
  const test::Ran ran = test::run_program(scratch, "run --full " + kScenario);
  for (const char* word : {"passthrough", "vgpu, no group", "iteration", "exposed communication",
                           "bottleneck", "vSphere: "}) {
    EXPECT_NE(ran.out.find(word), std::string::npos) << word;
  }
}

TEST(CommandLine, AFileIsWrittenWholeOrNotAtAll) {
  const test::Scratch scratch;
  const std::string out = scratch.file("result.json");
  EXPECT_EQ(test::run_program(scratch, "run --format json -o " + out + " " + kScenario).exit_code,
            0);
  EXPECT_TRUE(nlohmann::json::accept(test::read_file(out)));
  const test::Ran ran = test::run_program(scratch, "run -o " + out + "/result.json " + kScenario);
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_NE(ran.err.find("cannot write"), std::string::npos);
}

TEST(CommandLine, AFullDeviceIsAnError) {
  const test::Scratch scratch;
  const int status = std::system(
      (std::string(VGSIM_PROGRAM) + " run " + kScenario + " >/dev/full 2>/dev/null").c_str());
  EXPECT_EQ(WEXITSTATUS(status), 2);
  EXPECT_EQ(test::run_program(scratch, "run -o /dev/full " + kScenario).exit_code, 2);
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full")) << "a device is never replaced";
}

TEST(CommandLine, WrongUsageIsExplained) {
  const test::Scratch scratch;
  const test::Ran typo = test::run_program(scratch, "rnu x.json");
  EXPECT_EQ(typo.exit_code, 2);
  EXPECT_NE(typo.err.find("did you mean \"run\"?"), std::string::npos) << typo.err;
  EXPECT_EQ(test::run_program(scratch, "").exit_code, 2);
  EXPECT_EQ(test::run_program(scratch, "run").exit_code, 2);
  EXPECT_EQ(test::run_program(scratch, "run missing.json").exit_code, 2);
  EXPECT_EQ(test::run_program(scratch, "run --format xml " + kScenario).exit_code, 2);
  EXPECT_EQ(test::run_program(scratch, "--help").exit_code, 0);
  EXPECT_EQ(test::run_program(scratch, "--version").exit_code, 0);
}

TEST(CommandLine, TheCatalogueShowsValuesWithSources) {
  const test::Scratch scratch;
  const test::Ran kinds = test::run_program(scratch, "catalog");
  EXPECT_NE(kinds.out.find("gpus"), std::string::npos);
  const test::Ran gpu = test::run_program(scratch, "catalog gpus a100-pcie-80gb");
  EXPECT_NE(gpu.out.find("1935 GB/s"), std::string::npos) << gpu.out;
  EXPECT_NE(gpu.out.find("(datasheet)"), std::string::npos) << gpu.out;
  const test::Ran server = test::run_program(scratch, "catalog servers dell-r750xa");
  EXPECT_NE(server.out.find("rc0       socket 0"), std::string::npos) << server.out;
  EXPECT_EQ(server.out.find("{"), std::string::npos) << "no JSON among the text";
  const test::Ran typo = test::run_program(scratch, "catalog gpus a100-pcie-8gb");
  EXPECT_EQ(typo.exit_code, 2);
  EXPECT_NE(typo.err.find("did you mean"), std::string::npos);
  EXPECT_EQ(test::run_program(scratch, "catalog things").exit_code, 2);
}

TEST(CommandLine, ValidateDoesNotSimulate) {
  const test::Scratch scratch;
  const test::Ran ran = test::run_program(scratch, "validate --format json " + kScenario);
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  const auto result = nlohmann::json::parse(ran.out);
  EXPECT_FALSE(result["layouts"]["passthrough"].contains("iteration_time_s"));
  EXPECT_EQ(result["layouts"]["passthrough"]["ranks"], 4);
}

}  // namespace command_line_test
}  // namespace vgsim
