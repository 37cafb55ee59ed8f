// Limits of commands, and layouts with errors next to valid ones.

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "tests/tools/program.hpp"

namespace vgsim {
namespace limits_test {

using nlohmann::ordered_json;
using test::Ran;
using testing::HasSubstr;
using testing::Not;

ordered_json scenario() {
  return ordered_json::parse(R"({"name": "two hosts", "vsphere": "8.0U2",
    "hosts": {"h[1-2]": {"server": "generic-1gpu", "nics": {"n": {"nic": "connectx-4-lx-25g"}}}},
    "vms": {"v[1-2]": {"host": "h[1-2]", "gpus": {"mode": "passthrough"},
                       "nics": {"n": "passthrough"}}},
    "job": {"collective": "all_reduce", "sizes": "1 GB"}})");
}

class LimitsOfCommands : public testing::Test {
 protected:
  Ran run(const std::string& command, const ordered_json& document,
          const std::string& options = "") {
    const std::string file = scratch_.write("scenario.json", document.dump());
    return test::run_program(scratch_, command + " " + file + " " + options);
  }
  Ran run(const std::string& arguments) { return test::run_program(scratch_, arguments); }

  test::Scratch scratch_;
};

TEST_F(LimitsOfCommands, PipesAndDevicesAreRefusedAtOnce) {
  const std::string pipe = scratch_.file("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  for (const char* command : {"import ", "run ", "show ", "nccl ", "score "}) {
    for (const std::string& file : {pipe, std::string("/dev/zero")}) {
      const Ran ran = run(command + file);
      EXPECT_EQ(ran.exit_code, 2) << command << file;
    }
  }
  EXPECT_THAT(run("import " + pipe).err, HasSubstr("is a pipe, not a file"));
}

TEST_F(LimitsOfCommands, NoTimeIsTooLittleForAnything) {
  for (const char* command : {"report", "explain", "validate", "place", "compare"}) {
    const Ran ran = run(command, scenario(), "--time-limit '0 s'");
    EXPECT_EQ(ran.exit_code, 4) << command << ran.err;
    EXPECT_THAT(ran.err, HasSubstr("out of real time")) << command;
  }
}

TEST_F(LimitsOfCommands, ReadingStopsAtTheMemoryLimit) {
  std::string list = "[0";
  for (int i = 0; i < 12'000'000; ++i) list += ",0";
  const std::string file = scratch_.write("large.json", list + "]");
  const Ran ran = run("validate " + file + " --memory-limit '64 MiB'");
  EXPECT_EQ(ran.exit_code, 4) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("(--memory-limit)"));
}

TEST_F(LimitsOfCommands, ALayoutThatIsWrongLeavesTheOthersTheirAnswer) {
  ordered_json document = scenario();
  document["layouts"] = ordered_json::parse(R"({"good": {},
    "without server": {"hosts": {"h[1-2]": {"server": null}}},
    "no such NIC": {"hosts": {"h1": {"nics": {"n": {"nic": "connectx-9"}}}}}})");
  for (const char* command : {"run", "validate"}) {
    const Ran ran = run(command, document, "--format json");
    EXPECT_EQ(ran.exit_code, 2) << command;
    EXPECT_THAT(ran.err, HasSubstr("\"without server\" is left out"));
    EXPECT_THAT(ran.err, HasSubstr("\"no such NIC\" is left out"));
    const auto layouts = ordered_json::parse(ran.out).at("layouts");
    EXPECT_EQ(layouts.size(), 1U);
    EXPECT_TRUE(layouts.contains("good"));
  }
}

TEST_F(LimitsOfCommands, OneWrongLayoutLeavesTheOthersTheirPageAndTheirPlaces) {
  ordered_json document = scenario();
  document["layouts"] =
      ordered_json::parse(R"({"good": {}, "bad": {"hosts": {"h[1-2]": {"server": null}}}})");
  for (const auto& [command, options] : std::map<std::string, std::string>{
           {"explain", "--format json"}, {"place", "--format json"}, {"report", "--format md"}}) {
    const Ran ran = run(command, document, options);
    EXPECT_EQ(ran.exit_code, 2) << command;
    EXPECT_THAT(ran.err, HasSubstr("\"bad\" is left out")) << command;
    EXPECT_THAT(ran.out, HasSubstr("good")) << command;
    // A page ends with the whole scenario.
    const bool is_page = command == "report";
    EXPECT_THAT(ran.out, Not(HasSubstr(is_page ? "| bad |" : "\"bad\""))) << command;
  }
}

