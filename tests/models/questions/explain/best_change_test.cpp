// The change with the largest gain, if the search is cheap.

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "models/questions/explain/best_changes.hpp"
#include "models/questions/explain/change_gaps.hpp"
#include "models/scenario/answer/intervals.hpp"
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

/// Exactly the result of trying all changes.
TEST(BestChange, IsAmongTheFirstOfThoseThatExplainTries) {
  const std::string path = VGSIM_SOURCE_DIR "/configs/scenarios/questions/q05-nic-upgrade.json";
  const auto load = cli::loader_relative_to(path);
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
  const ChangeContext at{own, *prepared, recorded.layouts.front(), test::library()};
  const auto tried = try_changes(at, changes_of(at), load, settings);
  EXPECT_EQ(found.layout, "25 Gbit/s");
  ASSERT_EQ(found.helping.size(), kMostHelping);
  const auto helping = helping_changes(tried, false);
  for (std::size_t place = 0; place < kMostHelping; ++place) {
    EXPECT_EQ(found.helping[place].change.title, helping[place]->change.title);
    EXPECT_DOUBLE_EQ(found.helping[place].gain(), helping[place]->gain());
    EXPECT_FALSE(helping[place]->change.changes_training);
  }
  EXPECT_GT(found.tried, 10U);
}

/// The changed scenario, drawn alone, has the same times in the same draws.
TEST(BestChange, HasADifferenceOverTheDrawsOfItsLayout) {
  const std::string path = VGSIM_SOURCE_DIR "/configs/scenarios/questions/q05-nic-upgrade.json";
  const auto load = cli::loader_relative_to(path);
  const auto document = input::read_json(*input::load_source(path));
  const RunSettings settings;
  const auto drawn = [&](const Document& of) {
    const auto prepared = prepare_scenario(of, test::library(), load, settings);
    ScenarioResult result = run(*prepared, settings);
    add_intervals(*prepared, test::library(), load, settings, kUsualDraws, result);
    return result.layouts.front();
  };
  const LayoutResult before = drawn(*document);
  const BestChange found = find_best_change(*document, before, test::library(), load, settings);
  ASSERT_FALSE(found.helping.empty());
  const TriedChange& best = found.helping.front();
  ASSERT_TRUE(best.gap.has_value());
  EXPECT_TRUE(best.gap->is_slower());
  EXPECT_NEAR(best.gain(), best.gap->more / (1 + best.gap->more), 1e-6);
  EXPECT_LE(best.gap->low, best.gap->more);
  EXPECT_GE(best.gap->high, best.gap->more);

  input::Diagnostics none;
  const auto layouts = read_layouts(*document, none);
  const LayoutResult after =
      drawn(with_overrides(layouts.front().document, best.change.overrides, none));
  ASSERT_EQ(best.gap->draws, kFirstDraws) << "a clear gain needs no more";
  for (std::size_t d = 0; d < kFirstDraws; ++d) {
    EXPECT_DOUBLE_EQ(best.result.drawn_s[d].value(), after.drawn_s[d].value());
  }
}

/// FSDP over pairs of VMs: without the host's PCIe tree all goes through host memory. Less crosses
/// the VMs' borders with a copy in each, or in one VM.
TEST(TryChanges, OfShardedJobsInVmsAreRanked) {
  const std::string path =
      VGSIM_SOURCE_DIR "/configs/scenarios/training/llama-2-13b-fsdp-vgpu.json";
  const auto load = cli::loader_relative_to(path);
  const auto document = input::read_json(*input::load_source(path));
  input::Diagnostics none;
  const Document own = Document(*document).with_layouts({"vGPU of 4"});
  RunSettings settings;
  settings.record = true;
  const auto layouts = read_layouts(own, none);
  const auto prepared = prepare_scenario(layouts.front().document, test::library(), load, settings);
  ASSERT_TRUE(prepared);
  const auto result = run(*prepared, settings);
  const ChangeContext at{layouts.front().document, *prepared, result.layouts.front(),
                         test::library()};
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
  const auto load = cli::loader_relative_to(path);
  const auto document = input::read_json(*input::load_source(path));
  const auto result = run_scenario(*document, test::library(), load, {});
  LayoutResult large = result->layouts.front();
  large.events = 1'000'000;
  const BestChange found = find_best_change(*document, large, test::library(), load, {});
  EXPECT_FALSE(found.tried);
  EXPECT_TRUE(found.helping.empty());
}

