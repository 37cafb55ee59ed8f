// Mistakes of first users, each with the words that help: a table of the input and of what the
// answer must contain.

#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>

#include "tests/tools/program.hpp"

namespace vgsim {
namespace mistakes_test {

using nlohmann::json;
using ::testing::HasSubstr;

const std::string kScenarios = std::string(VGSIM_SOURCE_DIR) + "/configs/scenarios/";

json base() {
  return json::parse(R"({
    "name": "one of eight", "vsphere": "8.0U3",
    "hosts": { "h": { "server": "generic-sapphire-rapids-4+4", "gpus": "8 x h100-nvl-94gb" } },
    "vms": { "v": { "host": "h", "vcpus": 16, "memory": "128 GiB",
                    "gpus": { "mode": "vgpu", "profile": "nvidia_h100l-94c", "count": 1 } } },
    "job": { "network": "bert-large", "batch_per_gpu": 8 } })");
}

/// The base, changed by a merge patch (RFC 7396).
struct Mistake {
  const char* name;
  const char* patch;
  const char* helps;     ///< in the answer
  const char* misleads;  ///< not in it; empty: nothing
};

class OfAScenario : public ::testing::TestWithParam<Mistake> {};

TEST_P(OfAScenario, IsAnsweredWithTheRemedy) {
  const test::Scratch scratch;
  json scenario = base();
  scenario.merge_patch(json::parse(GetParam().patch));
  const test::Ran ran = test::run_program(
      scratch, "run --draws 0 " + scratch.write("s.json", scenario.dump(1)) + " --full");
  const std::string once = std::regex_replace(ran.out + ran.err, std::regex("\\s+"), " ");
  EXPECT_THAT(once, HasSubstr(GetParam().helps));
  const std::string misleads = GetParam().misleads;
  EXPECT_TRUE(misleads.empty() || once.find(misleads) == std::string::npos) << once;
}

INSTANTIATE_TEST_SUITE_P(
    Mistakes, OfAScenario,
    ::testing::Values(
        Mistake{"profile_of_another_board",
                R"({"vms": {"v": {"gpus": {"profile": "nvidia_h100-80c"}}}})",
                "it belongs to h100-pcie-80gb, the h100-nvl-94gb has \"nvidia_h100l-94c\"", ""},
        Mistake{"mig_as_a_mode", R"({"vms": {"v": {"gpus": {"mode": "mig"}}}})",
                "a MIG instance is a vGPU with a MIG-backed profile", ""},
        Mistake{"batchsize", R"({"job": {"batch_per_gpu": null, "batchsize": 8}})",
                "did you mean \"batch_per_gpu\"", ""},
        Mistake{"time_without_unit",
                R"({"disruptions": [{"kind": "vmotion", "vm": "v", "at": 7200}]})", "7200 s",
                "000 ps"},
        Mistake{"five_pairs_of_eight",
                R"({"hosts": {"h": {"nvlink_bridges": [[0,1],[2,3],[4,5],[6,7],[8,9]]}}})",
                "at most 4 pairs of 8 GPUs", ""},
        Mistake{"time_slice_of_best_effort",
                R"({"hosts": {"h": {"vgpu": {"time_slice": "1 ms"}}}})", "ignores \"time_slice\"",
                ""},
        Mistake{"tokens_beside_iterations",
                R"({"job": {"tokens": 1000000, "iterations_per_epoch": 10}})",
                "leave the others out", ""}),
    [](const auto& info) { return info.param.name; });

/// Command lines; "NAME" is a scenario, "HERE" its folder.
struct Call {
  const char* name;
  const char* command;
  const char* helps;
};

class OfACommand : public ::testing::TestWithParam<Call> {};

TEST_P(OfACommand, IsAnsweredWithTheRemedy) {
  const test::Scratch scratch;
  std::string command = GetParam().command;
  const std::string scenario = scratch.write("mine.json", base().dump(1));
  for (const auto& [word, text] : {std::pair<std::string, std::string>("NAME", scenario),
                                   {"HERE", std::filesystem::path(scenario).parent_path().string()},
                                   {"SHIPPED/", kScenarios}}) {
    for (std::size_t at = command.find(word); at != std::string::npos; at = command.find(word)) {
      command.replace(at, word.size(), text);
    }
  }
  const test::Ran ran = test::run_program(scratch, command);
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.err, HasSubstr(GetParam().helps));
}

INSTANTIATE_TEST_SUITE_P(
    Mistakes, OfACommand,
    ::testing::Values(Call{"run_of_a_request",
                           "run SHIPPED/advice/resnet-50-under-five-minutes.json",
                           "vgsim advise FILE answers it"},
                      Call{"run_of_a_sweep", "run SHIPPED/sweeps/nic-rate-and-batch.json",
                           "vgsim sweep FILE -o DIR runs it"},
                      Call{"advice_of_a_scenario", "advise SHIPPED/bert-large-4xr750xa.json",
                           "this is a scenario: vgsim run FILE simulates it"},
                      Call{"sweep_of_a_scenario",
                           "sweep SHIPPED/bert-large-4xr750xa.json -o HERE/store",
                           "this is a scenario: vgsim run FILE simulates it"},
                      Call{"name_of_a_file", "run HERE/mine.jsn", "mine.json"},
                      Call{"report_as_json", "report NAME -o HERE/r.json", "writes the results"},
                      Call{"run_as_a_page", "run NAME -o HERE/r.html", "vgsim report SCENARIO -o"}),
    [](const auto& info) { return info.param.name; });

TEST(Mistakes, ACopyOfTheConfigurationsIsNamed) {
  namespace fs = std::filesystem;
  const test::Scratch scratch;
  const fs::path copy = fs::path(scratch.file("configs"));
  fs::create_directories(copy / "scenarios");
  fs::create_directories(copy / "catalog");
  fs::copy(std::string(VGSIM_SOURCE_DIR) + "/configs/catalog", copy / "catalog");
  fs::copy(kScenarios + "xe8545-4xa100.json", copy / "scenarios/x.json");
  const test::Ran unused =
      test::run_program(scratch, "validate " + (copy / "scenarios/x.json").string());
  EXPECT_THAT(unused.err, HasSubstr("VGSIM_CONFIGS=" + copy.string() + " uses it"));
  for (const char* folder :
       {"parameters", "vsphere", "networks", "nccl", "calibrations", "errors"}) {
    const std::string from = std::string(VGSIM_SOURCE_DIR) + "/configs/" + folder;
    if (fs::exists(from)) fs::copy(from, copy / folder, fs::copy_options::recursive);
  }
  std::string constants = test::read_file(copy / "parameters/training.json");
  const std::string key = "\"layer_share\"";
  constants.replace(constants.find(key), key.size(), "\"layer_share_of_v0\"");
  std::ofstream(copy / "parameters/training.json") << constants;
  ::setenv("VGSIM_CONFIGS", copy.c_str(), 1);
  const test::Ran other = test::run_program(scratch, "run " + kScenarios + "xe8545-4xa100.json");
  ::unsetenv("VGSIM_CONFIGS");
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.err, HasSubstr("(VGSIM_CONFIGS), which may be a copy of another version"));
}

}  // namespace mistakes_test
}  // namespace vgsim