TEST_F(LimitsOfCommands, OneWrongLayoutLeavesTheOthersTheirComparison) {
  ordered_json document = scenario();
  document["layouts"] =
      ordered_json::parse(R"({"a": {}, "b": {}, "bad": {"hosts": {"h[1-2]": {"server": null}}}})");
  const std::string file = scratch_.write("three.json", document.dump());
  const Ran all = run("compare " + file + " --draws 0 --format json");
  EXPECT_EQ(all.exit_code, 2);
  EXPECT_THAT(all.err, HasSubstr("\"bad\" is left out"));
  EXPECT_THAT(all.err, HasSubstr("server"));
  EXPECT_THAT(all.out, AllOf(HasSubstr("\"a\""), HasSubstr("\"b\""), Not(HasSubstr("\"bad\""))));
  EXPECT_EQ(run("compare " + file + "#a " + file + "#b --draws 0").exit_code, 0)
      << "the third was not requested";
  const Ran named = run("compare " + file + "#a " + file + "#bad --draws 0");
  EXPECT_EQ(named.exit_code, 2);
  EXPECT_THAT(named.err, Not(HasSubstr("has no layout")));
}

TEST_F(LimitsOfCommands, WhatIsWrongInTheBaseIsSaidOnce) {
  ordered_json document = scenario();
  document["job"]["collective"] = "all_reduced";
  document["layouts"] = {{"a", ordered_json::object()}, {"b", ordered_json::object()}};
  const Ran ran = run("run", document);
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_EQ(ran.out, "");
  EXPECT_THAT(ran.err, Not(HasSubstr("left out")));
  EXPECT_THAT(ran.err, HasSubstr("1 error"));
}

TEST_F(LimitsOfCommands, ImplausibleValuesAreWarnedOf) {
  ordered_json document = scenario();
  document["fabric"] = {{"kind", "leaf-spine"}, {"leaves", 2}, {"uplink", "1000 Tbit/s"}};
  EXPECT_THAT(run("validate", document, "--full").out, HasSubstr("implausible-rate"));
  document["fabric"]["uplink"] = "1600 Gbit/s";
  EXPECT_THAT(run("validate", document, "--full").out, Not(HasSubstr("implausible-rate")));
  document["job"] = {{"network", "resnet-50"}, {"batch_per_gpu", 8}, {"iterations_per_epoch", 9}};
  document["job"]["checkpoints"] = {{"every", "1 min"}, {"save", "2 min"}};
  EXPECT_THAT(run("validate", document, "--full").out, HasSubstr("checkpoint-never-done"));
  document["job"]["checkpoints"]["every"] = "1 h";
  EXPECT_THAT(run("validate", document, "--full").out, Not(HasSubstr("checkpoint-never-done")));
}

TEST_F(LimitsOfCommands, AReaderThatLeavesIsNoError) {
  const std::string page = scratch_.write("scenario.json", scenario().dump());
  static_cast<void>(run("report " + page + " --draws 0 2>" + scratch_.file("said") +
                        " | head -c 1 >/dev/null; :"));
  EXPECT_EQ(test::read_file(scratch_.file("said")), "");
}

TEST_F(LimitsOfCommands, CharactersThatTurnTextRoundAreWrittenOut) {
  ordered_json document = scenario();
  document["name"] = "evil \u202e eman";
  for (const char* options : {"--full", "--format json"}) {
    const Ran ran = run("validate", document, options);
    EXPECT_THAT(ran.out, Not(HasSubstr("\u202e"))) << options;
    EXPECT_THAT(ran.out, HasSubstr("\\u202e")) << options;
  }
}

