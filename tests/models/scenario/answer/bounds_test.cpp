// No figure of a result is beyond what physics allows.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "models/questions/studies/tornado.hpp"
#include "models/scenario/answer/intervals.hpp"
#include "models/scenario/answer/model_error.hpp"
#include "models/scenario/answer/result_json.hpp"
#include "models/training/gpu_rates.hpp"
#include "tests/support/scenarios.hpp"
#include "tools/cli/screen/layout_rows.hpp"
#include "tools/text/limits_text.hpp"

namespace vgsim::scenario {
namespace bounds_test {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr std::uint64_t kDraws = 40;

PreparedScenario prepared(const std::string& text, const Library& library) {
  const auto document = Document::parse(input::make_source("scenario.json", text));
  auto result = prepare_scenario(*document, library, cli::loader_relative_to("x"));
  if (!result) throw std::runtime_error(input::render(result.error()));
  return std::move(*result);
}

LayoutResult with_interval(const std::string& text, const Library& library = test::library()) {
  const PreparedScenario scenario = prepared(text, library);
  ScenarioResult result = run(scenario, {});
  add_intervals(scenario, library, cli::loader_relative_to("x"), {}, kDraws, result);
  return result.layouts.front();
}

/// Gradients of 1.36 GB over 25 GbE, and nothing to compute: 761.6 ms at line rate for 8 hosts.
std::string wire(const std::string& idealise) {
  return R"({"name": "wire", "hosts": {"h[1-8]": {"server": "generic-1gpu",
      "gpus": "1 x a100-pcie-40gb", "nics": {"n": {"nic": "connectx-4-lx-25g"}}}},
      "job": {"network": "article-340m", "optimizer": "none", "buckets": "single",
              "overlap": false, "iterations_per_epoch": 30000}, "idealise": )" +
         idealise + "}";
}
constexpr const char* kIdealLinks = R"({"latency": "zero", "bandwidth": "line_rate"})";
constexpr double kAtLineRate = 0.7616;

TEST(Bounds, WhatIsArithmeticAloneHasAnIntervalOfZeroWidth) {
  const auto layout = with_interval(wire(kIdealLinks));
  const double iteration = to_seconds(layout.training->iteration);
  EXPECT_DOUBLE_EQ(iteration, kAtLineRate);
  EXPECT_EQ(layout.training->iteration_interval->low_s, iteration);
  EXPECT_EQ(layout.training->iteration_interval->high_s, iteration);
  EXPECT_EQ(layout.training->training_interval->low_s, layout.training->training_interval->high_s);
}

TEST(Bounds, NothingNarrowsAnIntervalOfZeroWidth) {
  const PreparedScenario scenario = prepared(wire(kIdealLinks), test::library());
  const ScenarioResult result = run(scenario, {});
  const Tornado study = tornado({scenario, test::library(), cli::loader_relative_to("x"), {}},
                                result.layouts.front());
  EXPECT_THAT(study.bars, IsEmpty());
  EXPECT_THAT(study.measure, IsEmpty());
}

TEST(Bounds, AMeasurementOfOneGpuNarrowsNothingWhereGpusComputeNothing) {
  const PreparedScenario scenario = prepared(wire("{}"), test::library());
  const ScenarioResult result = run(scenario, {});
  const Tornado study = tornado({scenario, test::library(), cli::loader_relative_to("x"), {}},
                                result.layouts.front());
  ASSERT_FALSE(study.bars.empty());
  for (const WorthMeasuring& each : study.measure) {
    EXPECT_THAT(each.measurement.what, Not(HasSubstr("one GPU")));
  }
}

TEST(Bounds, NoIntervalUndercutsTheLineRateOfItsWires) {
  const auto layout = with_interval(wire("{}"));
  EXPECT_GE(layout.training->iteration_interval->low_s, kAtLineRate);
  EXPECT_GT(layout.training->iteration_interval->high_s, to_seconds(layout.training->iteration));
}

