#include "tools/studio/studio.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <random>
#include <semaphore>
#include <set>

#include "models/scenario/answer/intervals.hpp"
#include "models/scenario/answer/result_json.hpp"
#include "models/scenario/answer/run_scenario.hpp"
#include "tests/support/scenarios.hpp"
#include "tools/studio/advice_search.hpp"
#include "tools/studio/answer_page.hpp"
#include "tools/studio/binding_end.hpp"
#include "tools/studio/board.hpp"
#include "tools/studio/panel/controls.hpp"
#include "tools/studio/gpu_move.hpp"
#include "tools/studio/machines.hpp"
#include "tools/studio/serve/threaded_advisor.hpp"
#include "topology/input/json_reader.hpp"

namespace vgsim::studio {
namespace studio_test {

using nlohmann::json;
using nlohmann::ordered_json;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;
using ::testing::Not;

scenario::Document document(const json& scenario) {
  return *input::read_json(input::make_source("s.json", scenario.dump()));
}

json two_hosts() {
  return json::parse(R"({
    "name": "two hosts", "vsphere": "8.0U3",
    "hosts": {"esx[01-02]": {"server": "dell-r750xa", "gpus": "2 x a100-pcie-80gb",
                             "nics": {"vmnic4": {"nic": "connectx-6-dx-100g", "near": "gpu0"}}}},
    "fabric": {"kind": "single-switch", "host_link": "100 Gbit/s"},
    "vms": {"train[01-02]": {"host": "esx[01-02]", "vcpus": 32, "memory": "256 GiB",
                             "gpus": {"mode": "passthrough"}, "nics": {"vmnic4": "passthrough"}}},
    "job": {"network": "resnet-50", "batch_per_gpu": 64, "samples_per_epoch": 100000},
    "layouts": {"passthrough": {}, "small": {"job": {"batch_per_gpu": 32}}}})");
}

Studio studio_of(const json& scenario) {
  return *Studio::open(document(scenario), test::library(), cli::loader_relative_to("x"));
}

Change set(const std::string& pointer, const json& value, const std::string& gesture = {}) {
  Change change;
  change.gesture = gesture;
  change.set.push_back({pointer, *input::read_json(input::make_source("v", value.dump()))});
  return change;
}

/// What comes of the scenario that the studio would save, with the settings of its first answer.
std::string saved_answer(const Studio& studio) {
  scenario::RunSettings settings;
  settings.record = true;
  settings.next_limit = false;
  const auto result =
      scenario::run_scenario(studio.document().with_layouts({studio.working_name()}),
                             test::library(), cli::loader_relative_to("x"), settings);
  return scenario::layout_json(result->layouts.front()).dump();
}

std::string answer(const Studio& studio) {
  return scenario::layout_json(*studio.answer().result).dump();
}

TEST(Studio, AnswersAsTheSavedScenarioIsRun) {
  Studio studio = studio_of(two_hosts());
  EXPECT_EQ(studio.run().done, Done::kAnswered);
  EXPECT_EQ(answer(studio), saved_answer(studio));
  EXPECT_EQ(studio.change(set("/fabric/host_link", "25 Gbit/s")).done, Done::kAnswered);
  EXPECT_EQ(answer(studio), saved_answer(studio));
  const std::string slow = answer(studio);
  studio.undo();
  EXPECT_NE(answer(studio), slow);
  EXPECT_EQ(answer(studio), saved_answer(studio));
  studio.redo();
  EXPECT_EQ(answer(studio), slow);
}

TEST(Studio, KeepsEachChangeAsAPatch) {
  Studio studio = studio_of(two_hosts());
  studio.change(set("/hosts/*/acs", true));
  studio.change(set("/hosts/esx02/acs", nullptr));
  EXPECT_EQ(studio.step_count(), 2U);
  EXPECT_EQ(input::to_canonical_string(studio.steps()[0].patch),
            R"({"hosts":{"esx[01-02]":{"acs":true}}})");
  EXPECT_EQ(input::to_canonical_string(studio.steps()[1].patch),
            R"({"hosts":{"esx02":{"acs":null}}})");
  EXPECT_EQ(input::to_canonical_string(studio.patch_of_start()),
            R"({"hosts":{"esx01":{"acs":true}}})");
  studio.undo();
  studio.change(set("/job/batch_per_gpu", 8));
  EXPECT_EQ(studio.steps().size(), 2U) << "what was undone is gone once something else is changed";
}

TEST(Studio, MakesOneStepOfAGesture) {
  Studio studio = studio_of(two_hosts());
  for (const int batch : {8, 16, 24}) studio.change(set("/job/batch_per_gpu", batch, "drag 1"));
  EXPECT_EQ(studio.step_count(), 1U);
  EXPECT_EQ(answer(studio), saved_answer(studio));
  studio.change(set("/job/batch_per_gpu", 48, "drag 2"));
  EXPECT_EQ(studio.step_count(), 2U);
  studio.undo();
  studio.undo();
  EXPECT_EQ(input::to_canonical_string(studio.patch_of_start()), "{}");
}

TEST(Studio, RefusesWithTheRuleAndChangesNothing) {
  Studio studio = studio_of(two_hosts());
  studio.run();
  const std::string before = answer(studio);
  const Outcome too_large = studio.change(set("/job/batch_per_gpu", 100'000));
  EXPECT_EQ(too_large.done, Done::kRefused);
  EXPECT_THAT(too_large.objections, Contains(Field(&Objection::rule, "job-does-not-fit")));
  const Outcome unknown = studio.change(set("/hosts/*/nics/*/nic", "no-such-nic"));
  EXPECT_EQ(unknown.done, Done::kRefused);
  EXPECT_THAT(unknown.objections, Not(IsEmpty()));
  const json group = {{"mode", "vgpu"}, {"device_groups", {"Nvidia:2@grid_a100d-80c%NVLink"}}};
  EXPECT_THAT(studio.objections_to(set("/vms/*/gpus", group)),
              Contains(Field(&Objection::rule, "device-group-not-joined")));
  EXPECT_THAT(studio.objections_to(set("/vsphere", "8.0U2")), IsEmpty());
  EXPECT_EQ(studio.step_count(), 0U);
  EXPECT_EQ(answer(studio), before);
}

TEST(Studio, RefusesAVmOnAHostWhoseDevicesAnotherOneHas) {
  Studio studio = studio_of(two_hosts());
  studio.run();
  EXPECT_EQ(studio.change(set("/vms/train01/host", "esx02")).done, Done::kRefused);
}

TEST(Studio, ChangesAnywayOnRequest) {
  Studio studio = studio_of(two_hosts());
  Change change = set("/job/batch_per_gpu", 100'000);
  change.all_the_same = true;
  EXPECT_EQ(studio.change(change).done, Done::kAnswered);
  EXPECT_TRUE(studio.answer().result->refused);
}

TEST(Studio, HasMoreAndFewerHostsLikeTheLastOne) {
  Studio studio = studio_of(two_hosts());
  Change more;
  more.hosts = 5;
  ASSERT_EQ(studio.change(more).done, Done::kAnswered);
  EXPECT_EQ(studio.answer().result->ranks, 10U);
  EXPECT_EQ(answer(studio), saved_answer(studio));
  Change fewer;
  fewer.hosts = 1;
  ASSERT_EQ(studio.change(fewer).done, Done::kAnswered);
  EXPECT_EQ(studio.answer().result->ranks, 2U);
  EXPECT_EQ(answer(studio), saved_answer(studio));
  EXPECT_EQ(input::to_canonical_string(studio.patch_of_start()),
            R"({"hosts":{"esx02":null},"vms":{"train02":null}})");
}

TEST(Studio, GivesWayToWhatIsNewer) {
  Studio studio = studio_of(two_hosts());
  EXPECT_EQ(studio.change(set("/job/batch_per_gpu", 8), [] { return true; }).done,
            Done::kOvertaken);
  EXPECT_EQ(studio.step_count(), 1U) << "changes are kept, although nothing ran";
  EXPECT_EQ(studio.run().done, Done::kAnswered);
  EXPECT_EQ(answer(studio), saved_answer(studio));
  EXPECT_FALSE(studio.run_in_full([] { return true; }));
  EXPECT_FALSE(studio.answer().in_full);
}

TEST(Studio, AddsIntervalsAndWhatHelpsLater) {
  Studio studio = studio_of(two_hosts());
  studio.change(set("/fabric/host_link", "10 Gbit/s"));
  EXPECT_FALSE(studio.answer().result->training->iteration_interval);
  const SimTime first = studio.answer().result->training->iteration;
  ASSERT_TRUE(studio.run_in_full());
  EXPECT_TRUE(studio.answer().result->training->iteration_interval);
  EXPECT_EQ(studio.answer().result->training->iteration, first);
  ASSERT_TRUE(studio.find_what_helps());
  ASSERT_THAT(*studio.answer().tried, Not(IsEmpty()));
  EXPECT_GT(studio.answer().tried->front().gain(), 0.1) << "a faster link";
}

TEST(Studio, GoesOnWithSlowerResultsWhereTheyWereInterrupted) {
  Studio at_once = studio_of(two_hosts());
  Studio studio = studio_of(two_hosts());
  studio.pause_when([] { return true; });
  for (Studio* each : {&at_once, &studio}) {
    each->run();
    each->pin_layout("small");
    std::size_t calls = 1;
    while (!each->run_in_full()) ++calls;
    EXPECT_EQ(calls > 2 * scenario::kUsualDraws, each == &studio) << "one draw of each at a time";
    calls = 1;
    while (!each->find_what_helps()) ++calls;
    EXPECT_EQ(calls >= each->answer().tried->size(), each == &studio);
  }
  EXPECT_EQ(answer(studio), answer(at_once));
  ASSERT_EQ(studio.answer().tried->size(), at_once.answer().tried->size());
  EXPECT_EQ(studio.answer().tried->front().gain(), at_once.answer().tried->front().gain());
  EXPECT_EQ(studio.answer().tornado->bars.size(), at_once.answer().tornado->bars.size());
}

TEST(Studio, BeginsSlowerResultsAgainAfterAChange) {
  Studio studio = studio_of(two_hosts());
  studio.pause_when([] { return true; });
  studio.run();
  for (int call = 0; call < 5; ++call) EXPECT_FALSE(studio.run_in_full());
  ASSERT_EQ(studio.change(set("/job/batch_per_gpu", 16)).done, Done::kAnswered);
  while (!studio.run_in_full()) {
  }
  Studio at_once = studio_of(two_hosts());
  at_once.change(set("/job/batch_per_gpu", 16));
  at_once.run_in_full();
  EXPECT_EQ(answer(studio), answer(at_once));
}

TEST(Studio, OpensWhatItSaved) {
  Studio studio = studio_of(two_hosts());
  studio.change(set("/vms/*/gpus/profile", "grid_a100d-80c"));
  Change vgpu = set("/vms/*/gpus/mode", "vgpu");
  vgpu.set.push_back(set("/vms/*/gpus/profile", "grid_a100d-80c").set.front());
  ASSERT_EQ(studio.change(vgpu).done, Done::kAnswered);
  Studio again = *Studio::open(studio.document(), test::library(), cli::loader_relative_to("x"));
  EXPECT_EQ(again.document().canonical(), studio.document().canonical());
  again.run();
  EXPECT_EQ(answer(again), answer(studio));
  again.undo();
  EXPECT_EQ(input::to_canonical_string(again.patch_of_start()), "{}");
}

TEST(Studio, OpensTheLayoutThatWasChanged) {
  Studio studio = studio_of(two_hosts());
  studio.start_with("small");
  EXPECT_EQ(studio.document().canonical(), studio.base().canonical()) << "nothing was changed";
  studio.change(set("/job/batch_per_gpu", 16));
  EXPECT_THAT(studio.document().layouts(), Contains("small, changed"));
  const Studio again =
      *Studio::open(studio.document(), test::library(), cli::loader_relative_to("x"));
  EXPECT_EQ(again.start(), "small");
  EXPECT_EQ(again.step_count(), 1U);
}

TEST(Studio, ReportsDevicesThatAChangeTakesAway) {
  json scenario = two_hosts();
  scenario["hosts"]["esx[01-02]"]["nvlink_bridges"] = {{0, 1}};
  Studio studio = studio_of(scenario);
  studio.run();
  Change profile = set("/vms/*/gpus/mode", "vgpu");
  profile.set.push_back(set("/vms/*/gpus/profile", "grid_a100d-40c").set.front());
  ASSERT_EQ(studio.change(profile).done, Done::kAnswered);
  EXPECT_THAT(studio.steps().back().removed,
              Contains(::testing::HasSubstr("2 of 4 GPUs are no longer used by the job")));
  studio.undo();
  ASSERT_EQ(studio.change(set("/hosts/*/nvlink_bridges", nullptr)).done, Done::kAnswered);
  EXPECT_THAT(studio.steps().back().removed, ElementsAre("All 2 NVLink bridges are removed"));
  ASSERT_EQ(studio.change(set("/job/batch_per_gpu", 8)).done, Done::kAnswered);
  EXPECT_THAT(studio.steps().back().removed, IsEmpty());
}

/// Sets a control of the panel to one of its choices.
void choose(Studio& studio, const std::string& id, const std::string& label) {
  for (const ordered_json& control : controls(studio.variant(), test::library(), {})) {
    if (control["id"] != id) continue;
    for (const ordered_json& choice : control["choices"]) {
      if (choice["label"] != label) continue;
      const ordered_json body{{"set", choice["set"]}};
      studio.change(*read_change(*input::read_json(input::make_source("c", body.dump()))));
    }
  }
}

TEST(Studio, HasItsBridgesAgainWithTheFormerGpus) {
  json scenario = two_hosts();
  scenario["hosts"]["esx[01-02]"]["nvlink_bridges"] = {{0, 1}};
  for (const auto& [control, there, back] :
       {std::tuple("gpu-count", "1", "2"), std::tuple("gpu-model", "l40s", "a100-pcie-80gb")}) {
    Studio studio = studio_of(scenario);
    studio.run();
    const std::string before = answer(studio);
    choose(studio, control, there);
    EXPECT_NE(answer(studio), before) << control;
    choose(studio, control, back);
    EXPECT_EQ(answer(studio), before) << control;
  }
}

TEST(Studio, NamesTheEndOfALinkThatBinds) {
  json scenario = two_hosts();
  scenario["fabric"]["host_link"] = "25 Gbit/s";
  scenario["job"] = {{"network", "vgg-16"}, {"batch_per_gpu", 32}, {"samples_per_epoch", 100000}};
  Studio studio = studio_of(scenario);
  studio.run();
  auto end = binding_end(studio);
  ASSERT_TRUE(end && end->change);
  EXPECT_THAT(end->text, ::testing::HasSubstr("switch port of 25 Gbit/s binds"));
  const SimTime slow = studio.answer().result->training->iteration;
  ASSERT_EQ(studio.change(*end->change).done, Done::kAnswered);
  EXPECT_LT(studio.answer().result->training->iteration, slow);
  end = binding_end(studio);
  EXPECT_TRUE(!end || !end->change) << "both ends have the same rate";
}

TEST(Studio, SavesLayoutsUnderNamesThatAreFree) {
  Studio studio = studio_of(two_hosts());
  studio.change(set("/job/batch_per_gpu", 8));
  EXPECT_FALSE(studio.save_as_layout("small"));
  EXPECT_FALSE(studio.save_as_layout(""));
  EXPECT_TRUE(studio.save_as_layout("tiny"));
  EXPECT_THAT(studio.base().layouts(), ElementsAre("passthrough", "small", "tiny"));
  studio.start_with("tiny");
  EXPECT_EQ(studio.answer().result->training->global_batch, 32);
}

TEST(Studio, HoldsTheAnswerAgainstALayout) {
  Studio studio = studio_of(two_hosts());
  studio.run();
  EXPECT_FALSE(studio.pin_layout("no such layout"));
  ASSERT_TRUE(studio.pin_layout("small"));
  EXPECT_EQ(studio.pinned().front().result->training->global_batch, 128);
  studio.change(set("/job/batch_per_gpu", 8));
  EXPECT_EQ(studio.pinned().front().result->training->global_batch, 128);
  // Several stand side by side, each under a separate name, until one is removed.
  ASSERT_TRUE(studio.pin());
  const auto second = studio.answer().result->training->global_batch;
  studio.change(set("/job/batch_per_gpu", 16));
  while (studio.pinned().size() < kMostPinned) ASSERT_TRUE(studio.pin());
  EXPECT_FALSE(studio.pin());
  ASSERT_TRUE(studio.run_in_full());
  std::set<std::string> names;
  for (const auto& layout : report_of(studio).result.layouts) {
    names.insert(layout.name);
    EXPECT_TRUE(layout.training->iteration_interval.has_value()) << layout.name;
  }
  EXPECT_EQ(names.size(), kMostPinned + 1);
  studio.unpin(0);
  EXPECT_EQ(studio.pinned().size(), kMostPinned - 1);
  EXPECT_EQ(studio.pinned().front().result->training->global_batch, second);
}

TEST(Studio, DrawsCurvesWithoutChangingAnything) {
  Studio studio = studio_of(two_hosts());
  studio.run();
  const auto figure = [&](const Change& change, bool intervals, const char* name) {
    const auto figures = studio.figures_with(change, intervals, {});
    const auto found = std::ranges::find(figures, name, &scenario::Metric::name);
    return found == figures.end() ? scenario::Metric{} : *found;
  };
  const Change slow = set("/fabric/host_link", "10 Gbit/s");
  const Change fast = set("/fabric/host_link", "100 Gbit/s");
  const double iteration = figure(fast, false, "iteration_time_s").value;
  EXPECT_GT(figure(slow, false, "iteration_time_s").value, iteration);
  EXPECT_EQ(iteration, to_seconds(studio.answer().result->training->iteration));
  EXPECT_THAT(studio.figures_with(set("/job/batch_per_gpu", 100'000), false, {}), IsEmpty());
  // Intervals are those of the answer in full.
  ASSERT_TRUE(studio.run_in_full());
  const auto& known = *studio.answer().result->training->iteration_interval;
  const scenario::Metric with_interval = figure(fast, true, "iteration_time_s");
  EXPECT_EQ(with_interval.low, known.low_s);
  EXPECT_EQ(with_interval.high, known.high_s);
  EXPECT_FALSE(figure(fast, false, "iteration_time_s").low.has_value());
  EXPECT_EQ(studio.step_count(), 0U);
}

TEST(Studio, RemembersSoManySteps) {
  Studio studio = studio_of(two_hosts());
  const Overtaken at_once = [] { return true; };
  for (std::size_t n = 0; n < kMostSteps + 5; ++n) {
    studio.change(set("/job/batch_per_gpu", 1 + static_cast<int>(n % 50)), at_once);
  }
  EXPECT_EQ(studio.steps().size(), kMostSteps);
  for (std::size_t n = 0; n < kMostSteps; ++n) studio.undo(at_once);
  EXPECT_EQ(studio.step_count(), 0U);
  studio.run();
  EXPECT_EQ(answer(studio), saved_answer(studio));
}

/// One change of those that the panel offers, by chance.
Change any_change(const Studio& studio, std::mt19937& draws) {
  const auto all = controls(studio.variant(), test::library(), {});
  for (;;) {
    const ordered_json& control = all[draws() % all.size()];
    ordered_json body;
    if (control.contains("choices")) {
      if (control["choices"].empty()) continue;
      const ordered_json& choice = control["choices"][draws() % control["choices"].size()];
      body["set"] =
          choice.contains("set")
              ? choice["set"]
              : ordered_json{{{"pointer", control["pointer"]}, {"value", choice["value"]}}};
    } else if (control.contains("typed")) {
      const bool is_number = control["typed"] == "number";
      body["set"] = {{{"pointer", control["pointer"]},
                      {"value", is_number ? ordered_json(2.5) : ordered_json("EUR")}}};
    } else {
      if (control["steps"].empty()) continue;
      const ordered_json& step = control["steps"][draws() % control["steps"].size()];
      if (control["id"] == "hosts") continue;
      body["set"] = {{{"pointer", control["pointer"]}, {"value", step}}};
    }
    return *read_change(*input::read_json(input::make_source("c", body.dump())));
  }
}

TEST(Studio, AnswersRandomChainsAsTheSavedScenariosAreRun) {
  std::mt19937 draws(5);
  for (int chain = 0; chain < 30; ++chain) {
    Studio studio = studio_of(two_hosts());
    for (int n = 0; n < 8; ++n) {
      const unsigned kind = draws() % 8;
      if (kind == 0) {
        studio.undo();
      } else if (kind == 1) {
        studio.redo();
      } else {
        studio.change(any_change(studio, draws));
      }
    }
    studio.run();
    ASSERT_TRUE(studio.answer().result);
    EXPECT_EQ(answer(studio), saved_answer(studio))
        << chain << ": " << input::to_canonical_string(studio.patch_of_start());
  }
}

const SearchRequest kRequest{{"epoch_time_s", "hosts"}, {"hosts", "/job/batch_per_gpu"}};

TEST(StudioAdvice, OpensChoicesThatHaveTheFiguresOfTheSearch) {
  Studio studio = studio_of(two_hosts());
  studio.change(set("/fabric/host_link", "10 Gbit/s"));
  const auto search = AdviceSearch::make(studio, kRequest);
  ASSERT_TRUE(search) << search.error();
  std::uint64_t most = 0;
  const auto advised = search->run({}, [&](std::uint64_t done) { most = std::max(most, done); });
  ASSERT_TRUE(advised);
  EXPECT_EQ(most, search->most());
  EXPECT_EQ(advised->simulated, advised->space);
  ASSERT_GT(advised->best.size(), 1U) << "more hosts take less time";
  EXPECT_GT(advised->ran.size(), advised->best.size());
  for (const AdvisedChange& each : advised->best) {
    ASSERT_EQ(studio.change(each.change).done, Done::kAnswered) << each.change.title;
    EXPECT_EQ(studio.answer().result->training->epoch_s, each.figures[0]) << each.change.title;
    EXPECT_EQ(static_cast<double>(studio.answer().result->ranks), 2 * each.figures[1]);
    EXPECT_EQ(answer(studio), saved_answer(studio));
  }
  EXPECT_EQ(studio.step_count(), 1 + advised->best.size()) << "each is one step";
}

TEST(StudioAdvice, IsDrawnWithEachChoice) {
  Studio studio = studio_of(two_hosts());
  studio.run();
  const auto advised = AdviceSearch::make(studio, kRequest)->run({}, [](std::uint64_t) {});
  const std::string html = advice_html(*advised, advised->figures);
  for (std::size_t n = 0; n < advised->best.size(); ++n) {
    EXPECT_NE(html.find("data-of=\"" + std::to_string(n) + "\""), std::string::npos);
  }
  EXPECT_NE(html.find("now"), std::string::npos);
}

TEST(StudioAdvice, ChangesNothingThatMakesNoDifference) {
  Studio studio = studio_of(two_hosts());
  studio.run();
  // Of one host nothing goes over the network, whatever its speed and kind.
  const SearchRequest request{
      {"epoch_time_s", "hosts"},
      {"hosts", "/fabric/host_link", "/hosts/*/nics/*/nic", "/job/batch_per_gpu"}};
  const auto search = AdviceSearch::make(studio, request);
  const auto advised = search->run({}, [](std::uint64_t) {});
  EXPECT_LT(advised->simulated, advised->space) << "a space that is searched, not looked through";
  const AdvisedChange& alone = advised->best.back();
  EXPECT_EQ(alone.figures[1], 1);
  EXPECT_EQ(alone.change.title.find("Link"), std::string::npos) << alone.change.title;
  EXPECT_EQ(alone.change.title.find("NIC"), std::string::npos) << alone.change.title;
}

TEST(StudioAdvice, GivesWay) {
  Studio studio = studio_of(two_hosts());
  studio.run();
  const auto search = AdviceSearch::make(studio, kRequest);
  EXPECT_FALSE(search->run([] { return true; }, [](std::uint64_t) {}));
}

TEST(StudioAdvice, GoesOnWhereItWasCutOff) {
  Studio studio = studio_of(two_hosts());
  studio.run();
  const auto search = AdviceSearch::make(studio, kRequest);
  const auto at_once = search->run({}, [](std::uint64_t) {});
  scenario::ComputedParts parts;
  std::optional<Advised> resumed;
  while (!resumed) {
    const std::size_t before = parts.size();
    parts.repeat([] { return true; });
    resumed = search->run(
        {}, [](std::uint64_t) {}, &parts);
    ASSERT_LE(parts.size(), before + 1) << "it is not interrupted";
    ASSERT_TRUE(resumed || parts.size() > before) << "it does not go on";
  }
  EXPECT_GE(parts.size(), at_once->simulated);
  EXPECT_EQ(resumed->simulated, at_once->simulated);
  EXPECT_EQ(resumed->ran, at_once->ran);
  ASSERT_EQ(resumed->best.size(), at_once->best.size());
  for (std::size_t n = 0; n < at_once->best.size(); ++n) {
    EXPECT_EQ(resumed->best[n].figures, at_once->best[n].figures);
    EXPECT_EQ(resumed->best[n].change.title, at_once->best[n].change.title);
  }
}

TEST(StudioAdvice, IsSearchedForConcurrentlyUntilCancelled) {
  Studio studio = studio_of(two_hosts());
  studio.run();
  const auto search = AdviceSearch::make(studio, kRequest);
  std::binary_semaphore has_news(0);
  ThreadedAdvisor advisor([&] { has_news.release(); });
  advisor.start(*search);
  advisor.cut();
  EXPECT_FALSE(advisor.runs());
  EXPECT_FALSE(advisor.take());
  advisor.start(*search);
  has_news.acquire();
  EXPECT_FALSE(advisor.runs());
  EXPECT_TRUE(advisor.take());
  EXPECT_FALSE(advisor.take()) << "once";
}

TEST(StudioAdvice, VariesHostsThatHaveNoNumbersAsFarAsThereAreSome) {
  json scenario = two_hosts();
  scenario["hosts"] = {{"left", scenario["hosts"]["esx[01-02]"]},
                       {"right", scenario["hosts"]["esx[01-02]"]}};
  scenario["vms"] = json::object();
  Studio studio = studio_of(scenario);
  studio.run();
  const auto search = AdviceSearch::make(studio, {kRequest.figures, {"hosts"}});
  ASSERT_TRUE(search) << search.error();
  EXPECT_EQ(search->most(), 2U);
}

TEST(StudioAdvice, ReportsInvalidSearches) {
  Studio studio = studio_of(two_hosts());
  EXPECT_FALSE(AdviceSearch::make(studio, kRequest)) << "nothing has run";
  studio.run();
  EXPECT_FALSE(AdviceSearch::make(studio, {{"epoch_time_s", "beauty"}, kRequest.vary}));
  EXPECT_FALSE(AdviceSearch::make(studio, {{"hosts", "hosts"}, kRequest.vary}));
  EXPECT_FALSE(AdviceSearch::make(studio, {kRequest.figures, {"no such control"}}));
}

json two_vms_on_a_host(const json& gpus) {
  return json::parse(R"({
    "name": "two VMs", "vsphere": "8.0U3",
    "hosts": {"esx01": {"server": "dell-r750xa", "gpus": "4 x a100-pcie-80gb",
                        "nvlink_bridges": [[0, 1], [2, 3]],
                        "nics": {"vmnic4": {"nic": "connectx-6-dx-100g", "near": "gpu0"}}}},
    "vms": {"a": {"host": "esx01", "vcpus": 16, "memory": "128 GiB"},
            "b": {"host": "esx01", "vcpus": 16, "memory": "128 GiB"}},
    "job": {"network": "resnet-50", "batch_per_gpu": 64, "samples_per_epoch": 100000}})")
      .patch({{{"op", "add"}, {"path", "/vms/a/gpus"}, {"value", gpus}},
              {{"op", "add"}, {"path", "/vms/b/gpus"}, {"value", gpus}}});
}

TEST(StudioGpuMove, GivesAGpuToAnotherVmOfItsHost) {
  Studio studio = studio_of(two_vms_on_a_host({{"mode", "passthrough"}, {"count", 2}}));
  studio.run();
  const auto moves = gpu_moves(studio, "esx01/gpu1");
  ASSERT_EQ(moves.size(), 1U);
  EXPECT_EQ(moves[0].from + moves[0].to, "ab");
  ASSERT_EQ(studio.change(*change_of(studio, moves[0])).done, Done::kAnswered);
  EXPECT_EQ(studio.step_count(), 1U);
  EXPECT_EQ(input::to_canonical_string(studio.steps()[0].patch),
            R"({"vms":{"a":{"gpus":{"count":null,"devices":["gpu0"]}},)"
            R"("b":{"gpus":{"count":null,"devices":["gpu1","gpu2","gpu3"]}}}})");
  EXPECT_EQ(answer(studio), saved_answer(studio));
  const auto last = change_of(studio, {"esx01/gpu0", "a", "b"});
  ASSERT_FALSE(last) << "a VM without a GPU has no part in the job";
  EXPECT_NE(last.error().text.find("no other GPU"), std::string::npos);
}

TEST(StudioGpuMove, GrowsAndShrinksDeviceGroupsWhereARuleAllowsIt) {
  Studio studio = studio_of(
      two_vms_on_a_host({{"mode", "vgpu"}, {"device_groups", {"Nvidia:2@grid_a100d-80c%NVLink"}}}));
  studio.run();
  const Outcome outcome = studio.change(*change_of(studio, {"esx01/gpu1", "a", "b"}));
  EXPECT_EQ(outcome.done, Done::kRefused);
  EXPECT_THAT(outcome.objections, Contains(Field(&Objection::rule, "device-group-not-joined")))
      << "three GPUs are joined by no bridge";
  EXPECT_EQ(studio.step_count(), 0U);
}

TEST(StudioGpuMove, ListsPossibleMovesOfAGpu) {
  Studio studio = studio_of(two_vms_on_a_host(
      {{"mode", "vgpu"}, {"profile", "grid_a100d-40c"}, {"devices", {"gpu0", "gpu0"}}}));
  studio.run();
  EXPECT_TRUE(gpu_moves(studio, "esx01/gpu3").front().from.empty()) << "no VM has it";
  Studio apart = studio_of(two_hosts());
  apart.run();
  const auto other_host = change_of(apart, {"esx01/gpu0", "train01", "train02"});
  ASSERT_FALSE(other_host);
  EXPECT_EQ(other_host.error().rule, "no-free-gpu");
}

TEST(StudioBoard, NamesTheHostThatAVmIsTiedToWhereItIsRefused) {
  Studio studio = studio_of(two_hosts());
  Change change = set("/vms/train01/host", "esx02");
  change.set.push_back(set("/vms/*/nics/vmnic4", "sriov").set.front());
  change.all_the_same = true;
  ASSERT_EQ(studio.change(change).done, Done::kAnswered);
  std::size_t refused = 0;
  const ordered_json board = board_json(studio);
  for (const ordered_json& vm : board["vms"]) {
    EXPECT_EQ(vm["tied"], "esx02");
    for (const ordered_json& each : vm["refused"]) {
      ++refused;
      EXPECT_NE(each["text"].get<std::string>().find("host esx02"), std::string::npos) << each;
    }
  }
  EXPECT_EQ(refused, 1U);
}

TEST(StudioBoard, DrawsVgpusAsLargeAsTheyAre) {
  Studio studio = studio_of(
      two_vms_on_a_host({{"mode", "vgpu"}, {"profile", "grid_a100d-40c"}, {"devices", {"gpu0"}}}));
  studio.run();
  const ordered_json board = board_json(studio);
  const ordered_json& parts = board["hosts"][0]["gpus"][0]["parts"];
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(parts[0]["share"], 0.5) << "two of them fill the GPU";
}

TEST(StudioMachines, HaveLoadsThatAddUpToWhatTheirLinksCarry) {
  Studio studio = studio_of(two_hosts());
  studio.run();
  std::size_t curves = 0;
  for (const scenario::DrawnLink& link : studio.answer().result->picture->hosts.front().links) {
    if (link.over_time.empty() || link.bytes == 0) continue;
    ++curves;
    double sum = 0;
    for (const double load : link.over_time) sum += load;
    EXPECT_NEAR(sum / static_cast<double>(link.over_time.size()), link.utilization, 0.01)
        << link.kind;
  }
  EXPECT_GT(curves, 5U);
}

TEST(StudioMachines, FoldsKindsOfHostsThatCanBeOpened) {
  json scenario = two_hosts();
  scenario["hosts"] = json::object();
  scenario["vms"] = json::object();
  for (int n = 1; n <= 10; ++n) {
    const std::string host = "esx" + std::to_string(n);
    scenario["hosts"][host] = two_hosts()["hosts"]["esx[01-02]"];
    scenario["hosts"][host]["storage"] = {{"read", std::to_string(n) + " GB/s"}};
    scenario["vms"]["vm" + std::to_string(n)] = two_hosts()["vms"]["train[01-02]"];
    scenario["vms"]["vm" + std::to_string(n)]["host"] = host;
  }
  Studio studio = studio_of(scenario);
  studio.run();
  const auto folded = folded_json(*studio.answer().result, "");
  ASSERT_EQ(folded.size(), 2U);
  const std::string hidden = folded[0]["host"];
  EXPECT_EQ(machines_html(*studio.answer().result, "").find(hidden + "/gpu0"), std::string::npos);
  EXPECT_NE(machines_html(*studio.answer().result, hidden).find(hidden + "/gpu0"),
            std::string::npos);
}

TEST(StudioControls, ShowThePresentValueAndAcceptIt) {
  const Studio studio = studio_of(two_hosts());
  for (const ordered_json& control : controls(studio.variant(), test::library(), {})) {
    EXPECT_FALSE(control["about"].get<std::string>().empty()) << control["id"];
    const bool slides = control.contains("steps") && !control["steps"].empty();
    const bool chooses = control.contains("choices") && !control["choices"].empty();
    EXPECT_TRUE(slides || chooses || control.contains("typed")) << control["id"];
  }
}

TEST(StudioControls, AreAboutOneHostWhereOneIsNamed) {
  const Studio studio = studio_of(two_hosts());
  for (const ordered_json& control :
       controls(studio.variant(), test::library(), {"esx02", "train02"})) {
    if (!control.contains("pointer")) continue;
    const std::string pointer = control["pointer"];
    EXPECT_FALSE(pointer.starts_with("/hosts/*") || pointer.starts_with("/vms/*")) << pointer;
  }
}

TEST(StudioChange, ReadsKnownMembersOnly) {
  const auto read = [](const char* text) {
    return read_change(*input::read_json(input::make_source("c", text))).has_value();
  };
  EXPECT_TRUE(read(R"({"title": "x", "set": [{"pointer": "/job/epochs", "value": 3}]})"));
  EXPECT_TRUE(read(R"({"hosts": 4})"));
  EXPECT_FALSE(read(R"({"hosts": 0})"));
  EXPECT_FALSE(read(R"({"set": [{"value": 3}]})"));
  EXPECT_FALSE(read(R"({"shell": "ls"})"));
  EXPECT_FALSE(read("[]"));
}

}  // namespace studio_test
}  // namespace vgsim::studio
