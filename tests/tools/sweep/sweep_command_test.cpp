#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>
#include <utility>

#include "tests/tools/program.hpp"

namespace vgsim {
namespace sweep_command_test {

using nlohmann::json;

/// Two V100 on one host reduce gradients: a millisecond to simulate.
const json kScenario = {
    {"name", "two GPUs"},
    {"hosts",
     {{"esx01",
       {{"server", "dell-r750xa"},
        {"gpus", "2 x a100-pcie-80gb"},
        {"nics", {{"vmnic4", {{"nic", "connectx-6-dx-100g"}, {"near", "gpu0"}}}}}}}}},
    {"job", {{"collective", "all_reduce"}, {"sizes", "1 GiB"}}}};

json spec(json vary) {
  return {{"format", "vgsim.sweep/1"},
          {"name", "sweep of a test"},
          {"scenario", kScenario},
          {"vary", std::move(vary)}};
}

std::string sizes(int count) {
  json sizes = json::array();
  for (int i = 1; i <= count; ++i) sizes.push_back(std::to_string(i) + " MiB");
  return spec({{"/job/sizes", sizes}, {"/vsphere", {"8.0U2", "8.0U3"}}}).dump();
}

/// As many sizes, at random.
std::string drawn_sizes(std::int64_t points) {
  json drawn = spec({});
  drawn.erase("vary");
  drawn["random"] = {{"points", points},
                     {"seed", 1},
                     {"over", {{"/job/sizes", {{"uniform", {"1 MiB", "1 GiB"}}}}}}};
  return drawn.dump();
}

class SweepCommand : public ::testing::Test {
 protected:
  test::Ran sweep(const std::string& arguments) {
    return test::run_program(scratch_, "sweep " + spec_ + " " + arguments);
  }
  std::string out(const std::string& name) { return "--out " + scratch_.file(name); }
  std::string store(const std::string& name) {
    return test::read_file(scratch_.file(name) + "/sweep.jsonl");
  }

