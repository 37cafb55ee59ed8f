// Figures of results, in words and back.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "models/scenario/answer/figures.hpp"
#include "models/scenario/answer/result_json.hpp"
#include "tests/support/scenarios.hpp"

namespace vgsim {
namespace metrics_test {

using scenario::Metric;
using scenario::MetricUnit;

scenario::ScenarioResult run(const std::string& job) {
  const std::string text = R"({"name": "metrics", "hosts": {"h[1-2]": {"server": "dell-r750xa",
      "gpus": "4 x a100-pcie-80gb", "nics": {"n": {"nic": "connectx-6-dx-100g"}}}}, "job": )" +
                           job + "}";
  const auto result = scenario::run_scenario(input::make_source("scenario.json", text),
                                             test::library(), cli::loader_relative_to("."));
  if (!result) throw std::runtime_error(input::render(result.error()));
  return *result;
}

const Metric& named(const std::vector<Metric>& metrics, const std::string& name) {
  for (const Metric& each : metrics) {
    if (each.name == name) return each;
  }
  throw std::runtime_error("no " + name);
}

TEST(Metrics, OfATrainingJobAreThoseOfItsResult) {
  const auto result = run(R"({"network": "resnet-50", "batch_per_gpu": 64})");
  const auto& training = *result.layouts[0].training;
  const auto metrics = scenario::metrics_of(result.layouts[0]);
  EXPECT_DOUBLE_EQ(named(metrics, "iteration_time_s").value, to_seconds(training.iteration));
  EXPECT_DOUBLE_EQ(named(metrics, "samples_per_s").value, training.samples_per_s);
  EXPECT_EQ(named(metrics, "gpus").value, 8);
  EXPECT_EQ(named(metrics, "hosts").value, 2);
  double parts = 0;
  for (const char* part :
       {"compute_s", "exposed_communication_s", "data_wait_s", "optimizer_s", "pipeline_wait_s"}) {
    parts += named(metrics, part).value;
  }
  EXPECT_NEAR(parts, named(metrics, "iteration_time_s").value, 1e-12);
}

TEST(Metrics, OfACollectiveAreNamedBySize) {
  const auto result = run(R"({"collective": "all_reduce", "sizes": ["1500 B", "1 GiB"]})");
  const auto metrics = scenario::metrics_of(result.layouts[0]);
  const auto& point = result.layouts[0].collective->points[1];
  EXPECT_DOUBLE_EQ(named(metrics, "busbw_GBps@1 GiB").value, point.busbw_GBps);
  EXPECT_DOUBLE_EQ(named(metrics, "time_s@1500 B").value,
                   to_seconds(result.layouts[0].collective->points[0].time));
}

TEST(Metrics, StandOnceInResultsAndHaveWordsOfTheirOwn) {
  std::set<std::string> keys;
  std::set<std::string> places;
  for (const scenario::Figure& figure : scenario::figures()) {
    EXPECT_TRUE(keys.insert(figure.key).second) << figure.key;
    const std::string value = figure.is_list() ? figure.in_list.value : "";
    EXPECT_TRUE(places.insert(figure.pointer + value).second) << figure.pointer;
    EXPECT_NE(figure.read == nullptr, figure.members == nullptr) << figure.key;
    EXPECT_EQ(figure.member == nullptr, figure.members == nullptr) << figure.key;
    const bool in_seconds = figure.unit == MetricUnit::kSeconds;
    EXPECT_TRUE(!in_seconds || std::string(figure.key).find("_s") != std::string::npos)
        << figure.key << ": a key names its unit";
  }
}

/// A result file contains the figures of the run, for every kind of job.
TEST(Metrics, AreTheSameInAFile) {
  for (
      const char* job :
      {R"({"network": "resnet-50", "batch_per_gpu": 64, "epochs": 2})",
       R"({"network": "bert-large", "global_batch": 32, "micro_batch": 4, "parallel": {"tensor": 2}})",
       R"({"collective": "all_gather", "sizes": "8 B .. 1 GiB x8"})"}) {
    const auto result = run(job);
    const auto of_run = scenario::metrics_of(result.layouts[0]);
    const auto of_file = scenario::metrics_of(scenario::layout_json(result.layouts[0]));
    ASSERT_EQ(of_run.size(), of_file.size());
    for (std::size_t i = 0; i < of_run.size(); ++i) {
      EXPECT_EQ(of_run[i].name, of_file[i].name);
      EXPECT_EQ(of_run[i].value, of_file[i].value) << of_run[i].name;
      EXPECT_EQ(of_run[i].low, of_file[i].low) << of_run[i].name;
    }
  }
}

TEST(Metrics, HaveNamesThatAreKnown) {
  for (const char* job : {R"({"network": "resnet-50"})",
                          R"({"collective": "all_reduce", "sizes": "8 B .. 1 GiB x8"})"}) {
    const auto result = run(job);
    for (const Metric& metric : scenario::metrics_of(result.layouts[0])) {
      const auto known = scenario::metric_named(metric.name);
      ASSERT_TRUE(known) << metric.name;
      EXPECT_EQ(known->unit, metric.unit);
      EXPECT_EQ(known->label, metric.label);
    }
  }
  for (const std::string& name : scenario::metric_names()) {
    EXPECT_TRUE(scenario::metric_named(name)) << name;
  }
  for (const char* name : {"iteration_time", "busbw_GBps", "busbw_GBps@1024 MiB", "x@1 GiB", ""}) {
    EXPECT_FALSE(scenario::metric_named(name)) << name;
  }
}

TEST(Figures, AreReadInTheirUnits) {
  EXPECT_DOUBLE_EQ(*scenario::read_figure("268 ms", MetricUnit::kSeconds), 0.268);
  EXPECT_DOUBLE_EQ(*scenario::read_figure("1.5 h", MetricUnit::kSeconds), 5400);
  EXPECT_DOUBLE_EQ(*scenario::read_figure("0.25", MetricUnit::kSeconds), 0.25);
  EXPECT_DOUBLE_EQ(*scenario::read_figure("35 %", MetricUnit::kShare), 0.35);
  EXPECT_DOUBLE_EQ(*scenario::read_figure("400 Gbit/s", MetricUnit::kGBps), 50);
  EXPECT_DOUBLE_EQ(*scenario::read_figure("80 GiB", MetricUnit::kBytes), 80.0 * (1 << 30));
  for (const char* text : {"268 GB/s", "ms", "1 2 s", "", "nan", "1e999 s", "5 s x"}) {
    EXPECT_FALSE(scenario::read_figure(text, MetricUnit::kSeconds)) << text;
  }
}

TEST(Figures, InWordsAreReadBackToFourDigits) {
  for (const auto unit : {MetricUnit::kSeconds, MetricUnit::kPerSecond, MetricUnit::kShare,
                          MetricUnit::kBytes, MetricUnit::kGBps, MetricUnit::kCount}) {
    for (const double value : {0.0123456, 0.71, 12.34, 987.6}) {
      const std::string words = scenario::in_words(value, unit);
      const auto read = scenario::read_figure(words, unit);
      ASSERT_TRUE(read) << words;
      const double slack = unit == MetricUnit::kBytes ? 0.5 : 5e-3 * value;
      EXPECT_NEAR(*read, value, std::max(slack, 5e-4)) << words;
    }
  }
}

}  // namespace metrics_test
}  // namespace vgsim
