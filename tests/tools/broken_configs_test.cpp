#include <gtest/gtest.h>

#include "tests/tools/program.hpp"

namespace vgsim {
namespace broken_configs_test {

/// A scenario with one error, and the expected message.
struct Broken {
  const char* name;
  const char* find;     ///< in the valid scenario below, replaced by
  const char* replace;  ///< this
  const char* at;       ///< line:column of the error
  const char* says;     ///< part of the message or the suggestion
};

constexpr const char* kSound = R"({
  "name": "sound",
  "vsphere": "8.0U1",
  "hosts": {
    "esx[01-02]": {
      "server": "dell-r750xa",
      "gpus": "4 x a100-pcie-80gb",
      "nvlink_bridges": [[0, 1], [2, 3]],
      "nics": { "vmnic4": { "nic": "connectx-6-dx-100g", "near": "gpu0" } }
    }
  },
  "fabric": { "kind": "leaf-spine", "leaves": 2, "uplink": "400 Gbit/s" },
  "vms": {
    "vm[01-02]": {
      "host": "esx[01-02]",
      "memory": "256 GiB",
      "gpus": { "mode": "passthrough" },
      "nics": { "vmnic4": "passthrough" }
    }
  },
  "job": { "network": "bert-large", "vms": "vm*", "batch_per_gpu": 32, "samples_per_epoch": 1000 },
  "layouts": { "a": {}, "b": { "job": { "batch_per_gpu": 64 } } }
}
)";

constexpr Broken kBroken[] = {
    {"UnknownKey", "\"batch_per_gpu\": 32", "\"batch_per_gpus\": 32", "21:51",
     "did you mean \"batch_per_gpu\"?"},
    {"UnknownServer", "dell-r750xa", "dell-r750xs", "6:17", "did you mean \"dell-r750xa\""},
    {"UnknownGpu", "a100-pcie-80gb", "a100-pcie-81gb", "7:15", "a100-pcie-80gb"},
    {"UnknownNic", "connectx-6-dx-100g", "connectx-6-100g", "9:36", "connectx-6-dx-100g"},
    {"UnknownNetwork", "bert-large", "bert-lage", "21:23", "did you mean \"bert-large\""},
    {"UnknownWord", "\"mode\": \"passthrough\"", "\"mode\": \"passtrough\"", "17:25",
     "did you mean \"passthrough\"?"},
    {"DuplicateKey", "\"vsphere\": \"8.0U1\"", "\"name\": \"again\"", "3:3", "name"},
    {"FractionAsCount", "\"batch_per_gpu\": 32", "\"batch_per_gpu\": 3.7", "21:68", "3.7"},
    {"NegativeCount", "\"batch_per_gpu\": 32", "\"batch_per_gpu\": -1", "21:68", "-1"},
    {"HugeCount", "\"batch_per_gpu\": 32", "\"batch_per_gpu\": 1099511627776", "21:68",
     "1099511627776"},
    {"BooleanAsCount", "\"batch_per_gpu\": 32", "\"batch_per_gpu\": true", "21:68", "true"},
    {"BareNumberAsRate", "\"uplink\": \"400 Gbit/s\"", "\"uplink\": 400", "12:60", "unit"},
    {"AmbiguousUnit", "\"256 GiB\"", "\"256 KB\"", "16:17", "KiB"},
    {"RateWithoutTime", "\"400 Gbit/s\"", "\"400 GB\"", "12:60", "GB/s"},
    {"MissingKey", "\"nic\": \"connectx-6-dx-100g\", ", "", "9:27", "nic"},
    {"TrailingComma", "\"leaves\": 2, \"uplink\": \"400 Gbit/s\" }", "\"leaves\": 2, }", "12:48",
     "comma"},
    {"NotANumber", "\"batch_per_gpu\": 32", "\"batch_per_gpu\": NaN", "21:68", "NaN"},
    {"UnknownHost", "\"host\": \"esx[01-02]\"", "\"host\": \"esx[02-03]\"", "15:15", "esx03"},
    {"RangesOfDifferentLength", "\"host\": \"esx[01-02]\"", "\"host\": \"esx[01-03]\"", "15:15",
     "3"},
    {"BridgeBetweenUnbridgeableSlots", "[[0, 1], [2, 3]]", "[[0, 2]]", "8:26",
     "no NVLink bridge between GPU 0 and GPU 2"},
    {"TooManyGpus", "4 x a100", "8 x a100", "7:15", "has 4 GPU slots, not 8"},
    {"NoSuchDevice", "\"near\": \"gpu0\"", "\"near\": \"gpu7\"", "9:66", "no device \"gpu7\""},
    {"PatternWithoutVm", "\"vm*\"", "\"train*\"", "21:44", "unknown VM or host"},
    {"NicThatTheHostLacks", "\"vmnic4\": \"passthrough\"", "\"vmnic5\": \"passthrough\"", "18:17",
     "did you mean \"vmnic4\"?"},
    {"EpochGivenTwice", "\"samples_per_epoch\": 1000",
     "\"samples_per_epoch\": 1000, \"dataset\": \"imagenet-1k\"", "21:10", "more than once"},
    {"EmptyName", "\"name\": \"sound\"", "\"name\": \"\"", "2:11", "name"},
    {"NoHosts", "\"esx[01-02]\": {\n      \"server\"", "\"esx[02-01]\": {\n      \"server\"", "5:5",
     "esx[02-01]"},
};