  test::Scratch scratch_;
  std::string spec_ = scratch_.write("spec.json", sizes(20));
};

TEST_F(SweepCommand, RunsEveryPointAndShowsTheBest) {
  const auto ran = sweep(out("a") + " --format json");
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const json summary = json::parse(ran.out);
  EXPECT_EQ(summary.at("points"), 40);
  EXPECT_EQ(summary.at("complete"), true);
  const json& fastest = summary.at("metrics").at("time_s@1 MiB").at("best");
  EXPECT_EQ(fastest.at("set").at("/job/sizes"), "1 MiB");
}

TEST_F(SweepCommand, IsTheSameWhateverTheNumberOfThreadsAndShards) {
  ASSERT_EQ(sweep(out("a") + " --jobs 1").exit_code, 0);
  ASSERT_EQ(sweep(out("b") + " --jobs 7").exit_code, 0);
  EXPECT_EQ(store("a"), store("b"));
  for (const char* shard : {"1/3", "2/3", "3/3"}) {
    ASSERT_EQ(sweep(out("c") + " --shard " + shard).exit_code, 0);
  }
  ASSERT_EQ(sweep(out("c") + " --merge").exit_code, 0);
  EXPECT_EQ(store("a"), store("c"));
}

TEST_F(SweepCommand, AMissingShardIsNamedAndNothingWritten) {
  ASSERT_EQ(sweep(out("a") + " --shard 1/2").exit_code, 0);
  const auto ran = sweep(out("a") + " --merge");
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_NE(ran.err.find("shard 2/2"), std::string::npos) << ran.err;
  EXPECT_FALSE(std::filesystem::exists(scratch_.file("a") + "/sweep.jsonl"));
}

TEST_F(SweepCommand, APointThatFailsIsAResult) {
  spec_ =
      scratch_.write("fails.json", spec({{"/job/collective", {"nonsense", "all_reduce"}}}).dump());
  const auto ran = sweep(out("a") + " --format json");
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(json::parse(ran.out).at("failed"), 1);
  EXPECT_NE(store("a").find("nonsense"), std::string::npos);
}

TEST_F(SweepCommand, WhereNoPointIsAScenarioNothingIsRun) {
  spec_ = scratch_.write("typo.json", spec({{"/job/sises", {"1 MiB", "2 MiB"}}}).dump());
  const auto ran = sweep(out("a"));
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_NE(ran.err.find("did you mean \"sizes\"?"), std::string::npos) << ran.err;
  EXPECT_FALSE(std::filesystem::exists(scratch_.file("a")));
}

TEST_F(SweepCommand, AStoreIsNotWrittenOverAndNotMixed) {
  ASSERT_EQ(sweep(out("a")).exit_code, 0);
  const std::string before = store("a");
  EXPECT_EQ(sweep(out("a")).exit_code, 2);
  EXPECT_EQ(sweep(out("a") + " --resume --yes").exit_code, 0);
  EXPECT_EQ(sweep(out("a") + " --resume --set /job/pattern=ring").exit_code, 2);
  EXPECT_EQ(store("a"), before);
}

TEST_F(SweepCommand, WhatCannotBeWrittenIsKnownBeforeAnythingIsRun) {
  EXPECT_EQ(sweep("--out /proc/vgsim").exit_code, 2);
  EXPECT_EQ(sweep("--out " + spec_).exit_code, 2) << "the output is a file, not a folder";
  EXPECT_EQ(sweep(out("a") + " --export /proc/vgsim/a.csv").exit_code, 2);
  EXPECT_FALSE(std::filesystem::exists(scratch_.file("a")));
}

/// Runs it with this redirection at the end. Returns its exit code.
int redirected(const std::string& arguments, const std::string& where) {
  const std::string command =
      std::string(VGSIM_PROGRAM) + " sweep " + arguments + " 2>/dev/null " + where;
  const int status = std::system(command.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_F(SweepCommand, AnUnreadableAnswerIsAFailure) {
  EXPECT_EQ(redirected(spec_ + " " + out("a"), ">&-"), 2);
  EXPECT_FALSE(std::filesystem::exists(scratch_.file("a"))) << "nothing was run for it";
  EXPECT_EQ(redirected(spec_ + " " + out("b"), ">/dev/full"), 2);
  ASSERT_EQ(sweep(out("c")).exit_code, 0);
  EXPECT_EQ(store("b"), store("c")) << "what was run is kept";
}

TEST_F(SweepCommand, AFullDiskIsToldAndTheStoreResumes) {
  ASSERT_EQ(sweep(out("whole")).exit_code, 0);
  // The shell's limit of 4 KiB per file acts as a full disk.
  const std::string command = "ulimit -f 8; " + std::string(VGSIM_PROGRAM) + " sweep " + spec_ +
                              " " + out("a") + " >/dev/null 2>" + scratch_.file("err");
  const int status = std::system(("bash -c '" + command + "'").c_str());
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 2);
  EXPECT_NE(test::read_file(scratch_.file("err")).find("--resume"), std::string::npos);
  EXPECT_EQ(sweep(out("a") + " --resume --yes").exit_code, 0);
  EXPECT_EQ(store("a"), store("whole"));
}

std::ptrdiff_t lines_of(const std::string& text) {
  return std::count(text.begin(), text.end(), '\n');
}

/// A sweep that runs during the test, and is ended with it.
class RunningSweep {
 public:
  RunningSweep(const std::string& spec, const std::string& folder)
      : store_(folder + "/sweep.jsonl"), child_(fork()) {
    if (child_ != 0) return;
    if (std::freopen("/dev/null", "w", stdout) == nullptr) _exit(1);
    if (std::freopen("/dev/null", "w", stderr) == nullptr) _exit(1);
    execl(VGSIM_PROGRAM, VGSIM_PROGRAM, "sweep", spec.c_str(), "--output", folder.c_str(),
          "--resume", "--yes", static_cast<char*>(nullptr));
    _exit(1);
  }
  ~RunningSweep() {
    if (child_ > 0) end_by(SIGKILL);
  }
  RunningSweep(const RunningSweep&) = delete;
  RunningSweep& operator=(const RunningSweep&) = delete;

  /// Waits until its store has that number of lines; false if it ends before.
  [[nodiscard]] bool reaches(std::ptrdiff_t lines) const {
    while (lines_of(test::read_file(store_)) < lines) {
      if (has_ended()) return false;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return true;
  }

  /// Returns the status of waitpid.
  int end_by(int signal) {
    int status = 0;
    kill(child_, signal);
    waitpid(std::exchange(child_, -1), &status, 0);
    return status;
  }

 private:
  [[nodiscard]] bool has_ended() const {
    siginfo_t info{};
    waitid(P_PID, static_cast<id_t>(child_), &info, WEXITED | WNOHANG | WNOWAIT);
    return info.si_pid != 0;
  }

  std::string store_;
  pid_t child_;
};

/// A sweep with too many points to finish before a signal.
class EndlessSweep : public SweepCommand {
 protected:
  EndlessSweep() { spec_ = scratch_.write("endless.json", drawn_sizes(1'000'000'000)); }
};

TEST_F(EndlessSweep, EndsWithTheSignalsCodeAndKeepsWhatItHas) {
  std::string kept;
  for (const int signal : {SIGINT, SIGTERM}) {
    RunningSweep running(spec_, scratch_.file("a"));
    ASSERT_TRUE(running.reaches(lines_of(kept) + 10));
    const int status = running.end_by(signal);
    ASSERT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 128 + signal);
    EXPECT_TRUE(store("a").starts_with(kept));
    kept = store("a");
    EXPECT_TRUE(kept.ends_with("\n"));
  }
  // The points of a shorter sweep are the first of a longer one.
  spec_ = scratch_.write("short.json", drawn_sizes(lines_of(kept) - 1));
  ASSERT_EQ(sweep(out("short")).exit_code, 0);
  const auto points = [](const std::string& text) { return text.substr(text.find('\n') + 1); };
  EXPECT_TRUE(points(store("short")).starts_with(points(kept)));
}

TEST_F(EndlessSweep, KeepsASecondWriterOut) {
  const RunningSweep first(spec_, scratch_.file("a"));
  ASSERT_TRUE(first.reaches(1));
  const auto second = sweep(out("a") + " --resume --yes");
  EXPECT_EQ(second.exit_code, 2);
  EXPECT_NE(second.err.find("another process"), std::string::npos) << second.err;
  EXPECT_TRUE(first.reaches(lines_of(store("a")) + 1));
}

TEST_F(SweepCommand, ThePlanNeedsNoFolder) {
  const auto ran = sweep("--plan --format json --shard 2/3");
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const json plan = json::parse(ran.out);
  EXPECT_EQ(plan.at("points"), 40);
  EXPECT_EQ(plan.at("shard").at("points"), 13);
}

TEST_F(SweepCommand, ExportsWhatIsThere) {
  const std::string csv = scratch_.file("a.csv");
  ASSERT_EQ(sweep(out("a") + " --export " + csv).exit_code, 0);
  const std::string text = test::read_file(csv);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 41);
  EXPECT_EQ(sweep(out("b") + " --partial --export " + csv).exit_code, 2) << "nothing is there";
  ASSERT_EQ(sweep(out("b") + " --shard 1/2").exit_code, 0);
  EXPECT_EQ(sweep(out("b") + " --shard 1/2 --partial --export " + csv).exit_code, 0);
  const std::string half = test::read_file(csv);
  EXPECT_EQ(std::count(half.begin(), half.end(), '\n'), 21);
}

}  // namespace sweep_command_test
}  // namespace vgsim