TEST(Bounds, AnIdealisedCollectiveHasNoInterval) {
  const auto layout = test::run_one(R"({"name": "c", "hosts": {"h[1-2]": {"server": "generic-1gpu",
      "gpus": "1 x a100-pcie-40gb", "nics": {"n": {"nic": "connectx-4-lx-25g"}}}},
      "job": {"collective": "all_reduce", "sizes": ["1 GB"]}, "idealise": )" +
                                    std::string(kIdealLinks) + "}");
  EXPECT_EQ(layout.collective->points[0].low, layout.collective->points[0].time);
  EXPECT_EQ(layout.collective->points[0].high, layout.collective->points[0].time);
}

/// AllReduce of two of the eight GPUs of a host, with more in the job.
scenario::CollectivePoint two_of_eight(const std::string& more) {
  const auto layout = test::run_one(R"({"name": "c", "hosts": {"h": {"server": "dgx-h100"}},
      "job": {"collective": "all_reduce", "sizes": ["4 GiB"], "ranks": ["h/gpu[0-1]"])" +
                                    more + "}}");
  return layout.collective->points.at(0);
}

// The line rate bounds the time of a collective's own traffic, not of what runs beside it.
TEST(Bounds, ALargerGroupOnOtherLinksNarrowsNoInterval) {
  const auto alone = two_of_eight("");
  const auto beside = two_of_eight(R"(, "beside": [{"collective": "all_reduce",
      "ranks": ["h/gpu[2-7]"]}])");
  ASSERT_EQ(beside.time, alone.time);
  EXPECT_LT(alone.low, alone.time);
  EXPECT_EQ(beside.low, alone.low);
  EXPECT_EQ(beside.high, alone.high);
}

/// BERT-Large on four hosts at 25 GbE with more in the job and beside it.
std::string bert(const std::string& job, const std::string& more = "",
                 const std::string& gpu = "a100-pcie-80gb") {
  return R"({"name": "bert", "hosts": {"h[1-4]": {"server": "dell-r750xa", "gpus": "1 x )" + gpu +
         R"(", "nics": {"n": {"nic": "connectx-6-lx-25g", "near": "gpu0"}}}},
      "job": {"network": "bert-large", "batch_per_gpu": 16)" +
         job + "}" + more + "}";
}

TEST(Bounds, PassesAreUncertainAndTheWireBesideThemIsNot) {
  const auto layout = with_interval(bert(R"(, "buckets": "single", "overlap": false)",
                                         std::string(R"(, "idealise": )") + kIdealLinks));
  const TrainingResult& t = *layout.training;
  const double exposed = to_seconds(t.exposed_communication);
  EXPECT_GT(to_seconds(t.floors.compute), 0);
  EXPECT_GE(t.iteration_interval->low_s, exposed + to_seconds(t.floors.compute));
  EXPECT_LT(t.iteration_interval->low_s, to_seconds(t.iteration));
  EXPECT_LT(t.iteration_interval->high_s,
            exposed + 3 * to_seconds(t.iteration - t.exposed_communication));
}

TEST(Bounds, WhatIsIdealisedAltogetherHasAnIntervalOfZeroWidth) {
  const auto layout = with_interval(
      bert("", R"(, "idealise": {"latency": "zero", "bandwidth": "line_rate", "computing": "ideal",
                                "virtualization": "zero"})"));
  EXPECT_EQ(layout.training->iteration_interval->low_s,
            layout.training->iteration_interval->high_s);
}

TEST(Bounds, PartsStretchDownToTheirFloorsAndTheWholeToItsBusiestWire) {
  TrainingResult t;
  t.iteration = SimTime{100};
  t.exposed_communication = SimTime{40};
  EXPECT_DOUBLE_EQ(slowdown_by(t, {0.5, 0.5}), 0.5);
  EXPECT_DOUBLE_EQ(slowdown_by(t, {2.0, 1.0}), 1.6);
  t.floors = {SimTime{0}, SimTime{40}, SimTime{45}};
  EXPECT_DOUBLE_EQ(slowdown_by(t, {0.5, 0.5}), 0.85);
  t.floors.links = SimTime{95};
  EXPECT_DOUBLE_EQ(slowdown_by(t, {0.5, 0.5}), 0.95);
  EXPECT_DOUBLE_EQ(slowdown_by(t, {1.0, 2.0}), 1.4);
}

