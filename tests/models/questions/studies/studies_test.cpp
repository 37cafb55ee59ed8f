// Studies of a result: each equals a run of that scenario by hand.

#include "models/questions/studies/studies.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "models/questions/studies/busbw_curve.hpp"
#include "models/questions/studies/deciding.hpp"
#include "models/questions/studies/one_run.hpp"
#include "models/questions/studies/scaling_curve.hpp"
#include "models/questions/studies/tornado.hpp"
#include "models/scenario/answer/intervals.hpp"
#include "models/scenario/answer/model_error.hpp"
#include "tests/support/scenarios.hpp"
#include "topology/input/json_reader.hpp"

namespace vgsim {
namespace studies_test {

using json = nlohmann::ordered_json;  // layouts stay in order
using scenario::ScenarioResult;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// Four hosts with a GPU each and a slow network, in which communication dominates.
json base() {
  return json::parse(R"({
    "name": "studied",
    "hosts": {"esx[01-04]": {"server": "generic-1gpu", "gpus": "1 x v100-pcie-32gb",
                             "nics": {"vmnic0": {"nic": "connectx-4-lx-25g"}}}},
    "job": {"network": "bert-large", "batch_per_gpu": 8, "iterations_per_epoch": 100,
            "nccl": {"NCCL_NET_GDR_LEVEL": "SYS"}},
    "layouts": {"plain": {}, "large": {"job": {"batch_per_gpu": 16}},
                "alone": {"job": {"vms": "esx01"}}}})");
}

input::Value document_of(const json& scenario) {
  return *input::read_json(input::make_source("scenario.json", scenario.dump()));
}

struct Study {
  scenario::Document document;
  input::FileLoader load;
  scenario::RunSettings settings;
  scenario::PreparedScenario prepared;
  ScenarioResult result;
  scenario::Studied of{prepared, test::library(), load, settings};

  Study()
      : document(document_of(base())),
        load(cli::loader_relative_to("x")),
        prepared(*scenario::prepare_scenario(document, test::library(), load)),
        result(scenario::run(prepared, settings)) {}
};

const Study& studied() {
  static const Study study;
  return study;
}

const scenario::LayoutResult& layout(std::size_t index) { return studied().result.layouts[index]; }

double iteration_of(const json& scenario, const scenario::RunSettings& settings = {}) {
  return to_seconds(test::run_one(scenario.dump(), settings).training->iteration);
}

json only_plain() {
  json scenario = base();
  scenario.erase("layouts");
  return scenario;
}

TEST(Patterns, RangesStandForNamesThatCountUp) {
  EXPECT_THAT(scenario::as_patterns({"esx01", "esx02", "esx03"}), ElementsAre("esx[01-03]"));
  EXPECT_THAT(scenario::as_patterns({"esx09", "esx10"}), ElementsAre("esx[09-10]"));
  EXPECT_THAT(scenario::as_patterns({"a1", "a3", "b4"}), ElementsAre("a1", "a3", "b4"));
  EXPECT_THAT(scenario::as_patterns({"a9", "a10"}), ElementsAre("a9", "a10"));
  EXPECT_THAT(scenario::as_patterns({"x", "y"}), ElementsAre("x", "y"));
  EXPECT_THAT(scenario::as_patterns({"10", "11"}), ElementsAre("[10-11]"));
}

TEST(Scaling, EachPointIsTheJobOnThatManyHosts) {
  const auto curve = scenario::scaling_curve(studied().of, layout(0));
  ASSERT_EQ(curve.left_out, "");
  ASSERT_EQ(curve.points.size(), 3U);
  EXPECT_EQ(curve.machine, "host");
  for (const auto& point : curve.points) {
    json scenario = only_plain();
    scenario["job"]["vms"] = json::array();
    for (std::size_t h = 1; h <= point.machines; ++h) {
      scenario["job"]["vms"].push_back("esx0" + std::to_string(h));
    }
    EXPECT_DOUBLE_EQ(point.iteration_s, iteration_of(scenario)) << point.machines;
    EXPECT_EQ(point.ranks, point.machines);
  }
  EXPECT_EQ(curve.points.front().efficiency, 1.0);
  EXPECT_NEAR(curve.points.back().efficiency,
              curve.points.front().iteration_s / curve.points.back().iteration_s, 1e-9)
      << "each GPU has the same work";
}

TEST(Scaling, OfOneMachineIsLeftOutAndSaysWhy) {
  const auto curve = scenario::scaling_curve(studied().of, layout(2));
  EXPECT_THAT(curve.points, IsEmpty());
  EXPECT_EQ(curve.left_out, "the job has only one host");
}

bool is_model_error(const std::string& parameter) { return parameter.ends_with("_model_error"); }

/// A scenario with the files that it names.
struct Scene {
  json scenario;
  std::string folder;  ///< of the files

