#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/tools/program.hpp"

namespace vgsim {
namespace score_command_test {

using nlohmann::json;

json scenario(const std::string& server = "dell-xe9680") {
  return {{"name", "eight"},
          {"hosts", {{"esx01", {{"server", server}, {"gpus", "8 x h100-sxm5-80gb"}}}}},
          {"job", {{"collective", "all_reduce"}}}};
}

json case_of(const std::string& id, const std::string& grade = "A") {
  return {{"format", "vgsim.case/1"},
          {"id", id},
          {"title", "eight H100"},
          {"class", "nvswitch"},
          {"grade", grade},
          {"source", {{"url", "https://example.org"}, {"date", "2026"}}},
          {"scenario", scenario()},
          {"points", {{{"size", "1 GiB"}, {"time", "4 ms"}}, {{"size", "2 GiB"}}}}};
}

/// A folder with cases, a scenario and other files of a test.
class ScoreCommand : public ::testing::Test {
 protected:
  ScoreCommand() { std::filesystem::create_directories(scratch_.file("cases")); }

  std::string put(const std::string& name, const json& content) const {
    return scratch_.write("cases/" + name, content.dump(1));
  }
  test::Ran score(const std::string& arguments) const {
    return test::run_program(scratch_, "score " + arguments);
  }
  std::string folder() const { return scratch_.file("cases"); }

