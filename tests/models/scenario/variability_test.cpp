#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/scenarios.hpp"

namespace vgsim {
namespace variability_test {

using namespace literals;
using scenario::LayoutResult;
using scenario::RunSettings;
using scenario::TrainingResult;

/// BERT-Large on hosts of two GPUs, in one VM each if so asked, with `variability`.
std::string scenario_text(const std::string& hosts, const std::string& variability,
                          bool vms = false, int gpus = 2) {
  std::string text = R"({"name": "v", "hosts": {")" + hosts + R"(": {"server": "dell-r750xa",
    "gpus": ")" + std::to_string(gpus) +
                     R"( x a100-pcie-80gb", "nics": {"n": {"nic": "connectx-6-dx-100g"}}}},
    "job": {"network": "bert-large", "batch_per_gpu": 256, "iterations_per_epoch": 20})";
  if (vms) {
    const std::string range = hosts.substr(hosts.find('['));
    text += R"(, "vms": {"vm)" + range + R"(": {"host": ")" + hosts + R"("}})";
  }
  if (!variability.empty()) text += R"(, "variability": )" + variability;
  return text + "}";
}

LayoutResult run(const std::string& hosts, const std::string& variability, bool vms = false,
                 int gpus = 2) {
  return test::run_one(scenario_text(hosts, variability, vms, gpus));
}

/// Equal but for the picoseconds that each stretch of its tasks is rounded to.
void expect_same(SimTime a, SimTime b) {
  EXPECT_LE(std::abs(a.count() - b.count()), 200) << to_seconds(a) << " s and " << to_seconds(b);
}

TEST(Stragglers, AFactorOfTwoDoublesTheComputingTimeOfThatGpu) {
  const TrainingResult calm = *run("h[1-2]", "").training;
  const TrainingResult held = *run("h[1-2]", R"({"stragglers": {"h2/gpu1": 2}})").training;
  expect_same(held.compute, calm.compute * 2);
  EXPECT_EQ(held.optimizer, calm.optimizer * 2);
  EXPECT_EQ(held.breakdown_rank, "h2/gpu1") << "all wait for it";
}

TEST(Stragglers, AFactorOfTwoDoublesAnIterationThatOnlyComputes) {
  const TrainingResult calm = *run("h[1-1]", "", false, 1).training;
  ASSERT_EQ(calm.iteration, calm.compute + calm.optimizer);
  for (const char* name : {"h1/gpu0", "h1"}) {
    const auto held =
        run("h[1-1]", R"({"stragglers": {")" + std::string(name) + R"(": 2}})", false, 1);
    EXPECT_EQ(held.training->iteration, calm.iteration * 2) << name;
    EXPECT_EQ(held.training->epoch_ps.value() - held.training->first_iteration.count(),
              19 * held.training->iteration.count());
  }
}

TEST(Stragglers, AHostSlowsDownAllOfItsGpusAndNoOthers) {
  const TrainingResult one = *run("h[1-2]", R"({"stragglers": {"h1/gpu0": 2}})").training;
  const TrainingResult host = *run("h[1-2]", R"({"stragglers": {"h1": 2}})").training;
  const TrainingResult both =
      *run("h[1-2]", R"({"stragglers": {"h1/gpu0": 2, "h1/gpu1": 2}})").training;
  EXPECT_EQ(host.compute, one.compute) << "the slowest rank computes as long";
  EXPECT_EQ(host.iteration, both.iteration);
  EXPECT_EQ(host.epoch_ps, both.epoch_ps);
}

TEST(Stragglers, AVmIsAsSlowAsItsGpus) {
  const TrainingResult vm = *run("h[1-2]", R"({"stragglers": {"vm2": 3}})", true).training;
  const TrainingResult gpus =
      *run("h[1-2]", R"({"stragglers": {"h2/gpu0": 3, "h2/gpu1": 3}})", true).training;
  EXPECT_EQ(vm.iteration, gpus.iteration);
  expect_same(vm.compute, run("h[1-2]", "", true).training->compute * 3);
}

