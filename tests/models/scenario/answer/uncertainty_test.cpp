// Intervals of results from those of the parameters, and calibrations that narrow them.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <nlohmann/json.hpp>

#include "models/calibration/read/calibration_file.hpp"
#include "models/scenario/answer/intervals.hpp"
#include "models/scenario/answer/model_error.hpp"
#include "models/scenario/answer/ranked_layouts.hpp"
#include "models/scenario/answer/result_json.hpp"
#include "models/scenario/build/parameter_draw.hpp"
#include "models/scoring/fit/calibrate.hpp"
#include "models/scoring/fit/collective_subject.hpp"
#include "models/scoring/kinds/collective_prediction.hpp"
#include "sim/random.hpp"
#include "tests/support/scenarios.hpp"
#include "tools/report/plain_text.hpp"
#include "tools/report/report.hpp"
#include "topology/input/json_reader.hpp"

namespace vgsim {
namespace uncertainty_test {

using calibration::Uncertain;
using nlohmann::json;
using scenario::ParameterDraw;

std::string text_of(const scenario::ScenarioResult& result) {
  report::Report report;
  report.result = result;
  return report::details_text(report::page_of(report), 100);
}

constexpr std::uint64_t kDraws = 40;

double drawn_value(const char* name, std::uint64_t index) {
  const auto& parameters = test::library().parameters;
  return scenario::drawn(parameters, {}, {index, kDraws, 1}).uncertain(name)->value;
}

TEST(ParameterDraws, TakeEveryPartOfTheIntervalOnce) {
  const Uncertain latency = *test::library().parameters.uncertain("ampere_launch_latency");
  std::vector<double> values;
  for (std::uint64_t i = 0; i < kDraws; ++i)
    values.push_back(drawn_value("ampere_launch_latency", i));
  std::sort(values.begin(), values.end());
  // One draw in twenty below the low end, and above the high end; the middle in the middle.
  EXPECT_EQ(std::count_if(values.begin(), values.end(), [&](double v) { return v < latency.low; }),
            2);
  EXPECT_EQ(std::count_if(values.begin(), values.end(), [&](double v) { return v > latency.high; }),
            2);
  EXPECT_LT(values[kDraws / 2 - 1], latency.value);
  EXPECT_GT(values[kDraws / 2], latency.value);
}

TEST(ParameterDraws, OfTwoParametersAreApartUnlessTheyAreJoined) {
  const auto coefficient = [](const std::vector<calibration::Correlation>& joined) {
    const auto& parameters = test::library().parameters;
    double sum = 0;
    for (std::uint64_t i = 0; i < 200; ++i) {
      const auto all = scenario::drawn(parameters, joined, {i, 200, 3});
      const auto z = [&](const char* name) {
        const Uncertain quantity = *parameters.uncertain(name);
        const double ratio = std::log(all.uncertain(name)->value / quantity.value);
        return ratio /
               std::fabs(std::log((ratio < 0 ? quantity.low : quantity.high) / quantity.value)) *
               calibration::kQuantile95;
      };
      sum += z("nvlink_rate_factor") * z("ampere_launch_latency");
    }
    return sum / 200;
  };
  EXPECT_NEAR(coefficient({}), 0.0, 0.15);
  EXPECT_NEAR(coefficient({{"ampere_launch_latency", "nvlink_rate_factor", -0.8}}), -0.8, 0.15);
}

constexpr const char* kBert = R"({"name": "intervals", "hosts": {"h[1-2]": {"server": "dell-r750xa",
    "gpus": "4 x a100-pcie-80gb", "nics": {"n": {"nic": "connectx-6-dx-100g"}}}},
    "job": {"network": "bert-large", "batch_per_gpu": 32, "samples_per_epoch": 100000}})";

/// The limits are those of the draws.
scenario::ScenarioResult with_intervals(const Limits& limits = {}) {
  const auto source = input::make_source("scenario.json", kBert);
  const auto document = input::read_json(source);
  const auto load = cli::loader_relative_to(source->path);
  const auto prepared = scenario::prepare_scenario(*document, test::library(), load);
  if (!prepared) throw std::runtime_error(input::render(prepared.error()));
  scenario::RunSettings settings;
  auto result = scenario::run(*prepared, settings);
  settings.limits = limits;
  scenario::add_intervals(*prepared, test::library(), load, settings, kDraws, result);
  return result;
}