TEST_F(LimitsOfCommands, ManyAlikeAreOneRowOfAPlacement) {
  ordered_json document = ordered_json::parse(R"({"name": "many", "vsphere": "8.0U2",
    "hosts": {"h[1-300]": {"server": "generic-1gpu", "nics": {"n": {"nic": "connectx-4-lx-25g"}}}},
    "vms": {"v[1-300]": {"gpus": {"mode": "passthrough", "count": 1}}},
    "job": {"collective": "all_reduce", "sizes": "1 GB"}})");
  const Ran ran = run("place", document, "--full");
  EXPECT_LT(std::count(ran.out.begin(), ran.out.end(), '\n'), 60) << ran.out;
  EXPECT_THAT(ran.out, HasSubstr("v1 to v300 (300)"));
}

TEST_F(LimitsOfCommands, ALayoutOfStandardInputIsNoOption) {
  ordered_json document = scenario();
  document["layouts"] = {{"a", ordered_json::object()}, {"b", ordered_json::object()}};
  const std::string file = scratch_.write("scenario.json", document.dump());
  const Ran ran = run("compare " + file + " '-#b' --draws 0 <" + file);
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
}

TEST_F(LimitsOfCommands, MillionsOfPointsAreAskedFor) {
  const ordered_json sweep{{"format", "vgsim.sweep/1"},
                           {"name", "too many"},
                           {"scenario", scenario()},
                           {"random",
                            {{"points", 1'000'000'000},
                             {"seed", 1},
                             {"over", {{"/job/sizes", {{"uniform", {"1 MiB", "1 GiB"}}}}}}}}};
  const Ran ran = run("sweep", sweep, "-o " + scratch_.file("runs"));
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.err, HasSubstr("--yes"));
}

/// A file server among hosts with GPUs.
ordered_json with_a_host_without_gpus(ordered_json document) {
  document["hosts"]["files"] =
      ordered_json::parse(R"({"server": {"name": "files", "cpu": "2 x intel-sapphire-rapids"}})");
  return document;
}

TEST_F(LimitsOfCommands, AJobWithoutAnyGpuIsRefusedByAll) {
  ordered_json document = with_a_host_without_gpus({{"name", "no GPUs"}});
  for (const char* job : {R"({"network": "bert-base", "batch_per_gpu": 8})",
                          R"({"collective": "all_reduce", "sizes": "1 MiB"})"}) {
    document["job"] = ordered_json::parse(job);
    for (const char* command : {"validate", "run", "explain", "report", "compare"}) {
      const Ran ran = run(command, document);
      EXPECT_EQ(ran.exit_code, 2) << command << ran.err;
      EXPECT_THAT(ran.err, HasSubstr("the job has no GPU: files has none")) << command;
      EXPECT_THAT(ran.err, AllOf(HasSubstr("/job"), HasSubstr("scenario.json:1:"))) << command;
    }
  }
  document["hosts"]["files"]["server"]["gpu_slots"] = {"2 x gen5 x16 on socket0"};
  EXPECT_THAT(run("validate", document).err, HasSubstr("the job has no GPU"))
      << "slots that hold nothing";
}

TEST_F(LimitsOfCommands, AHostWithoutGpusHasNoEffectOnTheJob) {
  ordered_json document = scenario();
  const auto alone = ordered_json::parse(run("run", document, "--format json").out);
  const Ran beside = run("run", with_a_host_without_gpus(document), "--format json");
  ASSERT_EQ(beside.exit_code, 0) << beside.err;
  const auto time = [](const ordered_json& result) {
    return result.at("layouts").begin()->at("points").at(0).at("time_s").get<double>();
  };
  EXPECT_EQ(time(ordered_json::parse(beside.out)), time(alone));
  document.erase("vms");
  EXPECT_EQ(run("run", with_a_host_without_gpus(document)).exit_code, 0) << "bare metal";
  document["job"]["vms"] = "files";
  const Ran named = run("validate", with_a_host_without_gpus(document));
  EXPECT_EQ(named.exit_code, 2);
  EXPECT_THAT(named.err, HasSubstr("/job/vms"));
}

