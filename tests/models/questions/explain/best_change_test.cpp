// The one change that helps most, where little work finds it.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "models/questions/explain/best_changes.hpp"
#include "models/scenario/answer/layout_time.hpp"
#include "models/scenario/answer/run_scenario.hpp"
#include "models/scenario/read/layouts.hpp"
#include "tests/support/scenarios.hpp"
#include "topology/input/json_reader.hpp"
#include "topology/input/load_source.hpp"

namespace vgsim::scenario {
namespace {

TEST(LittleWork, IsDecidedByTheSizeOfTheJob) {
  EXPECT_TRUE(is_little_work(30, 3'000, 16)) << "BERT-Large on four hosts";
  EXPECT_FALSE(is_little_work(30, 70'000, 1024)) << "GPT-3 on 1024 GPUs";
  EXPECT_FALSE(is_little_work(1, 5'000, 100'000)) << "few events, but all those GPUs";
}

TEST(LittleWork, IsNotThatOfJobsWhoseIterationsNeverRepeat) {
  LayoutResult layout;
  layout.events = 100'000;
  layout.training.emplace().iterations_run = 20;
  EXPECT_EQ(events_again(layout), 2U * 15'000) << "three of twenty, twice";
  layout.training->iterations_run = 520;
  EXPECT_EQ(events_again(layout), 2U * 100'000) << "a change takes as many";
}

/// What trying all of them finds, and neither more nor less.
TEST(BestChange, IsAmongTheFirstOfThoseThatExplainTries) {
  const std::string path = VGSIM_SOURCE_DIR "/configs/scenarios/questions/q05-nic-upgrade.json";
  const auto load = cli::loader_beside(path);
  const auto document = input::read_json(*input::load_source(path));
  RunSettings settings;
  const auto result = run_scenario(*document, test::library(), load, settings);
  ASSERT_TRUE(result);
  const BestChange found =
      find_best_change(*document, result->layouts.front(), test::library(), load, settings);

  input::Diagnostics none;
  const auto layouts = read_layouts(*document, none);
  settings.record = true;
  const Document& own = layouts.front().document;
  const auto prepared = prepare_scenario(own, test::library(), load, settings);
  const auto recorded = run(*prepared, settings);
  const Situation at{own, *prepared, recorded.layouts.front(), test::library()};
  const auto tried = try_changes(at, changes_of(at), load, settings);
  EXPECT_EQ(found.layout, "25 Gbit/s");
  ASSERT_EQ(found.helping.size(), kMostHelping);
  std::size_t place = 0;
  for (const TriedChange& each : tried) {
    if (!each.helps() || each.change.alters_training || place == kMostHelping) continue;
    EXPECT_EQ(found.helping[place].change.title, each.change.title);
    EXPECT_DOUBLE_EQ(found.helping[place].gain(), each.gain());
    ++place;
  }
  EXPECT_GT(found.tried, 10U);
}

/// FSDP over pairs of VMs: without the host's PCIe tree all goes through host memory. Less crosses
/// the VMs' borders with a copy in each, or in one VM.
TEST(TryChanges, OfShardedJobsInVmsAreRanked) {
  const std::string path =
      VGSIM_SOURCE_DIR "/configs/scenarios/training/llama-2-13b-fsdp-vgpu.json";
  const auto load = cli::loader_beside(path);
  const auto document = input::read_json(*input::load_source(path));
  input::Diagnostics none;
  const Document own = Document(*document).with_layouts({"vGPU of 4"});
  RunSettings settings;
  settings.record = true;
  const auto layouts = read_layouts(own, none);
  const auto prepared = prepare_scenario(layouts.front().document, test::library(), load, settings);
  ASSERT_TRUE(prepared);
  const auto result = run(*prepared, settings);
  const Situation at{layouts.front().document, *prepared, result.layouts.front(), test::library()};
  auto changes = changes_of(at);
  std::erase_if(changes, [](const Change& change) {
    return change.id != "topology-file" && change.id != "hybrid-sharding" && change.id != "one-vm";
  });
  const auto tried = try_changes(at, changes, load, settings);
  ASSERT_GE(tried.size(), 3U);
  EXPECT_EQ(tried.front().change.id, "topology-file");
  std::set<std::string> helping;
  for (const TriedChange& each : tried) {
    if (each.gain() > 0.1) helping.insert(each.change.id);
  }
  EXPECT_EQ(helping, (std::set<std::string>{"topology-file", "hybrid-sharding", "one-vm"}));
}

TEST(BestChange, IsNotLookedForWhereThatIsMuchWork) {
  const std::string path = VGSIM_SOURCE_DIR "/configs/scenarios/bert-large-4xr750xa.json";
  const auto load = cli::loader_beside(path);
  const auto document = input::read_json(*input::load_source(path));
  const auto result = run_scenario(*document, test::library(), load, {});
  LayoutResult large = result->layouts.front();
  large.events = 1'000'000;
  const BestChange found = find_best_change(*document, large, test::library(), load, {});
  EXPECT_FALSE(found.tried);
  EXPECT_TRUE(found.helping.empty());
}

/// Two hosts with switches that a flat guest does not show to NCCL: the price of leaving that open
/// is the ratio of both answers, each said and run by itself.
TEST(Assumptions, ArePricedAsIfTheScenarioHadSaidTheOther) {
  const auto scenario = [](const std::string& guest) {
    return *Document::parse(input::make_source("guest.json", R"({
      "name": "x", "vsphere": "8.0U3",
      "hosts": { "esx[1-2]": { "server": "dell-xe9680", "gpus": "8 x h100-sxm5-80gb",
                               "nics": { "n[0-3]": { "nic": "connectx-7-ndr-400g" } } } },
      "vms": { "v[1-2]": { "host": "esx[1-2]", "gpus": { "mode": "passthrough" },
                           "nics": { "n[0-3]": "passthrough" })" +
                                                                 guest + R"( } },
      "fabric": { "kind": "single-switch" },
      "job": { "collective": "all_reduce", "sizes": ["1 GiB"] } })"));
  };
  const input::FileLoader load = cli::loader_beside("guest.json");
  const auto run_one = [&](const Document& document) {
    return run_scenario(document, test::library(), load, {})->layouts.front();
  };
  const auto seconds = [&](const std::string& guest) {
    return to_seconds(run_one(scenario(guest)).collective->points.front().time);
  };
  const Document left_open = scenario("");
  const BestChange found =
      find_best_change(left_open, run_one(left_open), test::library(), load, {});
  const auto priced = std::find_if(
      found.assumptions.begin(), found.assumptions.end(),
      [](const TriedChange& each) { return each.change.id == "assumed-guest-topology"; });
  ASSERT_NE(priced, found.assumptions.end());
  const double flat = seconds(R"(, "guest_topology": "flat")");
  const double told = seconds(R"(, "guest_topology": "topo_file")");
  EXPECT_NEAR(priced->gain(), 1.0 - told / flat, 1e-9);
  EXPECT_GT(priced->gain(), kLeastPrice);

  const Document said = scenario(R"(, "guest_topology": "flat")");
  for (const TriedChange& each :
       find_best_change(said, run_one(said), test::library(), load, {}).assumptions) {
    EXPECT_NE(each.change.id, "assumed-guest-topology") << "it is no assumption any more";
  }
}

}  // namespace
}  // namespace vgsim::scenario