TEST(Intervals, HoldTheResultAndAreTheSameEachTime) {
  const auto result = with_intervals();
  EXPECT_EQ(result.draws.cut_off, 0U);
  const auto& training = *result.layouts.at(0).training;
  ASSERT_TRUE(training.iteration_interval);
  EXPECT_EQ(training.iteration_interval->draws, kDraws);
  const double iteration = to_seconds(training.iteration);
  EXPECT_LT(training.iteration_interval->low_s, iteration);
  EXPECT_GT(training.iteration_interval->high_s, iteration);
  EXPECT_EQ(with_intervals().layouts.at(0).training->iteration_interval->low_s,
            training.iteration_interval->low_s);
}

scenario::ScenarioResult drawn_results(const std::string& layouts) {
  std::string text = kBert;
  text.insert(text.rfind('}'), ", \"layouts\": " + layouts);
  const auto source = input::make_source("scenario.json", text);
  const auto document = input::read_json(source);
  const auto load = cli::loader_relative_to(source->path);
  const auto prepared = scenario::prepare_scenario(*document, test::library(), load);
  if (!prepared) throw std::runtime_error(input::render(prepared.error()));
  auto result = scenario::run(*prepared, {});
  scenario::add_intervals(*prepared, test::library(), load, {}, kDraws, result);
  return result;
}

double width(double low, double high) { return std::log(high / low); }

TEST(Differences, WhatTwoLayoutsShareCancels) {
  const auto result = drawn_results(
      R"({"as it is": {}, "again": {}, "H100": {"hosts": {"h[1-2]": {"gpus": "4 x h100-pcie-80gb"}}}})");
  const auto& layouts = result.layouts;
  const auto same = scenario::gap_between(layouts[0], layouts[1]);
  EXPECT_EQ(same.low, 0.0);
  EXPECT_EQ(same.high, 0.0);
  EXPECT_EQ(same.statement, scenario::Statement::kNoDifference);
  // Other GPUs have separate errors; software, network and links are the same.
  const auto other = scenario::gap_between(layouts[2], layouts[0]);
  EXPECT_LT(other.low, other.high);
  const auto& whole = *layouts[0].training->iteration_interval;
  EXPECT_LT(width(1 + other.low, 1 + other.high), width(whole.low_s, whole.high_s));
}

/// The parts of a model error are drawn apart, and together they have its 90 % interval.
TEST(ModelErrors, HaveTheirIntervalOverTheDraws) {
  const auto source = input::make_source("scenario.json", kBert);
  const auto load = cli::loader_relative_to(source->path);
  const auto prepared =
      scenario::prepare_scenario(*input::read_json(source), test::library(), load);
  const auto& layout = prepared->layouts.front();
  const auto errors = scenario::model_errors_of(layout);
  ASSERT_FALSE(errors.empty());
  for (const auto& error : errors) {
    double shares = 0;
    for (const auto& cause : error.causes) shares += cause.share;
    EXPECT_NEAR(shares, 1.0, 1e-12) << error.parameter;
  }
  const auto& range = test::library().parameters.at(errors.front().parameter).quantity;
  ASSERT_EQ(errors.front().part, &scenario::ErrorFactors::passes);
  constexpr std::uint64_t kMany = 400;
  std::size_t inside = 0;
  for (std::uint64_t i = 0; i < kMany; ++i) {
    const double passes =
        scenario::drawn_error_factors(layout, test::library().parameters, {i, kMany, 1}).passes;
    inside += range.low <= passes && passes <= range.high ? 1 : 0;
  }
  EXPECT_NEAR(static_cast<double>(inside) / kMany, 0.9, 0.04);
}