TEST_F(LimitsOfCommands, JsonThatIsNoObjectIsNoInternalError) {
  for (const char* text : {"[1]", "null", "7", R"("text")", "true", "{}", "[]"}) {
    const std::string file = scratch_.write("odd.json", text);
    for (const char* command :
         {"run ", "validate ", "place ", "explain ", "report ", "compare ", "check ", "advise ",
          "show ", "export --as json ", "import ", "score ", "sweep -o x "}) {
      const Ran ran = run(command + file);
      EXPECT_EQ(ran.exit_code, 2) << command << text << ran.err;
    }
  }
}

/// Sets the value at a pointer, or removes it.
ordered_json changed(ordered_json document, const std::string& pointer, const char* value) {
  document[ordered_json::json_pointer(pointer)] = ordered_json::parse(value);
  return document;
}

TEST_F(LimitsOfCommands, ASavedResultThatWasChangedIsNoInternalError) {
  const Ran ran = run("run", scenario(), "--draws 0 --format json");
  const auto saved = ordered_json::parse(ran.out);
  const std::string layout = "/layouts/" + saved.at("layouts").begin().key();
  for (const std::string& place : {std::string("/manifest"), std::string("/manifest/scenario")}) {
    for (const char* value : {"null", "[]", "3"}) {
      for (const char* command : {"run", "validate", "explain", "report", "place", "compare"}) {
        const Ran refused = run(command, changed(saved, place, value));
        EXPECT_EQ(refused.exit_code, 2) << command << place << value << refused.err;
        EXPECT_THAT(refused.err, HasSubstr("E632")) << command << place << value;
      }
    }
  }
  for (const char* part : {"", "/points", "/points/0", "/points/0/time_s", "/points/0/busbw_GBps",
                           "/points/0/bytes", "/bottleneck/kind", "/refused"}) {
    for (const char* value : {"null", "[]", R"("x")", "{}"}) {
      const Ran compared = run("compare", changed(saved, layout + part, value));
      EXPECT_TRUE(compared.exit_code == 0 || compared.exit_code == 2)
          << part << value << compared.exit_code << compared.err;
    }
  }
  EXPECT_THAT(run("compare", changed(saved, layout, "null")).err, HasSubstr("is not as it was"));
}

TEST_F(LimitsOfCommands, AMeasuredStepExchangesNothingByAnyPattern) {
  ordered_json document = ordered_json::parse(R"({"name": "three", "hosts": {
    "a": {"server": "dell-r750xa", "gpus": "2 x a100-pcie-80gb"}, "b": {"server": "generic-1gpu"}},
    "job": {"network": {"name": "service", "step": {"measured": [{"batch": 1, "time": "4 ms"}]}},
            "samples_per_epoch": 1000}})");
  const auto iteration = [&] {
    const Ran ran = run("run", document, "--draws 0 --format json");
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    const auto result = ordered_json::parse(ran.out);
    return result.at("layouts").begin()->at("iteration_time_s").get<double>();
  };
  const double plain = iteration();
  for (const char* pattern : {"halving_doubling", "direct", "hierarchical"}) {
    document["job"]["pattern"] = pattern;
    EXPECT_EQ(iteration(), plain) << pattern;
  }
}

TEST_F(LimitsOfCommands, RepeatsOfRepeatsAreCountedBeforeTheyAreMade) {
  ordered_json document = scenario();
  document["job"] = ordered_json::parse(R"({"batch_per_gpu": 8, "samples_per_epoch": 1000,
    "network": {"name": "n", "layers": [{"name": "a", "repeat": 10000, "layers": [
      {"name": "b", "repeat": 10000, "tensors": [["w", 1]]}]}]}})");
  const Ran ran = run("validate", document, "--memory-limit '256 MiB'");
  EXPECT_EQ(ran.exit_code, 2) << ran.err;
  EXPECT_THAT(ran.err, AllOf(HasSubstr("100000000 layers"), HasSubstr("/job/network/layers")));
}