/// Two hosts with PCIe switches hidden by a flat guest topology: the effect of the assumption is
/// the ratio of both results, each simulated with an explicit setting.
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
  const input::FileLoader load = cli::loader_relative_to("guest.json");
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
    EXPECT_NE(each.change.id, "assumed-guest-topology") << "it is no longer an assumption";
  }
}

/// Two hosts from a dump without NIC rates and CPU.
std::string dump_without_rates() {
  std::string pcis;
  for (const int n : {1, 2}) {
    pcis += fmt::format(
        R"(<pci busid="0000:{0}0:00.0" class="0x060400" vendor="0x1000" device="0xc030"
             link_speed="32.0 GT/s PCIe" link_width="16">
           <pci busid="0000:{0}1:00.0" class="0x030200" vendor="0x10de" device="0x2330"
             link_speed="32.0 GT/s PCIe" link_width="16">
             <gpu dev="{1}" sm="90" rank="{1}" gdr="1"/></pci>
           <pci busid="0000:{0}2:00.0" class="0x020700"><nic><net name="mlx5_{1}" dev="{1}" port="1"/></nic></pci>
         </pci>)",
        n, n - 1);
  }
  return R"(<system version="1"><cpu numaid="0" affinity="ffff" arch="x86_64">)" + pcis +
         "</cpu></system>";
}

/// An unstated rate: the effect of the assumption is the ratio of two results, each simulated with
/// an explicit rate.
TEST(Assumptions, PriceTheRateOfNicsAndTheCpuThatNoFileStates) {
  const input::FileLoader load = [](const std::string& path) {
    return tl::expected<input::SourcePtr, input::Diagnostics>(
        input::make_source(path, dump_without_rates()));
  };
  const auto scenario = [](const std::string& more) {
    return *Document::parse(input::make_source("dump.json", R"({
      "name": "x", "hosts": { "h[1-2]": { "topology": "nccl:host.xml",
                                          "nvlink": { "kind": "none" })" +
                                                                more + R"( } },
      "fabric": { "kind": "single-switch" },
      "job": { "collective": "all_reduce", "sizes": ["1 GiB"] } })"));
  };
  const auto run_one = [&](const std::string& more) {
    const auto result = run_scenario(scenario(more), test::library(), load, {});
    EXPECT_TRUE(result) << (result ? "" : input::render(result.error()));
    return result->layouts.front();
  };
  const auto seconds = [&](const std::string& more) {
    return to_seconds(run_one(more).collective->points.front().time);
  };
  const auto priced_in = [](const BestChange& found, const std::string& id) {
    const auto priced = std::find_if(found.assumptions.begin(), found.assumptions.end(),
                                     [&](const TriedChange& each) { return each.change.id == id; });
    return priced == found.assumptions.end() ? nullptr : &*priced;
  };
  const BestChange found = find_best_change(scenario(""), run_one(""), test::library(), load, {},
                                            BestChangeOf::kAssumptions);
  const TriedChange* nic = priced_in(found, "assumed-nic-rate");
  ASSERT_NE(nic, nullptr);
  EXPECT_EQ(nic->change.title,
            "NIC rate, taken as 100 Gbit/s; if it is 400 Gbit/s (connectx-7-ndr-400g)");
  const std::string named = R"(, "devices": {
      "0000:12:00.0": { "nic": "connectx-7-ndr-400g" },
      "0000:22:00.0": { "nic": "connectx-7-ndr-400g" } })";
  EXPECT_NEAR(nic->after_s / nic->before_s, seconds(named) / seconds(""), 1e-9);
  EXPECT_GT(nic->gain(), 0.1) << "four times the rate";
  EXPECT_NE(priced_in(found, "assumed-cpu"), nullptr) << "GPUs reach each other through it";
  const auto size = [](const TriedChange& each) {
    return std::abs(std::log(each.after_s / each.before_s));
  };
  EXPECT_TRUE(
      std::is_sorted(found.assumptions.begin(), found.assumptions.end(),
                     [&](const auto& a, const auto& b) { return size(a) > size(b) + 1e-12; }))
      << "the dearest comes first";
  EXPECT_FALSE(found.tried) << "changes were not asked for";

  const BestChange said = find_best_change(scenario(named), run_one(named), test::library(), load,
                                           {}, BestChangeOf::kAssumptions);
  EXPECT_EQ(priced_in(said, "assumed-nic-rate"), nullptr) << "it is no longer an assumption";
  const auto cpu = run_one(R"(, "cpu": "intel-sapphire-rapids")");
  EXPECT_TRUE(std::none_of(cpu.assumptions.begin(), cpu.assumptions.end(), [](const auto& each) {
    return each.find("CPU of unknown maker") != std::string::npos;
  })) << "the scenario states it";
}

