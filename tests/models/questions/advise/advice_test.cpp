// The search for choices that reach a goal, compared with an exhaustive search.

#include "models/questions/advise/advice.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "models/questions/advise/evolution.hpp"
#include "models/questions/advise/pareto.hpp"
#include "models/scenario/answer/intervals.hpp"
#include "models/scenario/answer/run_scenario.hpp"
#include "tests/support/scenarios.hpp"
#include "topology/input/json_reader.hpp"

namespace vgsim {
namespace advice_test {

using scenario::Advice;
using scenario::AdviceRequest;
using scenario::Candidate;
using scenario::Objective;

constexpr const char* kScenario = R"({"name": "s", "hosts": {"h[1-4]": {"server": "dell-r750xa",
    "gpus": "4 x a100-pcie-80gb", "nics": {"n": {"nic": "connectx-6-dx-100g", "near": "gpu0"}}}},
    "job": {"network": "resnet-50", "batch_per_gpu": 64, "samples_per_epoch": 1281167},
    "prices": {"gpu_hour": 2.0, "host_hour": 1.0, "currency": "EUR"}})";

AdviceRequest request(const std::string& rest) {
  const auto document = input::read_json(input::make_source(
      "advice.json", R"({"format": "vgsim.advice/1", "name": "a", "scenario": )" +
                         std::string(kScenario) + rest + "}"));
  auto read = scenario::read_advice_request(*document);
  if (!read) throw std::runtime_error(input::render(read.error()));
  input::Diagnostics diagnostics;
  auto with_hosts = scenario::with_hosts(*read, read->space.scenario, diagnostics);
  if (diagnostics.has_errors()) throw std::runtime_error(input::render(diagnostics));
  return with_hosts;
}

Advice search(const AdviceRequest& request, std::uint64_t draws = 0) {
  const auto base = scenario::base_of(request.space, request.space.scenario);
  if (!base) throw std::runtime_error(input::render(base.error()));
  scenario::RunSettings settings;
  settings.next_limit = false;
  settings.note_inputs = false;
  return scenario::search(request, *base, test::library(), cli::loader_relative_to("."), settings,
                          draws, [](std::uint64_t) {});
}

constexpr const char* kSpace = R"(, "hosts": [1, 2, 4], "vary": {
    "/job/batch_per_gpu": [32, 64, 128],
    "/hosts/*/nics/n/nic": ["connectx-6-lx-25g", "connectx-6-dx-100g", "connectx-6-dx-200g"]})";

TEST(Advice, TriesEverythingWhereThatIsLittle) {
  const auto advice =
      search(request(std::string(kSpace) + R"(, "goal": {"minimize": ["epoch_time_s"]})"));
  EXPECT_EQ(advice.space, 27U);
  EXPECT_EQ(advice.simulated, 27U);
  EXPECT_TRUE(advice.exhaustive);
  EXPECT_EQ(advice.meet + advice.miss + advice.failed, 27U);
  ASSERT_EQ(advice.best.size(), 1U);
  ASSERT_EQ(advice.met.size(), advice.meet);
  EXPECT_EQ(*std::min_element(advice.met.begin(), advice.met.end()),
            advice.best.front().objectives);
}