/// The flows between a thousand ranks are estimated before they are listed.
TEST_F(LimitsOfCommands, APatternOfAllPairsIsRefusedByItsNumber) {
  ordered_json document = scenario();
  document.erase("vms");
  document["hosts"] = ordered_json::parse(R"({"h[1-250]": {"server": "dell-r750xa",
    "nics": {"n": {"nic": "connectx-6-dx-100g"}}}})");
  document["job"] = ordered_json::parse(R"({"network": "resnet-50", "batch_per_gpu": 32,
    "samples_per_epoch": 1000000, "pattern": "direct"})");
  const Ran memory = run("run", document, "--memory-limit '1 GiB'");
  EXPECT_EQ(memory.exit_code, 4) << memory.err;
  EXPECT_THAT(memory.err, HasSubstr("--memory-limit"));
  EXPECT_THAT(memory.err, HasSubstr("the scenario is too large")) << "not when it was spent";
  EXPECT_EQ(run("validate", document, "--memory-limit '256 MiB'").exit_code, 0);
  const Ran events = run("run", document, "--max-events 100000");
  EXPECT_EQ(events.exit_code, 4) << events.err;
  EXPECT_THAT(events.err, AllOf(HasSubstr("1998000 transfers"), HasSubstr("--max-events")));
}

TEST_F(LimitsOfCommands, BuildingIsBoundedAsRunningIs) {
  ordered_json document = scenario();
  document.erase("vms");
  document["hosts"] = ordered_json::parse(R"({"h[1-8]": {"server": "dgx-h100",
    "nics": {"n": {"nic": "connectx-6-dx-100g"}}}})");
  document["job"] = ordered_json::parse(R"({"network": "gpt-3-175b", "batch_per_gpu": 1,
    "accumulation": 2000, "samples_per_epoch": 1000000,
    "parallel": {"tensor": 8, "pipeline": 8, "schedule": "gpipe", "sharding": "zero2"}})");
  document["idealise"] = {{"memory", "unlimited"}};
  const Ran ran = run("run", document, "--max-events 5000");
  EXPECT_EQ(ran.exit_code, 4) << ran.err;
  EXPECT_THAT(ran.err, AllOf(HasSubstr("passes of an iteration"), HasSubstr("--max-events")));
}

TEST_F(LimitsOfCommands, ACalibrationUpsideDownIsRefused) {
  const std::string shipped = VGSIM_SOURCE_DIR "/configs/calibrations/v100-cube-mesh.json";
  const auto good = ordered_json::parse(test::read_file(shipped));
  ordered_json document = scenario();
  document["calibration"] = "mine.json";
  const auto validate = [&](const ordered_json& calibration) {
    scratch_.write("mine.json", calibration.dump());
    return run("validate", document);
  };
  EXPECT_EQ(validate(good).exit_code, 0);
  const std::string name = "nvlink_rate_factor";
  ordered_json swapped = good;
  std::swap(swapped["parameters"][name]["low"], swapped["parameters"][name]["high"]);
  EXPECT_EQ(validate(swapped).exit_code, 2);
  EXPECT_THAT(validate(swapped).err,
              AllOf(HasSubstr("is above"), HasSubstr("/parameters/" + name)));
  ordered_json outside = good;
  outside["parameters"][name]["value"] = 2.0;
  EXPECT_EQ(validate(outside).exit_code, 2);
}

TEST_F(LimitsOfCommands, PcieHasNoBusesForAChainOfHundredsOfSwitches) {
  ordered_json document = scenario();
  document.erase("vms");
  ordered_json server{{"name", "chain"}, {"cpu", "2 x intel-sapphire-rapids"}};
  std::string above = "socket0";
  for (int n = 0; n < 800; ++n) {
    const std::string name = "s" + std::to_string(n);
    server["pcie_switches"][name] = "gen5 x16 on " + above;
    above = name;
  }
  server["gpu_slots"] = {"gen5 x16 on " + above};
  document["hosts"] = {{"h", {{"server", server}, {"gpus", "1 x h100-pcie-80gb"}}}};
  const Ran ran = run("validate", document);
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.err, HasSubstr("pcie_switches"));
}

TEST_F(LimitsOfCommands, ImportsOfWholeMachinesEnd) {
  for (const char* folder : {"/proc", "/sys"}) {
    if (!std::filesystem::exists(folder)) continue;
    const Ran ran = run(std::string("import ") + folder);
    EXPECT_EQ(ran.exit_code, 2) << folder << ran.err;
    EXPECT_THAT(ran.err, HasSubstr("E532")) << folder;
  }
}

}  // namespace limits_test
}  // namespace vgsim