/// An unmeasured GPU: of Ada, without a training job among the cases.
TEST(Bounds, AGpuThatNobodyMeasuredIsLessCertainAndSaysSo) {
  const auto alone = [](const std::string& gpu) {
    return R"({"name": "alone", "hosts": {"h": {"server": "generic-1gpu", "gpus": "1 x )" + gpu +
           R"("}}, "job": {"network": "bert-large", "batch_per_gpu": 16}})";
  };
  const auto width = [&](const char* gpu) {
    const auto interval = *with_interval(alone(gpu)).training->iteration_interval;
    return std::log(interval.high_s / interval.low_s);
  };
  EXPECT_GT(width("l40s"), width("a100-pcie-80gb") * 1.1);
  const auto note = HasSubstr("no measured training job on this");
  EXPECT_THAT(test::run_one(alone("l40s")).assumptions,
              Contains(AllOf(note, HasSubstr("compute_capability 89"), HasSubstr("as hopper"))));
  EXPECT_THAT(test::run_one(alone("a100-pcie-80gb")).assumptions, Not(Contains(note)));
}

TEST(Bounds, WithoutItsMultiprocessorsAGpuIsUnmeasuredAndStaysBelowItsPeak) {
  const PreparedScenario scenario = prepared(bert(""), test::library());
  const topology::Catalog& catalog = *test::library().catalog;
  topology::GpuModel gpu = catalog.gpus.at("b200-sxm-180gb");
  EXPECT_TRUE(training::is_like_measured(gpu, catalog));
  gpu.validated = false;
  EXPECT_TRUE(training::is_like_measured(gpu, catalog)) << "as the B200 of the catalogue";
  gpu.multiprocessors = 0;
  EXPECT_FALSE(training::is_like_measured(gpu, catalog));
  const auto rates = training::gpu_rates(*scenario.layouts[0].placement.job.training, gpu, false,
                                         test::library().parameters);
  ASSERT_TRUE(rates);
  EXPECT_LE(to_double(rates->flops_per_second),
            static_cast<double>(gpu.peak.at("fp16").value.count()));
}

TEST(Bounds, NoFactorOfTheUsersLetsGpusGoBeyondTheirPeak) {
  for (const char* network : {"transformer-big", "resnet-50"}) {
    for (const char* precision : {"fp16", "fp32"}) {
      const auto t = *test::run_one(std::string(R"({"name": "x", "hosts": {"h": {"server":
          "dgx-h100", "gpus": "8 x h100-sxm5-80gb"}}, "job": {"network": ")") +
                                    network + R"(", "precision": ")" + precision +
                                    R"(", "batch_per_gpu": 256, "compute_factor": 0.01,
          "iterations_per_epoch": 9,
          "input": {"decode": "none"}}, "idealise": {"memory": "unlimited"}})")
                          .training;
      const bool filters = std::string(network) == "resnet-50" && std::string(precision) == "fp32";
      EXPECT_EQ(t.model_flops_utilization.has_value(), !filters) << network << ' ' << precision;
      EXPECT_LE(t.model_flops_utilization.value_or(0.0), 1.0) << network << ' ' << precision;
      // With minimal filtering, convolutions in fp32 multiply 2.25 times less than counted.
      const auto& gpu = test::library().catalog->gpus.at("h100-sxm5-80gb");
      const double peak = static_cast<double>(gpu.peak.at(precision).value.count());
      EXPECT_LE(t.model_flops_per_gpu, peak * (filters ? 2.25 : 1.0)) << network;
    }
  }
}