/// Each interval equals that of `vgsim run` with as many draws, and contains the prediction.
TEST(Advice, ChoicesAreAsSureAsTheRunOfTheirScenario) {
  const auto wanted =
      request(std::string(kSpace) + R"(, "goal": {"minimize": ["epoch_time_s", "hosts"]})");
  const auto advice = search(wanted, 8);
  const auto without = search(wanted);
  ASSERT_GT(advice.best.size(), 1U);
  ASSERT_EQ(advice.best.size(), without.best.size());
  const auto& metrics = advice.best.front().layout.metrics;
  const auto iteration = std::find_if(metrics.begin(), metrics.end(), [](const auto& metric) {
    return metric.name == "iteration_time_s";
  });
  ASSERT_NE(iteration, metrics.end());
  ASSERT_TRUE(iteration->low && iteration->high);
  EXPECT_LT(*iteration->low, iteration->value);
  EXPECT_GT(*iteration->high, iteration->value);
  input::Diagnostics none;
  const auto base = scenario::base_of(wanted.space, wanted.space.scenario);
  const auto scenario = scenario::with_overrides(*base, advice.best.front().set, none);
  const auto load = cli::loader_relative_to(".");
  const auto prepared = scenario::prepare_scenario(scenario, test::library(), load, {});
  ASSERT_TRUE(prepared);
  auto run = scenario::run(*prepared, {});
  scenario::add_intervals(*prepared, test::library(), load, {}, 8, run);
  EXPECT_DOUBLE_EQ(run.layouts.front().training->iteration_interval->low_s, *iteration->low);
  for (std::size_t i = 0; i < without.best.size(); ++i) {
    EXPECT_EQ(advice.best[i].objectives, without.best[i].objectives);
  }
}

TEST(Advice, AChoiceOutlivesTheFailuresOfTheScenario) {
  const auto failing = [](const std::string& goal) {
    auto read = scenario::read_advice_request(*input::read_json(input::make_source(
        "advice.json", R"({"format": "vgsim.advice/1", "name": "a", "scenario": {"name": "s",
        "vsphere": "8.0U3", "hosts": {"h[1-3]": {"server": "dell-r750xa",
        "gpus": "4 x a100-pcie-80gb", "nics": {"n": {"nic": "connectx-6-dx-100g"}}}},
        "vms": {"v": {"host": "h1", "gpus": {"mode": "passthrough"}}},
        "job": {"network": "resnet-50", "batch_per_gpu": 64, "epochs": 30},
        "disruptions": [{"kind": "host_failure", "vm": "v", "at": "10 min"}]},
        "goal": )" + goal + R"(, "hosts": [1, 2, 3]})")));
    if (!read) throw std::runtime_error(input::render(read.error()));
    input::Diagnostics diagnostics;
    return search(scenario::with_hosts(*read, read->space.scenario, diagnostics));
  };
  const auto advice = failing(R"({"minimize": ["training_time_s"]})");
  EXPECT_EQ(advice.meet, 2U) << "with two hosts and with three";
  EXPECT_EQ(advice.miss, 1U) << "with one nothing restarts the VM";
}

constexpr const char* kVmHosts = R"({"name": "s", "hosts": {"h[1-4]": {"server": "dell-r750xa",
    "gpus": "4 x a100-pcie-80gb", "nics": {"n": {"nic": "connectx-6-dx-100g", "near": "gpu0"}}}},
    "vms": {"v[1-4]": {"host": "h[1-4]", "gpus": {"mode": "passthrough_dynamic"},
                       "nics": {"n": "vmxnet3"}}},
    "job": {"network": "resnet-50", "batch_per_gpu": 64, "samples_per_epoch": 1281167, "epochs": 40,
            "checkpoints": {"every": "30 min", "save": "10 s"}}})";

AdviceRequest request_for(const std::string& scenario, const std::string& rest) {
  const auto document = input::read_json(input::make_source(
      "advice.json",
      R"({"format": "vgsim.advice/1", "name": "a", "scenario": )" + scenario + rest + "}"));
  auto read = scenario::read_advice_request(*document);
  if (!read) throw std::runtime_error(input::render(read.error()));
  input::Diagnostics diagnostics;
  auto with_hosts = scenario::with_hosts(*read, read->space.scenario, diagnostics);
  if (diagnostics.has_errors()) throw std::runtime_error(input::render(diagnostics));
  return with_hosts;
}

