// Several jobs at once: closed forms of shared links, and what must not change.

#include <gtest/gtest.h>

#include <string>

#include "models/scenario/answer/figures.hpp"
#include "models/scenario/answer/metrics.hpp"
#include "models/scenario/answer/result_json.hpp"
#include "tests/support/scenarios.hpp"

namespace vgsim {
namespace jobs_test {

using scenario::JobResult;
using scenario::LayoutResult;
using test::run_one;
using test::try_run;

constexpr const char* kIdeal = R"("idealise": {"latency": "zero", "bandwidth": "line_rate"})";

/// 340 M FP32 gradients in one AllReduce and no computing: alone 435.2 ms between two hosts with a
/// port of 25 Gbit/s.
std::string article(const std::string& ranks, const std::string& more = "") {
  return R"({"network": "article-340m", "optimizer": "none", "buckets": "single",
             "overlap": false, "iterations_per_epoch": 100, "epochs": 1, "ranks": ")" +
         ranks + "\"" + more + "}";
}

std::string hosts(const std::string& names, const std::string& more = "") {
  return "\"" + names + R"(": {"server": "dell-r750xa", "gpus": "2 x a100-pcie-80gb",
    "nics": {"vmnic0": {"nic": "connectx-4-lx-25g"}})" +
         more + "}";
}

std::string scenario_of(const std::string& hosts, const std::string& jobs,
                        const std::string& fabric = R"({"kind": "single-switch"})") {
  return R"({"name": "jobs", "hosts": {)" + hosts + R"(}, "fabric": )" + fabric + ", " + jobs +
         ", " + kIdeal + "}";
}

const JobResult& job(const LayoutResult& layout, const std::string& name) {
  for (const JobResult& each : layout.jobs) {
    if (each.name == name) return each;
  }
  throw std::runtime_error("no job " + name);
}

TEST(Jobs, OneInJobsIsTheSameAsAJob) {
  const std::string one = article("*/gpu0");
  const auto plain = test::run(scenario_of(hosts("esx[1-2]"), "\"job\": " + one));
  const auto alone = test::run(scenario_of(hosts("esx[1-2]"), R"("jobs": {"a": )" + one + "}"));
  EXPECT_EQ(scenario::to_json(plain), scenario::to_json(alone));
}

TEST(Jobs, BesideAJobAreTheSameAsAllInJobs) {
  const std::string a = article("*/gpu0");
  const std::string b = article("*/gpu1");
  const auto all =
      test::run(scenario_of(hosts("esx[1-2]"), R"("jobs": {"job": )" + a + R"(, "b": )" + b + "}"));
  const auto beside =
      test::run(scenario_of(hosts("esx[1-2]"), "\"job\": " + a + R"(, "jobs": {"b": )" + b + "}"));
  EXPECT_EQ(scenario::to_json(all), scenario::to_json(beside));
}

TEST(Jobs, TwelveInPairsOnSixPortsTakeTwiceAsLongEach) {
  std::string jobs;
  for (int pair = 0; pair < 6; ++pair) {
    for (const char* gpu : {"gpu0", "gpu1"}) {
      const std::string on =
          "esx[" + std::to_string(2 * pair + 1) + "-" + std::to_string(2 * pair + 2) + "]/" + gpu;
      jobs += (jobs.empty() ? "\"" : ", \"") + std::to_string(pair) + gpu + "\": " + article(on);
    }
  }
  const auto layout = run_one(scenario_of(hosts("esx[1-12]"), R"("jobs": {)" + jobs + "}"));
  ASSERT_EQ(layout.jobs.size(), 12U);
  for (const JobResult& each : layout.jobs) {
    EXPECT_EQ(each.iteration_alone, SimTime{435'200'000'000});
    EXPECT_DOUBLE_EQ(each.slowdown, 2.0);
    EXPECT_NEAR(each.epoch_s, 87.04, 1e-6);
  }
  EXPECT_GT(layout.events_of_jobs, 0U);
}

TEST(Jobs, TwoOnOnePortTakeTwiceAsLong) {
  const auto layout =
      run_one(scenario_of(hosts("esx[1-2]"), R"("jobs": {"a": )" + article("*/gpu0") +
                                                 R"(, "b": )" + article("*/gpu1") + "}"));
  ASSERT_EQ(layout.jobs.size(), 2U);
  for (const JobResult& each : layout.jobs) {
    EXPECT_EQ(each.iteration_alone, SimTime{435'200'000'000});
    EXPECT_EQ(each.iteration, SimTime{870'400'000'000});
    EXPECT_DOUBLE_EQ(each.slowdown, 2.0);
    EXPECT_NEAR(each.epoch_s, 87.04, 1e-6);
    ASSERT_FALSE(each.by_resource.empty());
    EXPECT_EQ(each.by_resource.front().cause, "nic");
    EXPECT_NEAR(each.by_resource.front().share, 1.0, 1e-9);
    ASSERT_EQ(each.by_job.size(), 1U);
    EXPECT_NEAR(each.by_job.front().share, 1.0, 1e-9);
  }
  const auto& t = *layout.training;
  EXPECT_EQ(t.iteration, SimTime{870'400'000'000});
  EXPECT_EQ(t.compute + t.exposed_communication + t.data_wait + t.optimizer + t.pipeline_wait +
                t.wait_for_jobs,
            t.iteration);
}

TEST(Jobs, OnSeparateHostsOfASwitchDoNotMeet) {
  const auto layout =
      run_one(scenario_of(hosts("esx[1-4]"), R"("jobs": {"a": )" + article("esx[1-2]/gpu0") +
                                                 R"(, "b": )" + article("esx[3-4]/gpu0") + "}"));
  for (const JobResult& each : layout.jobs) {
    EXPECT_DOUBLE_EQ(each.slowdown, 1.0);
    EXPECT_EQ(each.iteration, SimTime{435'200'000'000});
    EXPECT_TRUE(each.by_resource.empty());
    EXPECT_TRUE(each.by_job.empty());
  }
}

// Hosts 1 and 3 are on one leaf, 2 and 4 on another; both jobs cross the leaves over one spine,
// whose links have the rate of one port: each gets half.
TEST(Jobs, OnOneUplinkGetHalfOfIt) {
  const std::string own = R"("jobs": {"a": )" + article("esx[1-2]/gpu0") + R"(, "b": )" +
                          article("esx[3-4]/gpu0") + "}";
  const auto layout = run_one(scenario_of(
      hosts("esx[1,3]", R"(, "leaf": 1)") + ", " + hosts("esx[2,4]", R"(, "leaf": 2)"), own,
      R"({"kind": "leaf-spine", "leaves": 2, "spines": 1, 
          "uplink": "25 Gbit/s"})"));
  for (const JobResult& each : layout.jobs) EXPECT_DOUBLE_EQ(each.slowdown, 2.0);
  EXPECT_EQ(layout.jobs.front().by_resource.front().cause, "fabric");
}

// 100 iterations of 435.2 ms alone. The second begins after half of the first: the first has then
// half left, which takes twice as long beside the other; the second then finishes alone.
TEST(Jobs, PayForTheTimeTogetherOnly) {
  const auto layout = run_one(
      scenario_of(hosts("esx[1-2]"), R"("jobs": {"a": )" + article("*/gpu0") + R"(, "b": )" +
                                         article("*/gpu1", R"(, "start": "21.76 s")") + "}"));
  EXPECT_NEAR(job(layout, "a").training_s, 21.76 + 2 * 21.76, 1e-3);
  EXPECT_NEAR(job(layout, "b").training_s, 2 * 21.76 + 21.76, 1e-3);
  const auto apart = run_one(
      scenario_of(hosts("esx[1-2]"), R"("jobs": {"a": )" + article("*/gpu0") + R"(, "b": )" +
                                         article("*/gpu1", R"(, "start": "50 s")") + "}"));
  EXPECT_NEAR(job(apart, "a").training_s, 43.52, 1e-6);
  EXPECT_NEAR(job(apart, "b").training_s, 43.52, 1e-6);
}

TEST(Jobs, ShareCoresWhileTheyDecode) {
  const std::string input =
      R"({"network": "resnet-50", "batch_per_gpu": 128, "iterations_per_epoch": 50,
          "input": {"decode": "cpu", "core_time": "5 ms"}, "ranks": "esx1/gpu)";
  const auto scenario = [&](const std::string& jobs) {
    return R"({"name": "jobs", "hosts": {"esx1": {"server": "dell-r750xa",
      "gpus": "2 x a100-pcie-80gb", "numa_node": {"cores": 9}, "storage": {"read": "50 GB/s"}}}, )" +
           jobs + "}";
  };
  const auto layout =
      run_one(scenario(R"("jobs": {"a": )" + input + R"(0"}, "b": )" + input + R"(1"}})"));
  // 18 cores of which each GPU keeps one busy: 16 cores decode 3,200 images/s, which one job alone
  // does not need and two share.
  double together = 0;
  for (const JobResult& each : layout.jobs) together += each.samples_per_s;
  EXPECT_NEAR(together, 3200, 32);
  EXPECT_GT(layout.jobs.front().slowdown, 1.05);
  EXPECT_EQ(layout.jobs.front().by_resource.front().cause, "cpu");
}

double figure(const LayoutResult& layout, const std::string& name) {
  for (const auto& metric : scenario::metrics_of(layout)) {
    if (metric.name == name) return metric.value;
  }
  throw std::runtime_error("no figure " + name);
}

// Half of the GPUs of the host have no job; then a second job uses them as the first does.
TEST(Jobs, AndIdleGpusMakeTheUtilizationOfThePool) {
  const auto resnet = [](const std::string& ranks) {
    return R"({"network": "resnet-50", "batch_per_gpu": 64, "ranks": ")" + ranks + R"("})";
  };
  const std::string host =
      R"({"name": "u", "hosts": {"h": {"server": "dell-r750xa", "gpus": "4 x a100-pcie-80gb"}}, )";
  const auto one = run_one(host + "\"job\": " + resnet("h/gpu[0-1]") + "}");
  const double used = figure(one, "gpu_utilization");
  EXPECT_GT(used, 0.5);
  EXPECT_LE(used, 1.0);
  EXPECT_DOUBLE_EQ(figure(one, "pool_utilization"), used / 2);
  const auto two = run_one(host + R"("jobs": {"a": )" + resnet("h/gpu[0-1]") + R"(, "b": )" +
                           resnet("h/gpu[2-3]") + "}}");
  EXPECT_NEAR(figure(two, "pool_utilization"), used, 0.02 * used);
}

TEST(Jobs, NeedSeparateGpusAndNoJobBesideThem) {
  const auto problem = [](const std::string& jobs) {
    const auto result = try_run(scenario_of(hosts("esx[1-2]"), jobs));
    return result ? std::string() : input::render(result.error());
  };
  const std::string a = article("*/gpu0");
  EXPECT_NE(problem(R"("jobs": {"a": )" + a + R"(, "b": )" + a + "}")
                .find("is also a GPU of the job \"a\""),
            std::string::npos);
  EXPECT_NE(problem(R"("job": )" + a + R"(, "jobs": {"job": )" + article("*/gpu1") + "}")
                .find("two jobs have the name \"job\""),
            std::string::npos);
  EXPECT_NE(problem(R"("jobs": {"a": )" + a + R"(, "b": {"collective": "all_reduce"}})")
                .find("one of several jobs is a collective"),
            std::string::npos);
  EXPECT_NE(problem(R"("prices": {})").find("\"job\""), std::string::npos);
}

}  // namespace jobs_test
}  // namespace vgsim