/// Two iterations of three find their input fetched: storage has less to do in them than they use.
TEST(Bounds, NoLinkIsBusyForMoreThanAllOfTheTime) {
  const auto layout = test::run_one(R"({"name": "x", "hosts": {
      "a1": {"server": "azure-nc-a100-v4", "nics": {"n": {"nic": "connectx-4-lx-25g"}},
             "storage": {"read": "1 GB/s", "over": "n"}},
      "b1": {"server": "dell-r750xa", "gpus": "4 x a100-pcie-80gb",
             "nics": {"n": {"nic": "connectx-6-lx-25g"}}}},
      "job": {"network": "unet-3d", "batch_per_gpu": 8, "parallel": "zero1"}})");
  ASSERT_FALSE(layout.links.empty());
  EXPECT_EQ(layout.links.front().kind, "storage");
  EXPECT_DOUBLE_EQ(layout.links.front().utilization, 1.0);
}

TEST(Bounds, NoUncertainShareLetsIdealComputingGoBeyondThePeak) {
  const PreparedScenario scenario = prepared(R"({"name": "x", "hosts": {"h": {"server":
      "generic-1gpu", "gpus": "1 x a100-pcie-40gb"}},
      "job": {"network": "transformer-xl-large", "precision": "fp32",
              "iterations_per_epoch": 1}})",
                                             test::library());
  const auto& gpu = test::library().catalog->gpus.at("a100-pcie-40gb");
  const auto high = test::library().parameters.with(
      {{"fp32_layer_share", calibration::Uncertain{1.2, 1.2, 1.2}}}, "a draw");
  const auto rates =
      training::gpu_rates(*scenario.layouts[0].placement.job.training, gpu, true, high);
  ASSERT_TRUE(rates);
  EXPECT_DOUBLE_EQ(to_double(rates->flops_per_second),
                   static_cast<double>(gpu.peak.at("fp32").value.count()));
}

TEST(Bounds, WhatComputingWaitsForIsPartOfItHoweverPassesComeOut) {
  for (const char* variability :
       {R"({"compute_sigma": 0.5, "seed": 1})", R"({"compute_sigma": 0.5, "seed": 2})",
        R"({"stragglers": {"h": 0.3}})", R"({"stragglers": {"h": 3}})"}) {
    const auto t = *test::run_one(std::string(R"({"name": "x", "hosts": {"h": {"server":
        "hpe-xl675d"}}, "job": {"network": "inception-v3", "kernel_launch_interval": "1 ms",
        "iterations_per_epoch": 2}, "variability": )") +
                                  variability + "}")
                        .training;
    ASSERT_FALSE(t.losses.empty());
    for (const auto& loss : t.losses) EXPECT_LE(loss.time, t.compute) << variability;
    // Nearly all of it is limited by kernel launches.
    const auto& most = *std::max_element(t.losses.begin(), t.losses.end(),
                                         [](auto& a, auto& b) { return a.time < b.time; });
    EXPECT_GT(to_seconds(most.time), 0.8 * to_seconds(t.compute)) << variability;
  }
}

/// All ranks together over what they achieve alone: two at full and two at half their rate are
/// three fast ones, and the iteration takes as long as the slow ones do. Which host is slow, or has
/// the other GPUs, makes no difference.
TEST(Bounds, AStragglerCostsItsShareOfTheScalingEfficiency) {
  const auto run = [](const std::string& hosts, const std::string& gpus,
                      const std::string& variability) {
    return *test::run_one(R"({"name": "x", "hosts": {")" + hosts + R"(": {"server": "dell-r750xa",
        "gpus": ")" + gpus +
                          R"( x a100-pcie-80gb", "nics": {"n": {"nic": "connectx-6-dx-100g"}}}},
        "job": {"network": "bert-large", "batch_per_gpu": 256, "iterations_per_epoch": 20},
        "variability": )" +
                          variability + "}")
                .training;
  };
  const auto alone = run("h[1-1]", "1", "{}");
  const double passes = to_seconds(alone.compute);
  for (const char* slow : {"h1", "h2"}) {
    const auto t = run("h[1-2]", "2", R"({"stragglers": {")" + std::string(slow) + R"(": 2}})");
    EXPECT_NEAR(*t.scaling_efficiency,
                (to_seconds(alone.iteration) + passes / 3) / to_seconds(t.iteration), 1e-6)
        << slow;
    EXPECT_LT(*t.scaling_efficiency, 2.0 / 3) << slow;
  }
}