TEST(Stragglers, FactorsOfAGpuItsHostAndItsVmMultiply) {
  const TrainingResult calm = *run("h[1-2]", "", true).training;
  const TrainingResult held =
      *run("h[1-2]", R"({"stragglers": {"h1/gpu0": 2, "h1": 4, "vm1": 0.5}})", true).training;
  expect_same(held.compute, calm.compute * 4);
}

TEST(Stragglers, OneOfManyAlikeHoldsUpAll) {
  const TrainingResult calm = *run("h[1-6]", "").training;
  const TrainingResult held = *run("h[1-6]", R"({"stragglers": {"h4/gpu0": 1.5}})").training;
  EXPECT_NEAR(to_seconds(held.compute), to_seconds(calm.compute) * 1.5, 1e-10);
  EXPECT_GE(held.iteration, held.compute + held.optimizer);
  EXPECT_EQ(held.breakdown_rank, "h4/gpu0");
}

std::vector<input::Diagnostic> errors_of(const std::string& text) {
  const auto result = test::try_run(text);
  return result ? std::vector<input::Diagnostic>{} : result.error().items();
}

TEST(Stragglers, AnUnknownNameIsReportedWithTheNearest) {
  for (const auto& [name, nearest] :
       {std::pair{"h1/gpu7", "h1/gpu0"}, {"h3", "h1"}, {"vmm1", "vm1"}}) {
    const auto errors = errors_of(
        scenario_text("h[1-2]", R"({"stragglers": {")" + std::string(name) + R"(": 2}})", true));
    ASSERT_EQ(errors.size(), 1U) << name;
    EXPECT_EQ(errors[0].code, "E432");
    EXPECT_EQ(errors[0].pointer.substr(0, 24), "/variability/stragglers/");
    EXPECT_NE(errors[0].message.find(name), std::string::npos);
    EXPECT_EQ(std::count(errors[0].suggestions.begin(), errors[0].suggestions.end(), nearest), 1)
        << name;
  }
}

TEST(Stragglers, OfAGpuThatTheJobDoesNotUseChangeNothing) {
  const auto with = [](const char* variability) {
    std::string text = scenario_text("h[1-3]", variability);
    const std::string job = R"("job": {)";
    text.insert(text.find(job) + job.size(), R"("vms": ["h1", "h2"], )");
    return *test::run_one(text).training;
  };
  EXPECT_EQ(with(R"({"stragglers": {"h3/gpu0": 5}})").iteration, with("{}").iteration);
}

constexpr const char* kJitter = R"({"compute_sigma": 0.1})";

TEST(Jitter, TheSameSeedGivesTheSameRunAndAnotherOneAnother) {
  const auto seeded = [](const std::string& seed) {
    return run("h[1-2]", R"({"compute_sigma": 0.1, "seed": )" + seed + "}").fingerprint;
  };
  EXPECT_EQ(seeded("7"), seeded("7"));
  EXPECT_NE(seeded("7"), seeded("8"));
  EXPECT_EQ(seeded("1"), run("h[1-2]", kJitter).fingerprint) << "the seed that is not given";
  RunSettings settings;
  settings.seed = 8;
  EXPECT_EQ(test::run_one(scenario_text("h[1-2]", kJitter), settings).fingerprint, seeded("8"));
}

TEST(Jitter, PartsOfTheMeanIterationAddUpToIt) {
  const TrainingResult result = *run("h[1-2]", R"({"compute_sigma": 0.3})").training;
  EXPECT_EQ(result.compute + result.exposed_communication + result.data_wait + result.optimizer,
            result.iteration);
}

TEST(Jitter, NoneIsTheRunWithoutIt) {
  EXPECT_EQ(run("h[1-2]", R"({"compute_sigma": 0, "seed": 9})").fingerprint,
            run("h[1-2]", "").fingerprint);
}