  test::Scratch scratch_;
};

constexpr const char* kLog = R"(# Collective test starting: all_reduce_perf
# nThread 1 nGpus 8 minBytes 1G maxBytes 1G
# Using devices
#  Rank  7 Group  0 Pid    101 on  gpubox1 device  7 [0x1a] NVIDIA H100 80GB HBM3
#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong
#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)
  1073741824     268435456     float     sum      -1   4000.0  268.44  469.76      0   5000.0  214.75  375.81      0
)";

TEST_F(ScoreCommand, TakesTablesOfKernelsByThemselves) {
  const std::string table =
      scratch_.write("kernels.csv", "gpu,dtype,m,n,k,time_us\nh100_sxm,bf16,8192,8192,8192,1500\n");
  const test::Ran ran = score("--format json " + table);
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const json found = json::parse(ran.out).at("cases").at("products/h100-sxm5-80gb/bf16");
  // 1.1 x 10^12 operations at 989.4 TFLOP/s are 1.111 ms.
  EXPECT_NEAR(found.at("error").at("null_model").at("median").get<double>(), 1 - 1.1113 / 1.5,
              0.001);
  put("a.json", case_of("a"));
  const test::Ran both = score(table + " " + folder());
  EXPECT_EQ(both.exit_code, 2);
  EXPECT_NE(both.err.find("scored apart"), std::string::npos) << both.err;
  EXPECT_EQ(score(table + " --case a").exit_code, 2);
  EXPECT_EQ(score(table + " --case products/h100-sxm5-80gb/bf16").exit_code, 0);
  const test::Ran drawn = score(table + " --draws 3");
  EXPECT_EQ(drawn.exit_code, 2);
  EXPECT_NE(drawn.err.find("--draws is for cases of training"), std::string::npos) << drawn.err;
}

TEST_F(ScoreCommand, ScoresAFolderWithoutWhatIsNoCase) {
  put("b.json", case_of("b"));
  put("a.json", case_of("a", "C"));
  put("machine.json", {{"$schema", "../schema/scenario.schema.json"}});
  put("measured.json", {{"format", "vgsim.measurement/1"}});
  put("fitted.json", {{"format", "vgsim.calibration/1"}});
  const test::Ran ran = score("--format json " + folder());
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(ran.err, "");
  const json out = json::parse(ran.out);
  EXPECT_EQ(out["schema"], "vgsim.score/2");
  EXPECT_EQ(out["cases"].size(), 2U);
  EXPECT_EQ(out["parts"]["nvswitch"]["groups"], 1) << "grade C does not count";
  const json points = out["cases"]["b"]["series"][0]["points"];
  const json point = points[0];
  EXPECT_EQ(points[1]["role"], "blind");
  EXPECT_EQ(out["cases"]["b"]["error"]["points"], 1);
  EXPECT_DOUBLE_EQ(point["measured"], 0.004);
  EXPECT_DOUBLE_EQ(point["error"], (point["predicted"].get<double>() - 0.004) / 0.004);
}

TEST_F(ScoreCommand, TextShowsTheWorstFirstAndTheDiagnosticsApart) {
  json far = case_of("far");
  far["points"][0]["time"] = "1 ms";
  put("far.json", far);
  put("near.json", case_of("near"));
  put("odd.json", case_of("odd", "C"));
  const test::Ran ran = score(folder());
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_LT(ran.out.find("\nfar "), ran.out.find("\nnear "));
  EXPECT_LT(ran.out.find("not counted"), ran.out.find("\nodd "));
  EXPECT_NE(ran.out.find("3 points of 3 cases not measured"), std::string::npos) << ran.out;
}

TEST_F(ScoreCommand, PredictionsHoldEveryPoint) {
  put("a.json", case_of("a"));
  const std::string file = scratch_.file("predictions.json");
  ASSERT_EQ(score("--predictions " + file + " " + folder()).exit_code, 0);
  const json out = json::parse(test::read_file(file));
  ASSERT_EQ(out["a"].size(), 2U);
  EXPECT_NEAR(out["a"][1].get<double>() / out["a"][0].get<double>(), 2.0, 0.05);
  EXPECT_GT(out["a"][0].get<double>(), 1000.0) << "microseconds";
}

TEST_F(ScoreCommand, EveryErrorOfEveryCaseIsReportedAtOnce) {
  json first = case_of("same");
  first["scenario"] = scenario("dell-xe9681");
  json second = case_of("other");
  second["scenario"]["hosts"]["esx01"]["gpus"] = "9 x h100-sxm5-80gb";
  put("1.json", first);
  put("2.json", second);
  put("3.json", case_of("sound"));
  const test::Ran ran = score(folder());
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_EQ(ran.out, "");
  EXPECT_NE(ran.err.find("1.json"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("/scenario/hosts/esx01/server"), std::string::npos) << ran.err;
  EXPECT_NE(ran.err.find("2.json"), std::string::npos) << ran.err;
  const test::Ran kept = score("--keep-going " + folder());
  EXPECT_EQ(kept.exit_code, 2) << "what is left out is still an error";
  EXPECT_NE(kept.out.find("nvswitch"), std::string::npos) << kept.out;
}

TEST_F(ScoreCommand, FilesThatAreNoSoundCasesAreErrors) {
  put("a.json", case_of("a"));
  EXPECT_EQ(score(scratch_.file("none")).exit_code, 2);
  EXPECT_EQ(score("").exit_code, 2);
  std::filesystem::create_directories(scratch_.file("empty"));
  EXPECT_EQ(score(scratch_.file("empty")).exit_code, 2);
  put("again.json", case_of("a"));
  const test::Ran twice = score(folder());
  EXPECT_EQ(twice.exit_code, 2);
  EXPECT_NE(twice.err.find("a second case is called"), std::string::npos) << twice.err;
  put("again.json", {{"format", "vgsim.case/2"}});
  EXPECT_EQ(score(folder()).exit_code, 2) << "a file without a word of being something else";
}

TEST_F(ScoreCommand, OneCaseIsShownPointByPoint) {
  put("a.json", case_of("a"));
  put("b.json", case_of("b"));
  const test::Ran ran = score("--case a " + folder());
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_NE(ran.out.find("1073741824"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("ranks: 8, nodes: 1"), std::string::npos) << ran.out;
  EXPECT_EQ(score("--only nvswitch " + folder()).exit_code, 0);
  const test::Ran typo = score("--only nvswich " + folder());
  EXPECT_EQ(typo.exit_code, 2);
  EXPECT_NE(typo.err.find("nvswitch"), std::string::npos) << typo.err;
}

TEST_F(ScoreCommand, AMissedThresholdExitsWithOneAndIsNamed) {
  put("a.json", case_of("a"));
  const auto bars = [&](double median) {
    return scratch_.write("bars.json", json({{"format", "vgsim.bars/2"},
                                             {"parts", {{"large/one_node", {{"median", median}}}}}})
                                           .dump());
  };
  EXPECT_EQ(score("--thresholds " + bars(0.9) + " " + folder()).exit_code, 0);
  const test::Ran ran = score("--thresholds " + bars(0.0) + " " + folder());
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_NE(ran.err.find("large, one node"), std::string::npos) << ran.err;
  EXPECT_EQ(ran.out.rfind("failed: 1 of 2 limits missed\n", 0), 0U) << ran.out;
  EXPECT_NE(ran.out.find("nvswitch"), std::string::npos) << "the score is shown all the same";
  EXPECT_EQ(score("--thresholds " + scratch_.write("bad.json", "{}") + " " + folder()).exit_code,
            2);
}

TEST_F(ScoreCommand, AStoredScoreIsABaseline) {
  put("a.json", case_of("a"));
  const std::string stored = scratch_.file("score.json");
  const test::Ran first = score("--output " + stored + " " + folder());
  ASSERT_EQ(first.exit_code, 0) << first.err;
  EXPECT_NE(first.out.find("nvswitch"), std::string::npos) << "text goes to stdout as well";
  json slower = case_of("a");
  slower["points"][0]["time"] = "1 ms";
  put("a.json", slower);
  put("b.json", case_of("b"));
  const test::Ran second = score("--format json --baseline " + stored + " " + folder());
  ASSERT_EQ(second.exit_code, 0) << second.err;
  const json out = json::parse(second.out);
  EXPECT_NEAR(
      out["cases"]["a"]["error"]["change"].get<double>(),
      out["cases"]["a"]["error"]["median"].get<double>() -
          json::parse(test::read_file(stored))["cases"]["a"]["error"]["median"].get<double>(),
      1e-12);
  EXPECT_FALSE(out["cases"]["b"]["error"].contains("change")) << "it is new";
  EXPECT_EQ(score("--baseline " + put("a.json", slower) + " " + folder()).exit_code, 2);
}

TEST_F(ScoreCommand, FilesAreWrittenWholeOrNotAtAll) {
  put("a.json", case_of("a"));
  const std::string stored = scratch_.write("score.json", "earlier");
  put("bad.json", json::object());
  EXPECT_EQ(score("--output " + stored + " " + folder()).exit_code, 2);
  EXPECT_EQ(test::read_file(stored), "earlier");
  EXPECT_EQ(score("--output " + stored + "/score.json " + folder()).exit_code, 2);
}

TEST_F(ScoreCommand, ALogIsScoredAndCanBecomeACase) {
  const std::string log = scratch_.write("all_reduce.log", kLog);
  const std::string machine = scratch_.write("machine.json", scenario().dump());
  const std::string stored = scratch_.file("cases/mine.json");
  const test::Ran ran = score("--format json --from-log " + log + " --scenario " + machine +
                              " --write-case " + stored);
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const json from_log = json::parse(ran.out)["cases"]["all_reduce"];
  EXPECT_DOUBLE_EQ(from_log["series"][0]["points"][0]["measured"], 0.004);
  EXPECT_EQ(json::parse(test::read_file(stored))["scenario"], "../machine.json");
  const test::Ran again = score("--format json " + folder());
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(json::parse(again.out)["cases"]["all_reduce"], from_log);
  const test::Ran in_place =
      score("--format json --in-place --from-log " + log + " --scenario " + machine);
  EXPECT_DOUBLE_EQ(
      json::parse(in_place.out)["cases"]["all_reduce"]["series"][0]["points"][0]["measured"],
      0.005);
}

TEST_F(ScoreCommand, ALogOfThreadsThatLaunchForManyGpusAsksForThatInTheJob) {
  const std::string log = scratch_.write("all_reduce.log", kLog);  // nGpus 8
  json machine = scenario();
  const auto warnings = [&] {
    const test::Ran ran = score("--from-log " + log + " --scenario " +
                                scratch_.write("machine.json", machine.dump()));
    EXPECT_EQ(ran.exit_code, 0) << ran.err;
    return ran.err;
  };
  EXPECT_NE(warnings().find("\"gpus_per_thread\": 8 in the job"), std::string::npos);
  machine["job"]["gpus_per_thread"] = 8;
  EXPECT_EQ(warnings(), "");
}

TEST_F(ScoreCommand, ALogOfSomethingElseIsRefused) {
  const std::string machine = scratch_.write("machine.json", scenario().dump());
  const auto refused = [&](std::string text, const std::string& from, const std::string& to) {
    text.replace(text.find(from), from.size(), to);
    const test::Ran ran = score("--from-log " + scratch_.write("x.log", text) + " --scenario " +
                                machine + " --write-case " + scratch_.file("x.json"));
    EXPECT_EQ(ran.exit_code, 2) << from;
    EXPECT_FALSE(std::filesystem::exists(scratch_.file("x.json"))) << from;
    return ran.err;
  };
  EXPECT_NE(refused(kLog, "all_reduce_perf", "all_gather_perf").find("all_gather"),
            std::string::npos);
  EXPECT_NE(refused(kLog, "Rank  7", "Rank  3").find("the log has 4 ranks"), std::string::npos);
  const std::string nameless = std::string(kLog).replace(0, std::string(kLog).find('\n'), "#");
  EXPECT_NE(refused(nameless, "469.76", "234.88").find("times algbw"), std::string::npos)
      << "the bandwidths are those of another collective";
  EXPECT_EQ(score("--from-log " + scratch_.write("x.log", kLog)).exit_code, 2) << "no scenario";
}

}  // namespace score_command_test
}  // namespace vgsim