// With one host down the last one is free for HA: n hosts are n - 1 for the job, and a failure
// costs at most a checkpoint interval and the restart.
TEST(Advice, ReckonsWithAHostDown) {
  const std::string goal = R"(, "hosts": [2, 3, 4], "goal": {"minimize": ["hosts"]})";
  const auto plain = search(request_for(kVmHosts, goal));
  const auto down = search(request_for(kVmHosts, goal + R"(, "hosts_down": 1)"));
  const auto metric = [](const Candidate& candidate, const std::string& name) {
    for (const auto& each : candidate.layout.metrics) {
      if (each.name == name) return each.value;
    }
    return 0.0;
  };
  ASSERT_EQ(plain.best.size(), 1U);
  ASSERT_EQ(down.best.size(), 1U);
  EXPECT_EQ(metric(plain.best.front(), "hosts"), 2);
  EXPECT_EQ(metric(down.best.front(), "hosts"), 1) << "of the job; the second host is free";
  const double lost = metric(down.best.front(), "interruption_time_s");
  EXPECT_GT(lost, 30 * 60.0) << "the work since the last checkpoint";
  EXPECT_LT(lost, 30 * 60.0 + 20 * 60.0) << "and the restart";
  // A limit between the times with two and three hosts: three are then the fewest.
  const double one = metric(down.best.front(), "training_time_s");
  const auto all = search(request_for(
      kVmHosts, R"(, "hosts": [2, 3, 4], "hosts_down": 1, "goal": {"minimize": ["hosts"],
      "require": {"training_time_s": {"max": )" +
                    std::to_string(one * 0.95) + "}}}"));
  ASSERT_EQ(all.best.size(), 1U);
  EXPECT_EQ(metric(all.best.front(), "hosts"), 2);
  ASSERT_EQ(all.losers.size(), 2U) << "two hosts are too slow, four more than needed";
  EXPECT_NE(all.losers.at(0).misses.at(0).find("training_time_s at most"), std::string::npos);
  EXPECT_NE(all.losers.at(1).misses.at(0).find("hosts"), std::string::npos);
}

TEST(AdviceRequests, NeedMoreHostsThanMayFail) {
  const auto problem = [](const std::string& rest) {
    try {
      static_cast<void>(request_for(kVmHosts, rest + R"(, "goal": {"minimize": ["hosts"]})"));
    } catch (const std::runtime_error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(problem(R"(, "hosts_down": 1)").find("without \"hosts\""), std::string::npos);
  EXPECT_NE(problem(R"(, "hosts": [1, 2], "hosts_down": 1)").find("leave none for the job"),
            std::string::npos);
}

TEST(Advice, TradesHostsForTime) {
  const auto advice =
      search(request(std::string(kSpace) + R"(, "goal": {"minimize": ["epoch_time_s", "hosts"]})"));
  std::set<double> hosts;
  for (std::size_t i = 0; i < advice.best.size(); ++i) {
    hosts.insert(advice.best[i].objectives[1]);
    if (i == 0) continue;
    EXPECT_GT(advice.best[i].objectives[0], advice.best[i - 1].objectives[0]);
    EXPECT_LT(advice.best[i].objectives[1], advice.best[i - 1].objectives[1]);
  }
  EXPECT_EQ(hosts, (std::set<double>{1, 2, 4}));
}

TEST(Advice, KeepsToWhatIsRequired) {
  const auto all = search(request(std::string(kSpace) + R"(, "goal": {"minimize": ["hosts"]})"));
  const auto fast = search(request(std::string(kSpace) + R"(, "goal": {"minimize": ["hosts"],
      "require": {"epoch_time_s": {"max": "2 min"}}})"));
  EXPECT_EQ(all.best.front().objectives[0], 1);
  EXPECT_EQ(fast.meet + fast.miss, all.meet);
  EXPECT_GT(fast.miss, 0U);
  for (const Candidate& each : fast.best) EXPECT_TRUE(each.misses.empty());
  const auto never = search(request(std::string(kSpace) + R"(, "goal": {"minimize": ["hosts"],
      "require": {"epoch_time_s": {"max": "1 ms"}}})"));
  EXPECT_TRUE(never.best.empty());
  ASSERT_FALSE(never.nearest.empty());
  EXPECT_EQ(never.nearest.front().misses.size(), 1U);
}

TEST(Advice, CountsWhatVSphereRefuses) {
  const auto advice = search(request(R"(, "together": [{}, {"/vms": {"v[1-4]": {"host": "h[1-4]",
      "gpus": {"mode": "vgpu", "device_groups": ["Nvidia:4@grid_a100d-80c%NVLink"]}}}}],
      "goal": {"minimize": ["epoch_time_s"]})"));
  EXPECT_EQ(advice.best.size(), 1U);
  EXPECT_EQ(advice.refused_by.at("device-group-not-joined"), 1U);
}

