#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/scenarios.hpp"

namespace vgsim {
namespace economy_test {

using scenario::TrainingResult;

/// ResNet-50 on two hosts of four A100 (300 W each), with `more` in the layout.
TrainingResult trained(const std::string& more) {
  return *test::run_one(R"({"name": "economy", "hosts": {"h[1-2]": {"server": "dell-r750xa",
      "gpus": "4 x a100-pcie-80gb", "nics": {"n": {"nic": "connectx-6-dx-100g"}}}},
      "job": {"network": "resnet-50", "batch_per_gpu": 128, "epochs": 90,
              "checkpoints": {"every": "1000 s", "save": "10 s", "restore": "50 s"}})" +
                        more + "}")
              .training;
}

TEST(Economy, GpuHoursAreGpusTimesHours) {
  const TrainingResult result = trained("");
  EXPECT_NEAR(result.economy.gpu_hours, 8 * result.training_s / 3600, 1e-9);
  EXPECT_FALSE(result.economy.cost);
  EXPECT_FALSE(result.goodput);
}

/// The job of trained() with other checkpoints, and a third host on which HA can restart a VM.
scenario::TrainingResult saving(const std::string& checkpoints, const std::string& more = "") {
  return *test::run_one(R"({"name": "economy", "hosts": {"h[1-3]": {"server": "dell-r750xa",
      "gpus": "4 x a100-pcie-80gb", "nics": {"n": {"nic": "connectx-6-dx-100g"}}}},
      "vms": {"v[1-2]": {"host": "h[1-2]", "gpus": {"mode": "passthrough"}}},
      "job": {"network": "resnet-50", "batch_per_gpu": 128, "epochs": 90, "checkpoints": )" +
                        checkpoints + "}" + more + "}")
              .training;
}

TEST(Economy, CheckpointsThatOverlapStopTrainingForTheirSnapshotAlone) {
  const TrainingResult stops = saving(R"({"every": "1000 s", "save": "100 s"})");
  const TrainingResult overlaps =
      saving(R"({"every": "1000 s", "save": "100 s", "overlap": true, "snapshot": "5 s"})");
  ASSERT_EQ(stops.interruptions.size(), 1U);
  ASSERT_EQ(overlaps.interruptions.size(), 1U);
  EXPECT_NEAR(stops.interruptions[0].seconds, 20 * overlaps.interruptions[0].seconds, 1e-9);
}

TEST(Economy, AFailureLosesTheWorkSinceTheLastCheckpointThatWasWritten) {
  const auto lost = [](const char* at, const char* overlap) {
    const TrainingResult result = saving(
        std::string(R"({"every": "1000 s", "save": "100 s", "restore": "0 s")") + overlap + "}",
        std::string(R"(, "vsphere": "8.0U3", "disruptions": [{"kind": "host_failure",
                              "vm": "v1", "at": ")") +
            at + "\"}]");
    return result.interruptions.back().seconds;
  };
  // 50 s after the start of a checkpoint: in time if training stopped for it, otherwise the one
  // before counts.
  const char* const beside = R"(, "overlap": true)";
  EXPECT_NEAR(lost("2050 s", beside) - lost("2050 s", ""), 1000, 1e-6);
  EXPECT_NEAR(lost("2150 s", beside) - lost("2150 s", ""), 0, 1e-6);
}

TEST(Economy, CheckpointsThatCannotBeAreRefused) {
  for (const char* checkpoints : {R"({"every": "10 s", "save": "20 s", "overlap": true})",
                                  R"({"every": "10 s", "save": "2 s", "snapshot": "1 s"})",
                                  R"({"every": "10 s", "save": "2 s", "snapshot": "3 s",
                                      "overlap": true})"}) {
    EXPECT_FALSE(test::try_run(
        R"({"name": "x", "hosts": {"h": {"server": "dell-r750xa"}}, "job": {"network": "resnet-50",
            "checkpoints": )" +
        std::string(checkpoints) + "}}"))
        << checkpoints;
  }
}