/// Ranks that exchange nothing end when they end: the last one need not have had the worst draws.
TEST(Bounds, RanksThatExchangeNothingScaleToAllOfThemselvesAtMost) {
  for (int seed = 1; seed <= 6; ++seed) {
    const auto t = *test::run_one(R"({"name": "x", "hosts": {"h[1-2]": {"server": "dell-r750xa",
        "gpus": "2 x a100-pcie-80gb"}}, "job": {"network": {"name": "measured program", "step":
        {"measured": [{"batch": 8, "time": "342 ms"}]}}, "batch_per_gpu": 256,
        "iterations_per_epoch": 2}, "variability": {"compute_sigma": 0.1, "seed": )" +
                                  std::to_string(seed) + "}}")
                        .training;
    EXPECT_LE(*t.scaling_efficiency, 1.0) << seed;
  }
}

TEST(Bounds, OneGpuAloneThatVariesScalesToItself) {
  const auto t = *test::run_one(R"({"name": "x", "hosts": {"h": {"server": "generic-1gpu",
      "gpus": "1 x a100-pcie-40gb"}}, "job": {"network": "bert-large"},
      "variability": {"compute_sigma": 0.5}})")
                      .training;
  EXPECT_DOUBLE_EQ(*t.scaling_efficiency, 1.0);
}

TEST(Bounds, NoLinkIsUsedBeyondWhatItCarriesWhereAnEpochIsShort) {
  const auto layout = test::run_one(R"({"name": "x", "hosts": {"h[1-4]": {"server": "gb300-nvl72",
      "nics": {"n": {"nic": "connectx-6-dx-100g"}},
      "storage": {"read": "25 Gbit/s", "over": "n"}}},
      "job": {"network": "resnext-101-32x4d", "batch_per_gpu": 1000, "samples_per_epoch": 1}})");
  for (const LinkUse& link : layout.links) EXPECT_LE(link.utilization, 1.0) << link.resource;
  const TrainingResult& t = *layout.training;
  EXPECT_EQ(t.compute + t.exposed_communication + t.data_wait + t.optimizer + t.pipeline_wait,
            t.iteration);
}

TEST(Bounds, LossesAreNotNegative) {
  const auto layout = test::run_one(R"({"name": "x", "hosts": {"h[1-16]": {"server":
      "oci-bm-gpu-b4-8", "nics": {"n": {"nic": "xxv710-25g"}}}},
      "vms": {"v[01-16]": {"gpus": {"mode": "vgpu", "profile": "grid_a100x-3-20c"}}},
      "job": {"network": "gnmt", "batch_per_gpu": 8, "iterations_per_epoch": 2}})");
  for (const auto& loss : layout.training->losses) EXPECT_GT(loss.time, SimTime{0});
}

TEST(Bounds, VeryManyIterationsTakeVeryLong) {
  const auto t = *test::run_one(R"({"name": "x", "hosts": {"h": {"server": "generic-1gpu",
      "gpus": "1 x a100-pcie-40gb"}}, "job": {"network": "bert-large", "batch_per_gpu": 1,
      "tokens": 1000000000000000, "sequence_length": 1, "epochs": 1000000}})")
                      .training;
  EXPECT_NEAR(t.iterations(), 1e21, 1e9);
  EXPECT_NEAR(t.training_s / (1e21 * to_seconds(t.iteration)), 1.0, 1e-6);
}

TEST(Bounds, LostWorkOfMoreThanA106DaysIsLost) {
  const auto layout = test::run_one(R"({"name": "x", "hosts": {"h[1-3]": {"server": "dell-xe9680",
      "nics": {"n": {"nic": "connectx-6-lx-25g"}}}},
      "vms": {"v[1-3]": {"gpus": {"mode": "vgpu", "profile": "nvidia_h100xm-4-40c"},
                         "nics": {"n": "pvrdma"}}},
      "job": {"network": "nemotron-4-340b", "samples_per_epoch": 1000000000000},
      "maintenance": {"per_month": 30}, "idealise": {"memory": "unlimited"}})");
  const auto& plan = *layout.training->maintenance;
  EXPECT_GT(plan.restart_s, 0);
  EXPECT_GE(plan.vmotion_s.value_or(0), 0);
}