TEST(Advice, FromASearchIsNearlyThatOfAllCombinations) {
  const std::string space = R"(, "vary": {"/job/batch_per_gpu": {"from": 8, "to": 256, "steps": 32},
      "/job/buckets/cap": ["5 MiB", "10 MiB", "25 MiB", "50 MiB", "100 MiB"],
      "/hosts/*/nics/n/nic": ["connectx-6-lx-25g", "connectx-6-dx-100g", "connectx-6-dx-200g"]},
      "goal": {"minimize": ["iteration_time_s"], "maximize": ["samples_per_s"]})";
  const auto all = search(request(space));
  const auto some = search(request(space + R"(, "most_runs": 160)"));
  EXPECT_EQ(all.simulated, 480U);
  EXPECT_FALSE(some.exhaustive);
  EXPECT_EQ(some.simulated, 160U);
  // Nothing of the whole set is a tenth better in both figures than the nearest that it finds.
  for (const Candidate& best : all.best) {
    EXPECT_TRUE(std::any_of(some.best.begin(), some.best.end(), [&](const Candidate& found) {
      return found.objectives[0] <= 1.1 * best.objectives[0] &&
             found.objectives[1] >= 0.9 * best.objectives[1];
    }));
  }
  const auto again = search(request(space + R"(, "most_runs": 160)"));
  ASSERT_EQ(again.best.size(), some.best.size());
  for (std::size_t i = 0; i < some.best.size(); ++i) {
    EXPECT_EQ(again.best[i].point, some.best[i].point);
  }
}

using scenario::Choice;
using scenario::Worth;

scenario::Judge each_by(const std::function<Worth(const Choice&)>& judge) {
  return [judge](const std::vector<Choice>& generation) {
    std::vector<Worth> worths;
    for (const Choice& choice : generation) worths.push_back(judge(choice));
    return worths;
  };
}

TEST(Evolution, FindsTheLowestPointOfABowl) {
  double lowest = 1e9;
  scenario::evolve({100, 100}, 1000, each_by([&](const Choice& choice) {
                     const double x = static_cast<double>(choice[0]) - 70;
                     const double y = static_cast<double>(choice[1]) - 20;
                     lowest = std::min(lowest, x * x + y * y);
                     return Worth{0, {x * x + y * y}};
                   }));
  EXPECT_EQ(lowest, 0);
}

TEST(Evolution, FindsWhatMeetsARequirementThatHardlyAnyMeet) {
  // Of 2^16 choices the 17 with at least fifteen ones meet it; each further one misses less.
  std::size_t meeting = 0;
  scenario::evolve(std::vector<std::uint64_t>(16, 2), 800, each_by([&](const Choice& choice) {
                     const auto ones = static_cast<std::size_t>(
                         std::count(choice.begin(), choice.end(), std::uint64_t{1}));
                     meeting += ones >= 15 ? 1U : 0U;
                     return Worth{ones >= 15 ? 0 : 15 - ones, {1.0}};
                   }));
  EXPECT_EQ(meeting, 17U);
}