/// The newest release is assumed if none is stated. The effect of others on Blackwell GPUs is that
/// of the release with the largest difference.
TEST(Assumptions, PriceTheVersionOfNcclThatNobodyStates) {
  const auto scenario = [](const std::string& nccl) {
    return *Document::parse(input::make_source("b200.json", R"({
      "name": "x", "hosts": { "h[1-2]": { "server": "hgx-b200", "nics": {
                                            "n[0-7]": { "nic": "connectx-7-ndr-400g" } } } },
      "fabric": { "kind": "single-switch" },
      "job": { "collective": "all_reduce", "sizes": ["1 GiB"])" +
                                                                nccl + R"( } })"));
  };
  const input::FileLoader load = cli::loader_relative_to("b200.json");
  const auto run_one = [&](const std::string& nccl) {
    return run_scenario(scenario(nccl), test::library(), load, {})->layouts.front();
  };
  const auto seconds = [&](const std::string& nccl) {
    return to_seconds(run_one(nccl).collective->points.front().time);
  };
  const BestChange found = find_best_change(scenario(""), run_one(""), test::library(), load, {},
                                            BestChangeOf::kAssumptions);
  const auto is_version = [](const TriedChange& each) {
    return each.change.id == "assumed-nccl-version";
  };
  ASSERT_EQ(std::count_if(found.assumptions.begin(), found.assumptions.end(), is_version), 1);
  const auto priced = std::find_if(found.assumptions.begin(), found.assumptions.end(), is_version);
  const double of_2_27 = seconds(R"(, "nccl": { "version": "2.27.7" })") / seconds("");
  EXPECT_GT(of_2_27, 1.05);
  EXPECT_GE(std::abs(std::log(priced->after_s / priced->before_s)), std::log(of_2_27) - 1e-9);
  const std::string newest = R"(, "nccl": { "version": "newest" })";
  const BestChange said = find_best_change(scenario(newest), run_one(newest), test::library(), load,
                                           {}, BestChangeOf::kAssumptions);
  EXPECT_TRUE(std::none_of(said.assumptions.begin(), said.assumptions.end(), is_version));
}

