// What keeps a command from taking too much, and from being stopped by a part that is wrong.

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
      << "nobody asked for the third";
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

TEST_F(LimitsOfCommands, ValuesThatNobodyMeansAreWarnedOf) {
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

}  // namespace limits_test
}  // namespace vgsim