RC_GTEST_PROP(Evolution, AsksForAsManyAsItMayAndForNoneTwice, ()) {
  const auto sizes = *rc::gen::nonEmpty(
      rc::gen::container<std::vector<std::uint64_t>>(rc::gen::inRange<std::uint64_t>(1, 6)));
  std::uint64_t space = 1;
  for (const std::uint64_t size : sizes) space = std::min<std::uint64_t>(space * size, 300);
  const auto evaluations = *rc::gen::inRange<std::uint64_t>(0, space + 1);
  std::set<Choice> asked;
  scenario::evolve(sizes, evaluations, each_by([&](const Choice& choice) {
                     RC_ASSERT(choice.size() == sizes.size());
                     for (std::size_t i = 0; i < sizes.size(); ++i) RC_ASSERT(choice[i] < sizes[i]);
                     RC_ASSERT(asked.insert(choice).second);
                     return Worth{choice[0] % 2, {static_cast<double>(choice.back())}};
                   }));
  RC_ASSERT(asked.size() == evaluations);
}

/// A problem with a known best set: of up to 16 hosts, and six settings that each cost time
/// unless they are 3, time and hosts are minimized. Time is lowest with all settings at 3.
TEST(Evolution, FindsTheWholeKnownFrontOfTwoFigures) {
  std::set<std::pair<double, double>> found;
  scenario::evolve({16, 9, 9, 9, 9, 9, 9}, 2000, each_by([&](const Choice& choice) {
                     const double hosts = static_cast<double>(choice[0]) + 1;
                     double wasted = 0;
                     for (std::size_t i = 1; i < choice.size(); ++i) {
                       wasted += std::abs(static_cast<double>(choice[i]) - 3);
                     }
                     const double time = 1000 / hosts + 10 * wasted;
                     found.emplace(time, hosts);
                     return Worth{0, {time, hosts}};
                   }));
  for (int hosts = 1; hosts <= 16; ++hosts) {
    EXPECT_TRUE(found.contains({1000.0 / hosts, hosts})) << hosts;
  }
}

RC_GTEST_PROP(ParetoSet, HoldsWhatNoOtherBeatsAndNothingElse, ()) {
  const auto values = *rc::gen::container<std::vector<std::pair<int, int>>>(
      rc::gen::pair(rc::gen::inRange(0, 8), rc::gen::inRange(0, 8)));
  const std::vector<Objective> objectives{{"a", false}, {"b", true}};
  std::vector<Candidate> candidates;
  for (const auto& [a, b] : values) {
    Candidate each;
    each.point = candidates.size();
    each.objectives = {static_cast<double>(a), static_cast<double>(b)};
    candidates.push_back(each);
  }
  std::set<std::vector<double>> expected;
  for (const Candidate& each : candidates) {
    const bool beaten = std::any_of(candidates.begin(), candidates.end(), [&](const auto& other) {
      return scenario::dominates(other.objectives, each.objectives, objectives);
    });
    if (!beaten) expected.insert(each.objectives);
  }
  std::set<std::vector<double>> found;
  for (const Candidate& each : scenario::pareto_set(candidates, objectives)) {
    RC_ASSERT(found.insert(each.objectives).second);
  }
  RC_ASSERT(found == expected);
}

TEST(AdviceRequests, SayAllThatIsWrong) {
  const auto document = input::read_json(input::make_source(
      "advice.json", R"({"format": "vgsim.advice/1", "name": "a", "scenario": "s.json",
      "goal": {"minimize": ["epoch_time"], "require": {"cost_epoch": {"max": "3 apples"}}}})"));
  const auto read = scenario::read_advice_request(*document);
  ASSERT_FALSE(read);
  const std::string text = input::render(read.error());
  EXPECT_NE(text.find("epoch_time_s"), std::string::npos) << text;
  EXPECT_NE(text.find("3 apples"), std::string::npos) << text;
}

}  // namespace advice_test
}  // namespace vgsim