  [[nodiscard]] scenario::PreparedScenario prepared(const scenario::RunSettings& settings) const {
    const scenario::Document document(document_of(scenario));
    return *scenario::prepare_scenario(document, test::library(), load(), settings);
  }
  [[nodiscard]] input::FileLoader load() const { return cli::loader_relative_to(folder + "x"); }
};

/// The scenario with draws of all parameters but the known ones.
ScenarioResult drawn(const Scene& scene, const std::vector<std::string>& known) {
  scenario::RunSettings settings;
  for (const std::string& name : known) {
    settings.parameters[name] = test::library().parameters.at(name).quantity.value;
  }
  const auto prepared = scene.prepared(settings);
  ScenarioResult result = scenario::run(prepared, settings);
  constexpr std::uint64_t kDraws = 150;
  scenario::add_intervals(prepared, test::library(), scene.load(), settings, kDraws, result);
  return result;
}

/// A scenario's name as that of a test.
std::string test_name(const ::testing::TestParamInfo<const char*>& info) {
  std::string name = info.param;
  for (char& each : name) each = std::isalnum(static_cast<unsigned char>(each)) ? each : '_';
  return name;
}

/// Width of the interval of an iteration with some parameters known. With a measured step a model
/// error remains.
double width_of(Scene scene, const std::vector<std::string>& known) {
  if (std::any_of(known.begin(), known.end(), is_model_error)) {
    scene.scenario["job"]["compute_factor"] = 1 + 1e-9;
  }
  const ScenarioResult result = drawn(scene, known);
  const auto& interval = result.layouts.front().training->iteration_interval;
  EXPECT_TRUE(interval);
  return interval ? interval->high_s - interval->low_s : 0.0;
}

/// A shipped scenario with its first layout only.
Scene shipped(const std::string& name) {
  const std::string file = std::string(VGSIM_SOURCE_DIR) + "/configs/scenarios/" + name;
  std::ifstream text(file);
  Scene scene{json::parse(text), file.substr(0, file.rfind('/') + 1)};
  if (scene.scenario.contains("layouts")) {
    const std::string first = scene.scenario["layouts"].begin().key();
    scene.scenario["layouts"] = {{first, scene.scenario["layouts"][first]}};
  }
  return scene;
}

class Measuring : public ::testing::TestWithParam<const char*> {};

// The prediction comes from single runs, one parameter at a time; it is compared with random draws
// of all parameters, with and without the measurement.
TEST_P(Measuring, NarrowsTheIntervalAsPromised) {
  const Scene scene = shipped(GetParam());
  const scenario::RunSettings settings;
  const auto prepared = scene.prepared(settings);
  const auto result = scenario::run(prepared, settings);
  const auto load = scene.load();
  const auto study =
      scenario::tornado({prepared, test::library(), load, settings}, result.layouts.front());
  ASSERT_FALSE(study.measure.empty()) << study.left_out;
  EXPECT_LE(study.measure.size(), scenario::kMostMeasurements);
  const scenario::WorthMeasuring& first = study.measure.front();
  EXPECT_FALSE(first.measurement.command.empty());
  const double narrower = 1 - width_of(scene, first.parameters) / width_of(scene, {});
  EXPECT_NEAR(narrower / first.narrows, 1.0, 0.25)
      << first.measurement.what << ": " << first.narrows << " promised, " << narrower;
}

INSTANTIATE_TEST_SUITE_P(
    Shipped, Measuring,
    ::testing::Values("xe8545-4xa100.json", "bert-large-4xr750xa.json", "resnet-50-imagenet.json",
                      "questions/q01-one-vm-or-two.json", "questions/q02-passthrough-or-vgpu.json",
                      "questions/q03-nvlink-bridges-bert-512.json",
                      "questions/q03-nvlink-mask-rcnn.json", "questions/q05-nic-upgrade.json",
                      "questions/q10-nic-kinds-vgg-16.json",
                      "questions/q13-mig-or-time-sliced.json",
                      "questions/q16-training-on-fractions.json", "questions/q22-dpu-offload.json",
                      "questions/q23-data-path.json", "questions/q26-gradient-type.json",

                      "questions/q34-virtualization-tax-bert-large.json"),
    &test_name);

/// Width of the interval of the ratio of two layouts' times over common draws, by logarithms.
double width_of_difference(const Scene& scene, const std::array<std::size_t, 2>& layouts,
                           const std::vector<std::string>& known) {
  const ScenarioResult result = drawn(scene, known);
  std::vector<double> ratios;
  for (std::size_t d = 0; d < result.draws.asked; ++d) {
    const auto one = result.layouts[layouts[0]].drawn_s[d];
    const auto other = result.layouts[layouts[1]].drawn_s[d];
    if (one && other) ratios.push_back(std::log(*one / *other));
  }
  std::sort(ratios.begin(), ratios.end());
  const double last = static_cast<double>(ratios.size() - 1);
  return ratios[static_cast<std::size_t>(0.95 * last)] -
         ratios[static_cast<std::size_t>(0.05 * last)];
}

class Deciding : public ::testing::TestWithParam<const char*> {};

// Predicted from single runs of both layouts, and compared with random draws of all parameters.
TEST_P(Deciding, AMeasurementNarrowsTheDifferenceAsPromised) {
  const std::string file = std::string(VGSIM_SOURCE_DIR) + "/configs/scenarios/" + GetParam();
  std::ifstream text(file);
  const Scene scene{json::parse(text), file.substr(0, file.rfind('/') + 1)};
  const scenario::RunSettings settings;
  const auto prepared = scene.prepared(settings);
  auto result = scenario::run(prepared, settings);
  const auto load = scene.load();
  constexpr std::uint64_t kUsual = 20;
  scenario::add_intervals(prepared, test::library(), load, settings, kUsual, result);
  std::map<std::size_t, scenario::Tornado> tornados;
  const auto varied = [&](std::size_t l) -> std::optional<scenario::VariedLayout> {
    const scenario::Studied studied{prepared, test::library(), load, settings};
    const auto own = tornados.try_emplace(l, scenario::tornado(studied, result.layouts[l])).first;
    return scenario::VariedLayout{prepared.layouts[l], result.layouts[l], own->second};
  };
  const auto undecided = scenario::undecided_layouts(result, varied, 1);
  ASSERT_EQ(undecided.size(), 1U);
  const std::array<std::size_t, 2> layouts{undecided[0].fastest, undecided[0].layout};
  const scenario::WorthMeasuring& first = undecided[0].measure.front();
  ASSERT_FALSE(std::any_of(first.parameters.begin(), first.parameters.end(), is_model_error));
  const double narrower = 1 - width_of_difference(scene, layouts, first.parameters) /
                                  width_of_difference(scene, layouts, {});
  EXPECT_NEAR(narrower / first.narrows, 1.0, 0.25)
      << first.measurement.what << ": " << first.narrows << " promised, " << narrower;
}

INSTANTIATE_TEST_SUITE_P(Shipped, Deciding,
                         ::testing::Values("resnet-50-imagenet.json",
                                           "questions/q03-nvlink-bridges-bert-128.json",
                                           "questions/q10-nic-kinds-vgg-16.json",
                                           "questions/q28-nps-gpudirect.json"),
                         &test_name);

// Two layouts on GPUs of one chip with the same plan share nearly all of their model error: a step
// on one GPU narrows each time, and not their difference.
TEST(Deciding, WhatLayoutsHaveInCommonDecidesNothing) {
  const Scene scene = shipped("questions/q05-nic-upgrade.json");
  const scenario::RunSettings settings;
  const auto prepared = scene.prepared(settings);
  const auto result = scenario::run(prepared, settings);
  const auto load = scene.load();
  const auto own =
      scenario::tornado({prepared, test::library(), load, settings}, result.layouts.front());
  ASSERT_FALSE(own.measure.empty());
  const scenario::VariedLayout layout{prepared.layouts.front(), result.layouts.front(), own};
  EXPECT_TRUE(scenario::deciding_measurements(layout, layout).empty());
}

TEST(Tornado, EachBarIsARunWithThatParameterAtItsEnd) {
  const auto study = scenario::tornado(studied().of, layout(0));
  ASSERT_EQ(study.left_out, "");
  EXPECT_DOUBLE_EQ(study.base_s, to_seconds(layout(0).training->iteration));
  ASSERT_FALSE(study.bars.empty());
  EXPECT_GE(study.varied, study.bars.size());
  for (std::size_t i = 0; i < std::min<std::size_t>(3, study.bars.size()); ++i) {
    const auto& bar = study.bars[i];
    const auto range = *test::library().parameters.uncertain(bar.parameter);
    scenario::RunSettings low;
    low.parameters[bar.parameter] = range.low;
    scenario::ErrorFactors off;
    const bool of_links = bar.parameter.ends_with("_spread");
    (of_links ? off.communication : off.passes) = range.low;
    const double low_s = is_model_error(bar.parameter) || of_links
                             ? study.base_s * scenario::slowdown_by(*layout(0).training, off)
                             : iteration_of(only_plain(), low);
    EXPECT_DOUBLE_EQ(bar.low_s, low_s) << bar.parameter;
    EXPECT_NE(bar.low, "");
    EXPECT_NE(bar.meaning, "");
  }
  for (std::size_t i = 1; i < study.bars.size(); ++i) {
    EXPECT_GE(study.bars[i - 1].swing(study.base_s), study.bars[i].swing(study.base_s));
  }
}

TEST(Tornado, WhereTheNetworkHoldsTheJobBackItMovesByNoMoreThanTheNicsRate) {
  const auto study = scenario::tornado(studied().of, layout(0));
  const auto nic = std::find_if(study.bars.begin(), study.bars.end(),
                                [](const auto& bar) { return bar.parameter == "nic_rate_factor"; });
  ASSERT_NE(nic, study.bars.end());
  const auto range = *test::library().parameters.uncertain("nic_rate_factor");
  EXPECT_GT(nic->low_s, study.base_s) << "a slower NIC takes longer";
  EXPECT_LT(nic->low_s, study.base_s / range.low);
  EXPECT_LT(nic->high_s, study.base_s);
  EXPECT_GT(nic->high_s, study.base_s / range.high);
}

TEST(Busbw, IsThatOfABareAllReduceAmongTheSameGpus) {
  const auto curve = scenario::busbw_curve(studied().of, layout(0));
  ASSERT_EQ(curve.left_out, "");
  json scenario = only_plain();
  scenario["job"] = {
      {"collective", "all_reduce"}, {"sizes", "8 B .. 4 GiB x2"}, {"nccl", base()["job"]["nccl"]}};
  const auto bare = test::run_one(scenario.dump());
  ASSERT_EQ(curve.collective.points.size(), bare.collective->points.size());
  for (std::size_t i = 0; i < curve.collective.points.size(); ++i) {
    EXPECT_EQ(curve.collective.points[i].time, bare.collective->points[i].time);
  }
  ASSERT_TRUE(scenario::limit_GBps(curve).has_value());
  EXPECT_GE(*scenario::limit_GBps(curve), curve.collective.points.back().busbw_GBps);
}

TEST(Busbw, OfOneGpuIsLeftOutAndSaysWhy) {
  const auto curve = scenario::busbw_curve(studied().of, layout(2));
  EXPECT_THAT(curve.collective.points, IsEmpty());
  EXPECT_EQ(curve.left_out, "the job has only one GPU");
}

TEST(Busbw, ACollectiveOfManySizesIsNotRunAgain) {
  json scenario = only_plain();
  scenario["job"] = {{"collective", "all_gather"}, {"sizes", "1 MiB .. 64 MiB x2"}};
  const auto prepared =
      scenario::prepare_scenario(document_of(scenario), test::library(), studied().load);
  const scenario::Studied one{*prepared, test::library(), studied().load, studied().settings};
  const auto result = scenario::run(*prepared, {});
  const auto curve = scenario::busbw_curve(one, result.layouts[0]);
  EXPECT_EQ(curve.collective.collective, "all_gather");
  EXPECT_EQ(curve.collective.points.size(), 7U);
}

TEST(Studies, ExamineTheFastestLayoutAndDrawAllThatRun) {
  const auto studies = scenario::run_studies(studied().document, studied().result, test::library(),
                                             cli::loader_relative_to("x"), {});
  ASSERT_TRUE(studies.tornado.has_value());
  EXPECT_EQ(studies.tornado->layout,
            studied().result.layouts[*scenario::fastest_layout(studied().result)].name);
  EXPECT_EQ(studies.scaling.size(), 3U);
  EXPECT_EQ(studies.busbw.size(), 3U);
}

TEST(Studies, OfAJobWithoutALayoutThatRunsAreNone) {
  ScenarioResult refused;
  refused.layouts.emplace_back();
  refused.layouts[0].refused = true;
  const auto studies = scenario::run_studies(studied().document, refused, test::library(),
                                             cli::loader_relative_to("x"), {});
  EXPECT_FALSE(studies.tornado.has_value());
  EXPECT_THAT(studies.scaling, IsEmpty());
}

TEST(Affordable, IsDecidedByWhatWasSimulated) {
  scenario::LayoutResult small;
  small.events = 10'000;
  small.ranks = 64;
  EXPECT_TRUE(scenario::is_affordable(small, 100));
  scenario::LayoutResult large;
  large.events = 1'000'000;
  large.ranks = 100'000;
  EXPECT_FALSE(scenario::is_affordable(large, 100));
}

}  // namespace studies_test
}  // namespace vgsim