/// Each draw once with the hidden traffic of the answer, and once with its own; and as it would be
/// without any, which is off by more.
TEST(Intervals, HiddenTrafficOfTheAnswerStandsForThatOfADraw) {
  const auto iteration = [](const scenario::RunSettings& settings) {
    return test::run_one(kBert, settings);
  };
  const auto answer = iteration({});
  ASSERT_EQ(answer.hidden_traffic.size(), 1U);
  EXPECT_GT(answer.hidden_traffic.front(), SimTime{0});
  double taken_over = 0;
  double without = 0;
  for (std::uint64_t i = 0; i < kDraws; ++i) {
    scenario::RunSettings settings;
    settings.draw = ParameterDraw{i, kDraws, 1};
    const double own = to_seconds(iteration(settings).training->iteration);
    const auto off = [&](std::vector<SimTime> hidden) {
      settings.hidden_traffic[answer.name] = std::move(hidden);
      return std::abs(to_seconds(iteration(settings).training->iteration) / own - 1);
    };
    taken_over = std::max(taken_over, off(answer.hidden_traffic));
    without = std::max(without, off({SimTime{0}}));
  }
  EXPECT_LT(taken_over, 0.05);
  EXPECT_GT(without, taken_over);
}

/// Number of deadline checks of the engine in all draws.
std::size_t questions() {
  std::atomic<std::size_t> count = 0;
  Limits limits;
  limits.deadline_passed = [&count] { return ++count == 0; };
  static_cast<void>(with_intervals(limits));
  return count;
}

TEST(Intervals, TellHowManyDrawsALimitCutOff) {
  const std::size_t of_a_draw = questions() / kDraws;
  std::atomic<std::size_t> begun = 0;
  Limits every_other;
  every_other.deadline_passed = [&] {
    thread_local std::size_t left = 0;
    if (left == 0) {
      if (begun++ % 2 == 1) return true;
      left = of_a_draw;
    }
    --left;
    return false;
  };
  const auto result = with_intervals(every_other);
  EXPECT_EQ(result.draws.asked, kDraws);
  EXPECT_EQ(result.draws.cut_off, kDraws / 2);
  EXPECT_EQ(result.layouts.at(0).training->iteration_interval->draws, kDraws / 2);
  const json written = json::parse(scenario::to_json(result, {}));
  EXPECT_EQ(written["draws"], (json{{"asked", kDraws}, {"cut_off", kDraws / 2}}));
  EXPECT_THAT(
      text_of(result),
      ::testing::HasSubstr("limit cut off 20 of 40 draws: the intervals are of the other 20"));
}

TEST(Intervals, AreNotThereWhereALimitCutsOffAllDraws) {
  Limits none;
  none.deadline_passed = [] { return true; };
  const auto result = with_intervals(none);
  EXPECT_FALSE(result.layouts.at(0).training->iteration_interval);
  EXPECT_EQ(result.draws.cut_off, kDraws);
  EXPECT_THAT(text_of(result), ::testing::HasSubstr("limit cut off all 40 draws"));
}

/// Measurements of an AllReduce on a DGX A100 with non-default links and launches.
class Truth : public ::testing::Test {
 protected:
  static constexpr Bytes kWrong{128 << 10};
  static constexpr double kRate = 0.92;
  static constexpr double kLaunch = 1.4;

  /// With noise of 3 % and an outlier, if `noisy`.
  static scoring::CollectiveCase measured(bool noisy) {
    json points = json::array();
    for (int i = 0; i < 27; ++i) points.push_back({{"size", std::to_string(64LL << i) + " B"}});
    json document = {{"format", "vgsim.case/1"},
                     {"id", "truth"},
                     {"title", "known truth"},
                     {"class", "nvswitch"},
                     {"group", "truth"},
                     {"grade", "A"},
                     {"source", {{"url", "https://example.com/"}, {"date", "2026"}}},
                     {"scenario",
                      {{"name", "truth"},
                       {"hosts", {{"n", {{"server", "dgx-a100"}}}}},
                       {"job", {{"collective", "all_reduce"}}}}},
                     {"points", points}};
    const auto other = with_truth();
    const auto blind = read(document);
    const auto prediction = scoring::predict(blind, other, cli::loader_relative_to("case.json"));
    if (!prediction) throw std::runtime_error(input::render(prediction.error()));
    for (std::size_t p = 0; p < points.size(); ++p) {
      double seconds = to_seconds(prediction->points[p].time.time);
      if (noisy) seconds *= std::exp(0.03 * standard_normal(seed_of("noise", 5), p));
      if (noisy && blind.points[p].size == kWrong) seconds *= 1.8;
      document["points"][p]["time"] =
          std::to_string(static_cast<std::int64_t>(seconds * 1e12)) + " ps";
    }
    return read(document);
  }

