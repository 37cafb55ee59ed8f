// The search for what reaches a goal, against every combination looked at one by one.

#include "models/scenario/advise/advice.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>

#include "models/scenario/advise/evolution.hpp"
#include "models/scenario/advise/pareto.hpp"
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

Advice search(const AdviceRequest& request) {
  const auto base = scenario::base_of(request.space, request.space.scenario);
  if (!base) throw std::runtime_error(input::render(base.error()));
  scenario::RunSettings settings;
  settings.next_limit = false;
  settings.note_inputs = false;
  return scenario::search(request, *base, test::library(), cli::loader_beside("."), settings,
                          [](std::uint64_t) {});
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
  EXPECT_LE(some.simulated, 200U);
  // Whatever it finds, nothing of the whole set is much better.
  for (const Candidate& found : some.best) {
    for (const Candidate& best : all.best) {
      const bool much = best.objectives[0] < 0.7 * found.objectives[0] &&
                        best.objectives[1] > 1.3 * found.objectives[1];
      EXPECT_FALSE(much);
    }
  }
  EXPECT_EQ(search(request(space + R"(, "most_runs": 160)")).simulated, some.simulated);
}

TEST(Evolution, FindsTheLowestPointOfABowl) {
  std::vector<std::uint64_t> best{0, 0};
  double lowest = 1e9;
  scenario::evolve({100, 100}, 1, 2000, [&](const std::vector<std::uint64_t>& choice) {
    const double x = static_cast<double>(choice[0]) - 70;
    const double y = static_cast<double>(choice[1]) - 20;
    const double value = x * x + y * y;
    if (value < lowest) {
      lowest = value;
      best = choice;
    }
    return std::vector<double>{value};
  });
  EXPECT_LE(lowest, 8);
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