/// Two hosts that train over one NIC each, with an unstated NCCL release.
Document training_on_two_hosts(const std::string& nccl) {
  return *Document::parse(input::make_source("two.json", R"({
    "name": "x", "hosts": { "h[1-2]": { "server": "dell-r750xa", "gpus": "2 x a100-pcie-80gb",
      "nvlink_bridges": [[0, 1]],
      "nics": { "n0": { "nic": "connectx-6-dx-100g", "near": "gpu0" } } } },
    "fabric": { "kind": "single-switch" },
    "job": { "network": "bert-large", "batch_per_gpu": 32, "precision": "fp16")" +
                                                             nccl + R"( } })"));
}

/// A release with equal decisions has the same step. It is not simulated, and its time equals that
/// of an explicit setting.
TEST(Assumptions, ThatLeaveTheStepAsItIsAreNotSimulatedAgain) {
  const input::FileLoader load = cli::loader_relative_to("two.json");
  const auto run_one = [&](const std::string& nccl) {
    const auto result = run_scenario(training_on_two_hosts(nccl), test::library(), load, {});
    EXPECT_TRUE(result) << (result ? "" : input::render(result.error()));
    return result->layouts.front();
  };
  const BestChange found = find_best_change(training_on_two_hosts(""), run_one(""), test::library(),
                                            load, {}, BestChangeOf::kAssumptions);
  ASSERT_EQ(found.priced, 4U) << "four of NCCL's releases";
  EXPECT_TRUE(found.unpriced.empty());
  const double newest = *time_of(run_one(""));
  std::size_t different = 0;
  double farthest = 0;
  for (const char* version : {"2.31.2", "2.29.7", "2.27.7", "2.24.3"}) {
    const double time =
        *time_of(run_one(fmt::format(R"(, "nccl": {{ "version": "{}" }})", version)));
    if (time != newest) ++different;
    farthest = std::max(farthest, std::abs(std::log(time / newest)));
  }
  EXPECT_GE(found.simulated, different);
  EXPECT_LT(found.simulated, found.priced);
  const bool lists_version = std::ranges::any_of(found.assumptions, [](const TriedChange& each) {
    return each.change.id == "assumed-nccl-version";
  });
  EXPECT_EQ(lists_version, farthest >= std::log(1 + kLeastPrice));
}

/// Assumptions omitted for the size of a job are listed: the first ones are evaluated, the others
/// named. None are omitted for a small job.
TEST(Assumptions, ThatAreTooMuchWorkAreNamed) {
  const std::string path = VGSIM_SOURCE_DIR "/configs/scenarios/bert-large-4xr750xa.json";
  const auto load = cli::loader_relative_to(path);
  const auto document = input::read_json(*input::load_source(path));
  const auto answered = prepare_scenario(*document, test::library(), load, {});
  ASSERT_TRUE(answered);
  const LayoutResult known = run(*answered, {}).layouts.front();
  const auto found_of = [&](std::uint64_t events) {
    LayoutResult sized = known;
    sized.events = events;
    sized.training->iterations_run = 3;  // so that twice the events are expected
    return find_best_change(*document, sized, test::library(), load, {}, BestChangeOf::kAssumptions,
                            &*answered);
  };
  const BestChange small = found_of(1'000);
  EXPECT_TRUE(small.unpriced.empty());
  ASSERT_GE(small.priced, 4U);

  const BestChange large = found_of(60'000);
  ASSERT_TRUE(is_little_work(2, 120'000, known.ranks));
  ASSERT_FALSE(is_little_work(3, 120'000, known.ranks));
  EXPECT_EQ(large.priced, 2U) << "as many as are little work";
  ASSERT_FALSE(large.unpriced.empty());
  EXPECT_TRUE(large.unpriced.back().starts_with("NCCL version")) << large.unpriced.back();

  const BestChange huge = found_of(1'000'000);
  EXPECT_EQ(huge.priced, 0U);
  EXPECT_GE(huge.unpriced.size(), large.unpriced.size());
  EXPECT_TRUE(huge.unpriced.back().starts_with("NCCL version")) << huge.unpriced.back();
}

}  // namespace
}  // namespace vgsim::scenario