TEST(Jitter, AnotherHostChangesNobodysDraws) {
  // The other host computes a hundred times faster, so that h1 is always the last to finish.
  const std::string ideal = R"(, "idealise": {"computing": "ideal"})";
  const TrainingResult alone = *run("h[1-1]", kJitter + ideal, false, 1).training;
  const TrainingResult joined =
      *run("h[1-2]", R"({"compute_sigma": 0.1, "stragglers": {"h2": 0.01}})" + ideal, false, 1)
           .training;
  ASSERT_EQ(joined.breakdown_rank, "h1/gpu0");
  EXPECT_EQ(joined.compute, alone.compute) << "of the last iteration, forward and backward";
  EXPECT_EQ(joined.optimizer, alone.optimizer);
  const TrainingResult renamed = *run("g[1-1]", kJitter + ideal, false, 1).training;
  EXPECT_NE(renamed.compute, alone.compute) << "draws depend on the name";
}

TEST(Jitter, AllRanksWaitForTheSlowest) {
  // The longest of four draws of mean 1 is longer than 1 on average.
  const TrainingResult calm = *run("h[1-2]", "").training;
  RunSettings settings;
  settings.seeds = 20;
  const auto spread =
      test::run_one(scenario_text("h[1-2]", kJitter), settings).training->iteration_spread.value();
  EXPECT_GT(spread.median_s, to_seconds(calm.iteration));
}

/// Hosts of two GPUs with slow storage.
std::string many_hosts(const std::string& hosts, const std::string& network,
                       const std::string& variability) {
  return R"({"name": "v", "hosts": {")" + hosts + R"(": {"server": "dell-r750xa",
    "gpus": "2 x a100-pcie-80gb", "nics": {"n": {"nic": "connectx-6-dx-100g"}},
    "storage": {"read": "60 MB/s"}}},
    "job": {"network": ")" +
         network + R"(", "batch_per_gpu": 32, "iterations_per_epoch": 20,
            "nccl": {"NCCL_ALGO": "Ring"}}, "variability": )" +
         variability + "}";
}

struct ManyRanks {
  const char* network;
  const char* variability;
  bool few_events;  ///< ranks are not simulated one by one
};

// The same times, parts and slowest rank as from a simulation of each rank.
TEST(Jitter, RanksThatItAloneDistinguishesAreSimulatedTogether) {
  RunSettings each;
  each.use_symmetry = false;
  for (const auto& [network, variability, few_events] : {
           ManyRanks{"bert-large", R"({"compute_sigma": 0.02})", true},
           ManyRanks{"bert-large", R"({"compute_sigma": 0.5, "seed": 3})", true},
           ManyRanks{"bert-base", R"({"compute_sigma": 0.1, "seed": 5})", true},
           ManyRanks{"bert-large", R"({"compute_sigma": 0.1, "stragglers": {"h07": 1.3}})", true},
           ManyRanks{"resnet-50", R"({"compute_sigma": 0.1})", false},  // ranks wait for data
       }) {
    const std::string text = many_hosts("h[01-24]", network, variability);
    const LayoutResult one_by_one = test::run_one(text, each);
    const LayoutResult together = test::run_one(text);
    const TrainingResult& expected = *one_by_one.training;
    const TrainingResult& got = *together.training;
    EXPECT_EQ(got.iteration, expected.iteration) << text;
    EXPECT_EQ(got.first_iteration, expected.first_iteration) << text;
    EXPECT_EQ(got.epoch_ps, expected.epoch_ps) << text;
    EXPECT_EQ(got.compute, expected.compute) << text;
    EXPECT_EQ(got.exposed_communication, expected.exposed_communication) << text;
    EXPECT_EQ(got.data_wait, expected.data_wait) << text;
    EXPECT_EQ(got.optimizer, expected.optimizer) << text;
    EXPECT_EQ(got.breakdown_rank, expected.breakdown_rank) << text;
    EXPECT_EQ(together.events < one_by_one.events / 3, few_events) << text;
  }
}