  static scoring::CollectiveCase read(const json& document) {
    const auto value = input::read_json(input::make_source("case.json", document.dump()));
    auto read = scoring::read_case(*value);
    if (!read) throw std::runtime_error(input::render(read.error()));
    return std::move(*read);
  }

  static auto calibrated(bool noisy, double held_back) {
    std::vector<std::unique_ptr<scenario::FitSubject>> subjects;
    subjects.push_back(std::make_unique<scenario::CollectiveSubject>(
        measured(noisy), cli::loader_relative_to("case.json")));
    return scenario::calibrate(subjects, test::library(), held_back);
  }

  static scenario::Library with_truth() {
    scenario::Library other = test::library();
    const auto scaled = [&](const char* name, double factor) {
      Uncertain quantity = *other.parameters.uncertain(name);
      quantity.value *= factor;
      return quantity;
    };
    other.parameters =
        other.parameters.with({{"nvlink_rate_factor", scaled("nvlink_rate_factor", kRate)},
                               {"ampere_launch_latency", scaled("ampere_launch_latency", kLaunch)}},
                              "truth");
    return other;
  }
};

TEST_F(Truth, IsFittedBack) {
  const auto fit = calibrated(true, 0.25);
  ASSERT_TRUE(fit) << input::render(fit.error());
  for (const auto& point : fit->points) {
    if (point.what == "128 KiB") continue;
    EXPECT_NEAR(point.after_s / point.measured_s, 1.0, 0.12) << point.what;
  }
  const auto rate = std::find_if(fit->parameters.begin(), fit->parameters.end(),
                                 [](const auto& p) { return p.name == "nvlink_rate_factor"; });
  ASSERT_NE(rate, fit->parameters.end());
  EXPECT_LE(rate->after.low, kRate);
  EXPECT_GE(rate->after.high, kRate);
  EXPECT_LT(rate->after.high - rate->after.low, rate->before.high - rate->before.low);
}

TEST_F(Truth, PredictionsFollowItWithoutNoise) {
  const auto fit = calibrated(false, 0.5);
  ASSERT_TRUE(fit);
  for (const auto& point : fit->points) {
    EXPECT_NEAR(point.after_s / point.measured_s, 1.0, 0.03)
        << point.what << (point.held_back ? " held back" : "");
  }
}

TEST_F(Truth, ACalibrationIsReadBackAndUsed) {
  const auto fit = calibrated(false, 0.0);
  ASSERT_TRUE(fit);
  const std::string text =
      scenario::to_json(*fit, {"truth", "2026-11-22", "known truth"}, test::library());
  const auto read = calibration::read_calibration(input::make_source("truth.json", text));
  ASSERT_TRUE(read) << input::render(read.error()) << text;
  EXPECT_EQ(read->parameters.size(), fit->parameters.size() + fit->spreads.size());
  for (const auto& parameter : fit->parameters) {
    EXPECT_NEAR(read->parameters.at(parameter.name).value, parameter.after.value,
                parameter.after.value * 1e-3);
  }
}

TEST(Calibrations, ThatShipAreReadAndProved) {
  ASSERT_FALSE(test::library().calibrations.empty());
  for (const auto& [name, file] : test::library().calibrations) {
    const auto read = calibration::read_calibration(file);
    ASSERT_TRUE(read) << input::render(read.error());
    EXPECT_EQ(read->name, name);
    EXPECT_FALSE(read->parameters.empty());
    const json document = json::parse(file->text);
    EXPECT_LT(document["fit"]["after"]["median"], document["fit"]["before"]["median"]) << name;
    EXPECT_LT(document["fit"]["proof"]["median"], document["fit"]["before"]["median"])
        << name << ": points that were not fitted";
  }
}

TEST(Calibrations, ThatDoNotExistAreRefused) {
  const auto result = test::try_run(
      R"({"name": "x", "calibration": "no-such", "hosts": {"h": {"server": "dell-r750xa"}},
          "job": {"collective": "all_reduce"}})");
  ASSERT_FALSE(result);
  EXPECT_NE(input::render(result.error()).find("unknown calibration"), std::string::npos);
}

}  // namespace uncertainty_test
}  // namespace vgsim
