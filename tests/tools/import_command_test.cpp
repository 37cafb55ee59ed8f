#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/models/traces/trace_texts.hpp"
#include "tests/tools/program.hpp"

namespace vgsim {
namespace import_command_test {

using ::testing::HasSubstr;

TEST(ImportCommand, MakesANetworkThatAScenarioCanTrain) {
  const test::Scratch scratch;
  const std::string trace =
      scratch.write("small.pt.trace.json", test::kineto_trace(test::small_network()));
  const test::Ran import =
      test::run_program(scratch, "import " + trace + " -o " + scratch.file("small.json"));
  ASSERT_EQ(import.exit_code, 0) << import.err;
  EXPECT_THAT(import.err, HasSubstr("2 layers, 5 tensors with 2686 parameters"));
  EXPECT_THAT(import.err, HasSubstr("GPU: NVIDIA A100-SXM4-80GB"));
  const nlohmann::json scenario = {{"name", "traced"},
                                   {"hosts", {{"h", {{"server", "dell-xe9680"}}}}},
                                   {"job",
                                    {{"network", "small.json"},
                                     {"batch_per_gpu", 64},
                                     {"achieved_share", 0.3},
                                     {"samples_per_epoch", 10000}}}};
  const test::Ran run = test::run_program(
      scratch, "run --format json " + scratch.write("scenario.json", scenario.dump()));
  ASSERT_EQ(run.exit_code, 0) << run.err;
  const auto result = nlohmann::json::parse(run.out);
  EXPECT_EQ(result["layouts"]["traced"]["gradients"]["bytes"], 4 * 2686);
}

TEST(ImportCommand, RefusesWithWhatTheTraceTellsAllTheSame) {
  const test::Scratch scratch;
  const std::string trace =
      scratch.write("bare.json", test::kineto_trace(test::small_network(), false));
  const test::Ran import =
      test::run_program(scratch, "import " + trace + " -o " + scratch.file("bare.out"));
  EXPECT_EQ(import.exit_code, 2);
  EXPECT_THAT(import.err, HasSubstr("median 40.0 ms"));
  EXPECT_THAT(import.err, HasSubstr("record_shapes=True"));
  EXPECT_FALSE(std::filesystem::exists(scratch.file("bare.out")));
}

TEST(ImportCommand, MeasurementsAloneMakeNoFile) {
  const test::Scratch scratch;
  const std::string log = scratch.write(
      "nccl.log",
      "NCCL version 2.19.3+cuda12.3\nbox:1:1 [0] NCCL INFO NCCL_ALGO set by environment to Ring\n");
  EXPECT_EQ(test::run_program(scratch, "import " + log).exit_code, 0);
  const test::Ran written =
      test::run_program(scratch, "import " + log + " -o " + scratch.file("o"));
  EXPECT_EQ(written.exit_code, 2);
  EXPECT_THAT(written.err, HasSubstr("NCCL_ALGO=Ring"));
  EXPECT_THAT(written.err, HasSubstr("nothing is written to"));
  EXPECT_FALSE(std::filesystem::exists(scratch.file("o")));
}

TEST(ImportCommand, NamesOfThePciIdListAreThoseOfTheCatalogue) {
  const test::Scratch scratch;
  const std::string tree = scratch.write(
      "tv.txt", "-[0000:00]---01.0-[01]----00.0  NVIDIA Corporation GA100 [A100 SXM4 40GB]\n");
  const test::Ran import = test::run_program(scratch, "import " + tree);
  ASSERT_EQ(import.exit_code, 0) << import.err;
  EXPECT_THAT(import.err, HasSubstr("1 x a100-sxm4-40gb"));
  EXPECT_THAT(import.out, ::testing::Not(HasSubstr("pci_id"))) << "the list's name tells none";
}

TEST(ImportCommand, ATraceWithKernelsGivesANetworkThatRuns) {
  const test::Scratch scratch;
  const std::string trace = scratch.write(
      "timed.json",
      test::with_kernels(test::kineto_trace(test::small_network()),
                         "ampere_fp16_s16816gemm_fp16_128x128_ldg8_f2f_stages_32x5_tn", 10));
  const std::string made = " -o " + scratch.file("timed-net.json");
  const test::Ran import = test::run_program(scratch, "import " + trace + made);
  ASSERT_EQ(import.exit_code, 0) << import.err;
  EXPECT_THAT(import.err, HasSubstr("of the fp16 peak of a100-sxm4-80gb"));
  const nlohmann::json scenario = {{"name", "traced"},
                                   {"hosts", {{"h", {{"server", "dell-xe8545"}}}}},
                                   {"job",
                                    {{"network", "timed-net.json"},
                                     {"batch_per_gpu", 2},
                                     {"precision", "fp16"},
                                     {"samples_per_epoch", 10000}}}};
  const test::Ran run = test::run_program(
      scratch, "run --format json " + scratch.write("scenario.json", scenario.dump()));
  EXPECT_EQ(run.exit_code, 0) << run.err;
  const test::Ran other = test::run_program(scratch, "import --gpu l40s " + trace + made);
  EXPECT_THAT(other.err, HasSubstr("of the fp16 peak of l40s"));
  const test::Ran unknown = test::run_program(scratch, "import --gpu h1000 " + trace + made);
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_THAT(unknown.err, HasSubstr("unknown gpu"));
}

}  // namespace import_command_test
}  // namespace vgsim