class BrokenConfig : public ::testing::TestWithParam<Broken> {};

TEST_P(BrokenConfig, IsRefusedWithPositionAndReason) {
  const Broken& broken = GetParam();
  std::string text = kSound;
  const std::size_t at = text.find(broken.find);
  ASSERT_NE(at, std::string::npos);
  text.replace(at, std::string(broken.find).size(), broken.replace);
  const test::Scratch scratch;
  const std::string file = scratch.write("scenario.json", text);
  for (const char* command : {"run ", "validate "}) {
    const test::Ran ran = test::run_program(scratch, command + file);
    EXPECT_EQ(ran.exit_code, 2) << ran.err;
    EXPECT_EQ(ran.out, "");
    EXPECT_NE(ran.err.find(std::string("scenario.json:") + broken.at + ": error"),
              std::string::npos)
        << ran.err;
    EXPECT_NE(ran.err.find(broken.says), std::string::npos) << ran.err;
  }
}

INSTANTIATE_TEST_SUITE_P(All, BrokenConfig, ::testing::ValuesIn(kBroken),
                         [](const auto& parameter) { return std::string(parameter.param.name); });

TEST(BrokenConfigs, AnErrorInALayoutIsLocatedAndTheOtherLayoutIsAnswered) {
  std::string text = kSound;
  const std::string sound = "\"batch_per_gpu\": 64";
  text.replace(text.find(sound), sound.size(), "\"batch_per_gpu\": 0");
  const test::Scratch scratch;
  const test::Ran ran = test::run_program(scratch, "run " + scratch.write("s.json", text));
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_NE(ran.err.find("s.json:22:58: error"), std::string::npos) << ran.err;
  EXPECT_TRUE(ran.out.starts_with("a: ")) << ran.out;
}

TEST(BrokenConfigs, TheScenarioTheyAreMadeFromIsSound) {
  const test::Scratch scratch;
  const test::Ran ran = test::run_program(scratch, "run " + scratch.write("s.json", kSound));
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(ran.err, "");
}

TEST(BrokenConfigs, AllFaultsAreReportedTogether) {
  std::string text = kSound;
  text.replace(text.find("dell-r750xa"), 11, "dell-r750xb");
  text.replace(text.find("connectx-6-dx-100g"), 18, "connectx-6-dx-100h");
  text.replace(text.find("a100-pcie-80gb"), 14, "a100-pcie-80gc");
  const test::Scratch scratch;
  const test::Ran ran = test::run_program(scratch, "run " + scratch.write("s.json", text));
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_NE(ran.err.find("dell-r750xb"), std::string::npos) << ran.err;
}

}  // namespace broken_configs_test
}  // namespace vgsim