TEST(Economy, EpochsToATargetAreThoseOfTheNetwork) {
  const auto epochs = [](const char* network) {
    return test::try_run(R"({"name": "x", "hosts": {"h": {"server": "dell-r750xa"}}, "job": {
        "network": ")" + std::string(network) +
                         R"(", "samples_per_epoch": 100000, "epochs": "to_target"}})");
  };
  const auto resnet = epochs("resnet-50");
  ASSERT_TRUE(resnet);
  EXPECT_EQ(resnet->layouts.at(0).training->epochs, 35);  // MLPerf's logs, to 75.9 %
  EXPECT_FALSE(epochs("bert-large"));
}

TEST(Economy, EnergyLiesBetweenIdleAndBusyGpus) {
  const TrainingResult result = trained("");
  ASSERT_TRUE(result.economy.energy_kwh);
  const double hours = result.training_s / 3600;
  const double hosts = 2 * 0.9 * hours;
  EXPECT_GT(*result.economy.energy_kwh, hosts + 8 * 0.3 * 0.25 * hours);
  EXPECT_LT(*result.economy.energy_kwh, hosts + 8 * 0.3 * 0.9 * hours);
}

TEST(Economy, CostIsTheSumOfItsPartsAndAnEpochItsShare) {
  const TrainingResult result = trained(R"(, "prices": {"currency": "EUR", "gpu_hour": 2,
      "host_hour": 3, "licence_gpu_hour": 0.5, "kwh": 0.2, "pue": 1.5})");
  ASSERT_TRUE(result.economy.cost);
  const double hours = result.training_s / 3600;
  const auto& cost = *result.economy.cost;
  EXPECT_NEAR(cost.parts.at("GPUs"), 16 * hours, 1e-6);
  EXPECT_NEAR(cost.parts.at("hosts"), 6 * hours, 1e-6);
  EXPECT_FALSE(cost.parts.contains("licences")) << "of bare metal";
  EXPECT_NEAR(cost.parts.at("energy"), 0.3 * *result.economy.energy_kwh, 1e-6);
  double sum = 0;
  for (const auto& [what, amount] : cost.parts) sum += amount;
  EXPECT_NEAR(cost.training, sum, 1e-6);
  EXPECT_NEAR(cost.epoch * 90, cost.training, 1e-6);
}

/// ResNet-50 in a VM with these GPUs of a host of four A40 (300 W each).
scenario::LayoutResult of_four(const std::string& gpus) {
  return test::run_one(R"({"name": "shares", "hosts": {"h": {"server": "dell-r750xa",
      "gpus": "4 x a40"}}, "vms": {"v": {"host": "h", "nics": {}, "gpus": {)" +
                       gpus + R"(}}}, "job": {"network": "resnet-50", "batch_per_gpu": 8},
      "prices": {"host_hour": 4, "licence_gpu_hour": 1}})");
}

TEST(Economy, AJobPaysForItsShareOfTheHost) {
  for (const auto& [gpus, share] :
       std::vector<std::pair<std::string, double>>{{R"("mode": "passthrough", "count": 1)", 0.25},
                                                   {R"("mode": "passthrough", "count": 3)", 0.75},
                                                   {R"("mode": "passthrough", "count": 4)", 1.0}}) {
    const auto layout = of_four(gpus);
    const auto& training = *layout.training;
    const double hours = training.training_s / 3600;
    EXPECT_NEAR(training.economy.cost->parts.at("hosts"), 4 * share * hours, 1e-9);
    // GPUs draw between an idle and a busy share of 300 W, the host 900 W.
    EXPECT_GT(*training.economy.energy_kwh, share * (0.9 + 4 * 0.3 * 0.1) * hours) << gpus;
    EXPECT_LT(*training.economy.energy_kwh, share * (0.9 + 4 * 0.3) * hours) << gpus;
    const bool said = std::any_of(
        layout.assumptions.begin(), layout.assumptions.end(),
        [](const std::string& text) { return text.starts_with("energy and price of hosts"); });
    EXPECT_EQ(said, share < 1) << gpus;
  }
}

TEST(Economy, TenantsOfAHostPayForAllOfItTogether) {
  // Twelve vGPUs of 4 GB train on one GPU of four.
  std::string vms;
  for (int i = 0; i < 12; ++i) {
    vms += (i == 0 ? "\"v" : ", \"v") + std::to_string(i) + R"(": {"host": "h", "nics": {},
        "gpus": {"mode": "vgpu", "count": 1, "profile": "grid_a40-4c"}})";
  }
  const auto layout = test::run_one(R"({"name": "twelve", "vsphere": "8.0U3", "hosts": {"h": {
      "server": "dell-r750xa", "gpus": "1 x a40", "vgpu": {"scheduler": "equal_share"}}},
      "vms": {)" + vms + R"(}, "job": {"network": "resnet-50", "batch_per_gpu": 1, "vms": "v0"},
      "prices": {"host_hour": 12}})");
  ASSERT_TRUE(layout.training);
  const double hours = layout.training->training_s / 3600;
  EXPECT_NEAR(layout.training->economy.cost->parts.at("hosts"), hours, 1e-6 * hours);
}