TEST(Jitter, JobsThatWaitForDataAndHaveTheSameStepAreAsOneByOne) {
  const std::string job = R"({"network": "resnet-50", "batch_per_gpu": 32,
    "iterations_per_epoch": 20, "nccl": {"NCCL_ALGO": "Ring"}, "ranks": ")";
  const std::string hosts = R"({"server": "dell-r750xa", "gpus": "2 x a100-pcie-80gb",
    "nics": {"n": {"nic": "connectx-6-dx-100g"}}, "storage": {"read": "60 MB/s"}})";
  const std::string text = R"({"name": "v", "hosts": {"a[01-24]": )" + hosts + R"(, "b[01-24]": )" +
                           hosts + R"(},
    "fabric": {"kind": "leaf-spine", "leaves": 2, "spines": 1, "uplink": "400 Gbit/s",
               "host_link": "100 Gbit/s"},
    "variability": {"compute_sigma": 0.1},
    "jobs": {"first": )" + job +
                           R"(a[01-24]/*"}, "second": )" + job + R"(b[01-24]/*"}}})";
  RunSettings each;
  each.use_symmetry = false;
  const LayoutResult one_by_one = test::run_one(text, each);
  const LayoutResult together = test::run_one(text);
  ASSERT_EQ(together.jobs.size(), 2U);
  for (std::size_t j = 0; j < 2; ++j) {
    EXPECT_EQ(together.jobs[j].iteration_alone, one_by_one.jobs[j].iteration_alone);
    EXPECT_EQ(together.jobs[j].iteration, one_by_one.jobs[j].iteration);
  }
}

TEST(Seeds, TheMedianLiesBetweenLowAndHigh) {
  for (const std::uint64_t seeds : {2U, 3U, 10U, 21U}) {
    RunSettings settings;
    settings.seeds = seeds;
    const TrainingResult result =
        *test::run_one(scenario_text("h[1-2]", kJitter), settings).training;
    for (const auto& spread : {result.iteration_spread.value(), result.epoch_spread.value()}) {
      EXPECT_EQ(spread.seeds, seeds);
      EXPECT_LT(spread.low_s, spread.high_s);
      EXPECT_LE(spread.low_s, spread.median_s);
      EXPECT_LE(spread.median_s, spread.high_s);
    }
  }
}

TEST(Seeds, AreAsManyRunsOfSeedsInARow) {
  std::vector<double> iterations;
  for (std::uint64_t seed = 5; seed < 8; ++seed) {
    RunSettings settings;
    settings.seed = seed;
    const auto result = test::run_one(scenario_text("h[1-2]", kJitter), settings);
    iterations.push_back(to_seconds(result.training->iteration));
  }
  std::sort(iterations.begin(), iterations.end());
  RunSettings settings;
  settings.seed = 5;
  settings.seeds = 3;
  const auto spread =
      test::run_one(scenario_text("h[1-2]", kJitter), settings).training->iteration_spread.value();
  EXPECT_EQ(spread.low_s, iterations[0]);
  EXPECT_EQ(spread.median_s, iterations[1]);
  EXPECT_EQ(spread.high_s, iterations[2]);
}

TEST(Seeds, WithoutJitterAllAgree) {
  RunSettings settings;
  settings.seeds = 3;
  const TrainingResult result = *test::run_one(scenario_text("h[1-2]", ""), settings).training;
  EXPECT_EQ(result.iteration_spread->low_s, result.iteration_spread->high_s);
  EXPECT_EQ(result.iteration_spread->median_s, to_seconds(result.iteration));
}

TEST(Seeds, OneHasNoSpread) { EXPECT_FALSE(run("h[1-2]", kJitter).training->iteration_spread); }

}  // namespace variability_test
}  // namespace vgsim
