// New scenarios run without changes.

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/tools/program.hpp"

namespace vgsim {
namespace new_command_test {

using nlohmann::json;
using test::Ran;
using test::run_program;
using test::Scratch;
using testing::HasSubstr;
using testing::Not;

/// Options, the resulting layouts, and the number of GPUs.
struct NewCase {
  const char* flags;
  std::vector<std::string> layouts;
  int gpus;
};

void PrintTo(const NewCase& c, std::ostream* out) { *out << c.flags; }

class NewScenario : public testing::TestWithParam<NewCase> {
 protected:
  Scratch scratch_;
};

TEST_P(NewScenario, ValidatesAndRuns) {
  const NewCase& wanted = GetParam();
  const std::string file = scratch_.file("new.json");
  const Ran made = run_program(scratch_, std::string("new ") + wanted.flags + " -o " + file);
  ASSERT_EQ(made.exit_code, 0) << made.err;
  const Ran valid = run_program(scratch_, "validate " + file);
  EXPECT_EQ(valid.exit_code, 0) << valid.err << valid.out;
  const Ran ran = run_program(scratch_, "run --draws 0 --format json " + file);
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const json result = json::parse(ran.out);
  ASSERT_EQ(result["layouts"].size(), wanted.layouts.size());
  for (const std::string& layout : wanted.layouts) {
    EXPECT_EQ(result["layouts"][layout]["ranks"], wanted.gpus) << layout;
    EXPECT_GT(result["layouts"][layout]["iteration_time_s"].get<double>(), 0) << layout;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Flags, NewScenario,
    testing::Values(
        NewCase{"", {"passthrough", "vgpu"}, 8},
        NewCase{"--server dell-xe9680 --hosts 2 --network llama-3-8b --parallel fsdp --layout all",
                {"passthrough", "vgpu", "mig"},
                16},
        NewCase{"--server r750xa --gpus '4x a100' --hosts 4 --layout both --batch 16",
                {"passthrough", "vgpu"},
                16},
        NewCase{"--server generic-turin-4+4 --gpus '2 x L40S' --network 'ResNet-50' --layout vgpu",
                {"vgpu"},
                2},
        NewCase{"--server generic-1gpu --gpus 'H100 PCIe' --layout mig --profile 3g.40gb "
                "--network resnet-50 --batch 32",
                {"mig"},
                1},
        NewCase{"--server hgx-h200-4nic --hosts 2 --network llama-2-70b --parallel "
                "tensor=8,zero1 --batch 1 --layout passthrough",
                {"passthrough"},
                16},
        // NVIDIA does not support vGPU on DGX systems.
        NewCase{"--server dgx-1 --hosts 3 --nics 2 --nic 'CX5 100G' --network resnet-50",
                {"passthrough"},
                24},
        NewCase{
            "--server aws-p5 --hosts 10 --network gpt-3-175b --vsphere 9.0 --layout passthrough",
            {"passthrough"},
            80}));

TEST(NewCommand, IsWhatItsFlagsSay) {
  const Scratch scratch;
  const Ran ran =
      run_program(scratch,
                  "new --server xe9680 --hosts 12 --gpus '4x h100' --network 'Llama 3 8B' "
                  "--parallel fsdp --batch 2 --nics 4 --vsphere 9.0 --name mine </dev/null");
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const json scenario = json::parse(ran.out);
  EXPECT_EQ(scenario["name"], "mine");
  EXPECT_EQ(scenario["vsphere"], "9.0");
  const json& host = scenario["hosts"]["esx[01-12]"];
  EXPECT_EQ(host["server"], "dell-xe9680");
  EXPECT_EQ(host["gpus"], "4 x h100-sxm5-80gb");
  EXPECT_EQ(host["nics"]["vmnic[0-3]"]["near"], "gpu[0-3]");
  EXPECT_EQ(scenario["vms"]["train[01-12]"]["host"], "esx[01-12]");
  EXPECT_EQ(scenario["job"]["network"], "llama-3-8b");
  EXPECT_EQ(scenario["job"]["batch_per_gpu"], 2);
  EXPECT_EQ(scenario["job"]["parallel"]["sharding"], "zero3");
  for (const json& part : {scenario, host, scenario["fabric"], scenario["vms"]["train[01-12]"],
                           scenario["job"], scenario["layouts"]}) {
    EXPECT_GT(part.at("$comment").get<std::string>().size(), 20U);
  }
}

TEST(NewCommand, CanBePipedIntoRun) {
  const Scratch scratch;
  const std::string command = std::string(VGSIM_PROGRAM) +
                              " new --server generic-1gpu </dev/null | " + VGSIM_PROGRAM +
                              " run --draws 0 - >" + scratch.file("out");
  EXPECT_EQ(std::system(command.c_str()), 0);
  EXPECT_GT(test::read_file(scratch.file("out")).size(), 100U);
}

TEST(NewCommand, DoesNotWriteOverAFileUnlessForced) {
  const Scratch scratch;
  const std::string file = scratch.write("mine.json", "precious");
  const Ran refused = run_program(scratch, "new -o " + file);
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("--force"));
  EXPECT_EQ(test::read_file(file), "precious");
  EXPECT_EQ(run_program(scratch, "new --force -o " + file).exit_code, 0);
  EXPECT_TRUE(json::accept(test::read_file(file)));
}

TEST(NewCommand, NamesTheNearestOfWrongWords) {
  const Scratch scratch;
  const Ran ran = run_program(scratch,
                              "new --server dell-xe968 --network bert-larg --parallel fsdpp "
                              "--layout vgpuu --hosts many --vsphere 8.0U33");
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_EQ(ran.out, "");
  for (const char* part : {"did you mean \"dell-xe9680\"", "did you mean \"bert-large\"",
                           "did you mean \"fsdp\"", "--hosts \"many\"", "did you mean \"8.0U3\""}) {
    EXPECT_THAT(ran.err, HasSubstr(part)) << part;
  }
  EXPECT_THAT(run_program(scratch, "new --layout vgpuu").err, HasSubstr("did you mean \"vgpu\""));
  EXPECT_THAT(run_program(scratch, "new --parallel tensr=4").err,
              HasSubstr("did you mean \"tensor\""));
  EXPECT_THAT(run_program(scratch, "new --network bert").err, HasSubstr("bert-base, bert-large"));
}

TEST(NewCommand, RefusesWhatTheMachineCannotHave) {
  const Scratch scratch;
  EXPECT_THAT(
      run_program(scratch, "new --server generic-turin-4+4 --gpus '4 x l40s' --layout mig").err,
      HasSubstr("l40s has no MIG"));
  const std::string only_mig =
      run_program(scratch, "new --server r760xa --gpus '2 x rtx-pro-4500-bse' --layout vgpu").err;
  EXPECT_THAT(only_mig, HasSubstr("all vGPU profiles of rtx-pro-4500-bse are MIG-backed"));
  EXPECT_THAT(only_mig, HasSubstr("--layout mig or passthrough"));
  EXPECT_THAT(run_program(scratch, "new --server dell-r750xa --gpus 8").err,
              HasSubstr("has 4 GPU slots, not 8"));
  EXPECT_THAT(run_program(scratch, "new --server dgx-spark --layout vgpu").err,
              HasSubstr("no vGPU profiles"));
}

TEST(NewCommand, WritesNothingThatDoesNotRun) {
  const Scratch scratch;
  const std::string file = scratch.file("mine.json");
  const Ran ran =
      run_program(scratch, "new --server generic-1gpu --network llama-3-405b -o " + file);
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.err, HasSubstr("job-does-not-fit"));
  EXPECT_FALSE(std::filesystem::exists(file));
}

/// Cards get the bridges that the server supports; without them vGPUs of a device group would
/// have no NVLink. SXM modules and cards without NVLink have none.
TEST(NewScenarioBridges, AreThoseOfTheServer) {
  const Scratch scratch;
  const auto bridges = [&](const std::string& flags) {
    const Ran made = run_program(scratch, "new " + flags);
    EXPECT_EQ(made.exit_code, 0) << made.err;
    const json host = *json::parse(made.out)["hosts"].begin();
    return host.value("nvlink_bridges", json::array());
  };
  EXPECT_EQ(bridges("--server sr675-v3 --gpus '4 x h100-nvl-94gb'"), json({{0, 1}, {2, 3}}));
  EXPECT_EQ(bridges("--server r750xa --gpus '2 x a100-pcie-80gb'"), json({{0, 1}}));
  EXPECT_EQ(bridges("--server r750xa --gpus '4 x l40s'"), json::array());
  EXPECT_EQ(bridges("--server dell-xe9680"), json::array());
}

}  // namespace new_command_test
}  // namespace vgsim