TEST(Economy, LicencesAreThoseOfVgpus) {
  const auto licences = [](const std::string& gpus) {
    const auto layout = of_four(gpus);
    const auto& parts = layout.training->economy.cost->parts;
    return parts.contains("licences") ? parts.at("licences") / (layout.training->training_s / 3600)
                                      : 0.0;
  };
  EXPECT_EQ(licences(R"("mode": "passthrough", "count": 4)"), 0.0);
  EXPECT_NEAR(licences(R"("mode": "vgpu", "profile": "grid_a40-48c", "count": 2)"), 2.0, 1e-9);
}

TEST(Economy, FailuresCostTimeAndMoneyAndFewerOfThemLess) {
  const auto with = [](const char* hours) {
    return trained(R"(, "reliability": {"gpu_hours": )" + std::string(hours) +
                   R"(, "restart": "300 s"}, "prices": {"gpu_hour": 1})");
  };
  const TrainingResult often = with("100");
  const TrainingResult seldom = with("10000");
  EXPECT_LT(often.goodput->share, seldom.goodput->share);
  EXPECT_LT(seldom.goodput->share, 1.0);
  EXPECT_NEAR(often.goodput->failures, often.economy.gpu_hours / 100, 1e-9);
  EXPECT_NEAR(often.economy.cost->training, 8 * *often.goodput->expected_s / 3600, 1e-6);
  EXPECT_NEAR(*often.goodput->best_interval_s, std::sqrt(2 * 10 * 100 * 3600 / 8.0), 1e-6);
}

TEST(Economy, FailuresOfHostsAreThoseThatTheJobOutlives) {
  const auto failing = [](const char* hosts, const char* restart) {
    return test::run_one(R"({"name": "ha", "vsphere": "8.0U3", "hosts": {")" + std::string(hosts) +
                         R"(": {"server": "dell-r750xa", "gpus": "4 x a100-pcie-80gb"}},
        "vms": {"v": {"host": "h1", "nics": {}, "gpus": {"mode": "passthrough"}}},
        "job": {"network": "resnet-50", "epochs": 90},
        "reliability": {"gpu_hours": 1e12, "host_hours": 100)" +
                         restart + "}}");
  };
  const auto warned = [](const scenario::LayoutResult& layout) {
    return std::any_of(layout.warnings.begin(), layout.warnings.end(), [](const auto& warning) {
      return warning.rule == "no-restart-after-failure";
    });
  };
  const auto alone = failing("h1", "");
  EXPECT_TRUE(warned(alone));
  EXPECT_NEAR(alone.training->goodput->failures, 0.0, 1e-6);
  for (const auto& layout : {failing("h[1-2]", ""), failing("h1", R"(, "restart": "4 h")")}) {
    EXPECT_FALSE(warned(layout));
    EXPECT_NEAR(layout.training->goodput->failures, layout.training->training_s / 360'000, 1e-6);
  }
}

TEST(Roofline, PointsLieUnderBothRoofs) {
  for (const char* network : {"resnet-50", "bert-large", "vgg-16"}) {
    const auto result = *test::run_one(R"({"name": "roof", "hosts": {"h": {"server": "dgx-a100",
        "gpus": "8 x a100-sxm4-80gb"}}, "job": {"network": ")" +
                                       std::string(network) + R"(", "batch_per_gpu": 32}})")
                             .training;
    ASSERT_TRUE(result.roofline) << network;
    ASSERT_FALSE(result.roofline->points.empty()) << network;
    for (const auto& point : result.roofline->points) {
      EXPECT_LE(point.operations_per_s, result.roofline->peak_operations_per_s) << point.layers;
      EXPECT_GT(point.intensity(), 0.0) << point.layers;
    }
  }
}

}  // namespace economy_test
}  // namespace vgsim