TEST(Bounds, AJobThatFailsMoreOftenThanItGetsOnNeverEnds) {
  const auto result = test::run(R"({"name": "x", "hosts": {"h": {"server": "generic-1gpu",
      "gpus": "1 x a100-pcie-40gb"}}, "job": {"network": "bert-large", "samples_per_epoch": 100000},
      "prices": {"gpu_hour": 1},
      "reliability": {"gpu_hours": 1, "host_hours": 1, "restart": "1000 h"}})");
  const TrainingResult& t = *result.layouts[0].training;
  ASSERT_TRUE(t.goodput);
  EXPECT_FALSE(t.goodput->expected_s);
  EXPECT_EQ(t.goodput->share, 0.0);
  EXPECT_FALSE(t.economy.cost);
  EXPECT_THAT(to_json(result, {}), HasSubstr("\"training_time_with_failures_s\": null"));
}

TEST(Bounds, WhatComesAfterALinkAreTheGpusOnlyIfTheyCompute) {
  const auto layout = test::run_one(R"({"name": "x", "hosts": {"h[1-3]": {"server": "dell-xe9680",
      "nics": {"n": {"nic": "connectx-6-lx-25g"}}}},
      "vms": {"v[1-3]": {"memory": "256 GiB",
          "gpus": {"mode": "vgpu", "profile": "nvidia_h100xm-80c", "count": 1},
          "nics": {"n": "vmxnet3"}}},
      "job": {"network": "bert-large", "batch_per_gpu": 4, "samples_per_epoch": 100000}})");
  ASSERT_TRUE(layout.training->next);
  const NextLimit& next = *layout.training->next;
  EXPECT_LT(next.computing, 0.5);
  EXPECT_THAT(text::next_limit_text(layout), Not(HasSubstr("then the GPUs")));
}

/// The input of all clients passes one NIC of their host: four times the input of one client, with
/// or without aggregation by symmetry.
TEST(Bounds, RemoteClientsShareTheNicOfTheirHostInShardedJobsToo) {
  const std::string text = R"({"name": "x", "hosts": {"h[1-4]": {"server": "dell-r750xa",
      "gpus": "2 x a100-pcie-80gb", "nics": {"n": {"nic": "connectx-6-lx-25g"}}}},
      "fabric": {"kind": "leaf-spine", "leaves": 2, "spines": 2},
      "vms": {"v[1-4]": {"host": "h[1-4]", "memory": "256 GiB", "nics": {"n": "passthrough"},
          "gpus": {"mode": "passthrough", "count": 2}, "remote_client": {"host": "h4"}}},
      "job": {"network": "vgg-16", "batch_per_gpu": 8, "samples_per_epoch": 5000,
          "parallel": {"sharding": "zero1"}}})";
  RunSettings plain;
  plain.use_symmetry = false;
  const auto each = test::run_one(text, plain);
  const auto alike = test::run_one(text);
  EXPECT_EQ(alike.fingerprint, each.fingerprint);
  EXPECT_EQ(alike.training->iteration, each.training->iteration);
  EXPECT_DOUBLE_EQ(alike.training->cores_busy, each.training->cores_busy);
}

TEST(Bounds, TheScreenTellsHowManyIterationsThereAre) {
  const auto result = test::run(R"({"name": "x", "hosts": {"h": {"server": "generic-1gpu",
      "gpus": "1 x a100-pcie-40gb"}}, "job": {"network": "bert-large", "batch_per_gpu": 32,
      "samples_per_epoch": 1281167}})");
  bool said = false;
  for (const auto& row : text::figure_rows(result, {}, text::RowsFor::kScreen)) {
    said |= row.label == "iterations" && row.cells.at(0) == "40037";
  }
  EXPECT_TRUE(said) << "1,281,167 samples, 32 at a time";
}

}  // namespace bounds_test
}  // namespace vgsim::scenario
