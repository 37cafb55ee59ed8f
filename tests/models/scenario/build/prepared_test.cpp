// Preparations are reused: unchanged parts are reused, and nothing else.

#include "models/scenario/build/prepared.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/scenario/read/library.hpp"
#include "models/scenario/read/overrides.hpp"
#include "tests/support/scenarios.hpp"
#include "tools/report/plain_text.hpp"
#include "tools/report/report.hpp"

namespace vgsim::scenario {
namespace prepared_test {

std::string text_of(const scenario::ScenarioResult& result) {
  report::Report report;
  report.result = result;
  return report::details_text(report::page_of(report), 100);
}

constexpr const char* kBert = R"({"name": "prepared", "vsphere": "8.0U3",
    "hosts": {"esx[1-2]": {"server": "dell-r750xa", "gpus": "4 x a100-pcie-80gb",
                           "nics": {"vmnic4": {"nic": "connectx-6-dx-100g", "near": "gpu0"}}}},
    "vms": {"vm[1-2]": {"host": "esx[1-2]", "gpus": {"mode": "passthrough"},
                        "nics": {"vmnic4": "passthrough"}}},
    "job": {"network": "bert-large", "batch_per_gpu": 32, "samples_per_epoch": 100000}})";

Document document(const std::vector<std::string>& settings = {}) {
  input::Diagnostics none;
  std::vector<Override> overrides;
  for (const std::string& each : settings) overrides.push_back(*read_override(each));
  const auto text = input::make_source("prepared.json", kBert);
  return with_overrides(*Document::parse(text), overrides, none);
}

PreparedScenario prepared(const Document& document, const RunSettings& settings = {},
                          const PreparedScenario* like = nullptr) {
  auto result =
      prepare_scenario(document, test::library(), cli::loader_relative_to("x"), settings, like);
  if (!result) throw std::runtime_error(input::render(result.error()));
  return *result;
}

struct Taken {
  bool machines;
  bool ranks;
};

/// Checks which parts are reused, and that the result is the same as without reuse.
Taken taken(const Document& changed, const RunSettings& settings = {}) {
  const PreparedScenario base = prepared(document());
  const PreparedScenario with = prepared(changed, settings, &base);
  const PreparedScenario anew = prepared(changed, settings);
  const LayoutResult one = run(with, settings).layouts.front();
  const LayoutResult other = run(anew, settings).layouts.front();
  EXPECT_FALSE(one.fingerprint.empty());
  EXPECT_EQ(one.fingerprint, other.fingerprint);
  EXPECT_EQ(one.event_fingerprint, other.event_fingerprint);
  EXPECT_EQ(one.assumptions, other.assumptions);
  EXPECT_EQ(one.inputs.size(), other.inputs.size());
  const Placement& before = base.layouts.front().placement;
  const Placement& after = with.layouts.front().placement;
  return {after.cluster == before.cluster, after.communicators == before.communicators};
}

RunSettings with_parameter(const std::string& name, double value) {
  RunSettings settings;
  settings.parameters[name] = value;
  return settings;
}

TEST(Prepared, TakesMachinesAndRanksWhereOnlyTheJobComputesOtherwise) {
  for (const char* setting :
       {"/job/batch_per_gpu=16", "/job/precision=fp32", "/job/buckets/cap=5 MiB",
        "/job/network=resnet-50", "/prices/gpu_hour=2"}) {
    const Taken from = taken(document({setting}));
    EXPECT_TRUE(from.machines) << setting;
    EXPECT_TRUE(from.ranks) << setting;
  }
}

TEST(Prepared, TakesMachinesAloneWhereNcclIsToldOtherwise) {
  const Taken from = taken(document({"/job/nccl/NCCL_P2P_LEVEL=SYS"}));
  EXPECT_TRUE(from.machines);
  EXPECT_FALSE(from.ranks);
}

TEST(Prepared, BuildsOtherMachinesAnew) {
  for (const char* setting :
       {"/hosts/esx1/nics/vmnic4/nic=connectx-7-ndr-400g", "/hosts/*/acs=true", "/vms/vm2/vcpus=16",
        "/vms/*/guest_topology=topo_file", "/vsphere=7.0U3",
        "/fabric={\"kind\": \"leaf-spine\", \"leaves\": 2, \"spines\": 1}", "/job/vms=vm1",
        "/variability/stragglers={\"esx1/gpu0\": 1.5}"}) {
    const Taken from = taken(document({setting}));
    EXPECT_FALSE(from.machines) << setting;
    EXPECT_FALSE(from.ranks) << setting;
  }
}

TEST(Prepared, BuildsMachinesAnewWhereVmsAreOnOtherHosts) {
  const Taken from = taken(document({"/vms/vm1/host=esx2", "/vms/vm2/host=esx1"}));
  EXPECT_FALSE(from.machines);
}

TEST(Prepared, BuildsMachinesAnewForTheParametersThatTheyAreBuiltBy) {
  for (const char* of_the_job : {"kernel_gap", "nic_rate_factor", "ampere_launch_latency"}) {
    const auto& usual = test::library().parameters.at(of_the_job).quantity.value;
    const Taken from = taken(document(), with_parameter(of_the_job, usual * 1.5));
    EXPECT_TRUE(from.machines && from.ranks) << of_the_job;
  }
  const Taken from = taken(document(), with_parameter("storage_read_rate", 1e9));
  EXPECT_FALSE(from.machines);
}

TEST(Prepared, KnowsNothingOfParametersThatWereNotNoted) {
  RunSettings silent;
  silent.note_inputs = false;
  const PreparedScenario base = prepared(document(), silent);
  const PreparedScenario other = prepared(document(), silent, &base);
  EXPECT_NE(other.layouts.front().placement.cluster, base.layouts.front().placement.cluster);
}

TEST(Prepared, VgpusOfOneGpuAreAsManyRanksOfNccl) {
  const PreparedScenario halves = prepared(*Document::parse(input::make_source("halves.json", R"({
      "name": "halves", "vsphere": "8.0U3",
      "hosts": {"esx[1-2]": {"server": "generic-1gpu", "gpus": "1 x a100-pcie-80gb",
                             "nics": {"n": {"nic": "connectx-6-dx-100g", "near": "gpu0"}}}},
      "vms": {"vm[1-2]": {"host": "esx[1-2]", "vcpus": 16, "memory": "128 GiB",
                          "gpus": {"mode": "vgpu", "count": 2, "profile": "grid_a100d-40c"},
                          "nics": {"n": "sriov"}}},
      "job": {"network": "bert-large", "batch_per_gpu": 8, "samples_per_epoch": 100000}})")));
  const collectives::RankGroup& ranks = halves.layouts.front().placement.ranks();
  EXPECT_EQ(ranks.ranks(), 4U);
  EXPECT_EQ(ranks.decision().ranks(), 4);
}

/// Values for one place of the scenario; chains start from the first.
using Place = std::vector<std::string>;

const std::vector<Place>& places() {
  static const std::vector<Place> all{
      {"/hosts/*/nics/vmnic4/nic=connectx-6-dx-100g",
       "/hosts/*/nics/vmnic4/nic=connectx-7-ndr-400g",
       "/hosts/esx1/nics/vmnic4/nic=connectx-5-25g"},
      {"/hosts/*/nics/vmnic4/near=gpu0", "/hosts/*/nics/vmnic4/near=gpu2"},
      {"/hosts/*/acs=false", "/hosts/*/acs=true"},
      {"/hosts/*/gpus=4 x a100-pcie-80gb", "/hosts/esx2/gpus=4 x a30", "/hosts/*/gpus=4 x l40s"},
      {"/vsphere=8.0U3", "/vsphere=7.0U3", "/vsphere=9.0"},
      {"/vms/*/vcpus=32", "/vms/vm2/vcpus=8"},
      {"/vms/*/gpus={\"mode\": \"passthrough\"}",
       "/vms/*/gpus={\"mode\": \"vgpu\", \"profile\": \"grid_a100d-80c\"}"},
      {"/vms/*/guest_topology=flat", "/vms/*/guest_topology=topo_file"},
      {"/vms/*/nics/vmnic4=passthrough", "/vms/*/nics/vmnic4=vmxnet3"},
      {"/job/vms=vm*", "/job/vms=vm1"},
      {"/job/network=bert-large", "/job/network=resnet-50"},
      {"/job/batch_per_gpu=32", "/job/batch_per_gpu=8"},
      {"/job/precision=fp16", "/job/precision=fp32"},
      {"/job/buckets/cap=25 MiB", "/job/buckets/cap=5 MiB", "/job/buckets/cap=200 MiB"},
      {"/job/nccl/NCCL_P2P_LEVEL=PHB", "/job/nccl/NCCL_P2P_LEVEL=SYS"},
      {"/job/nccl/NCCL_ALGO=ring,tree", "/job/nccl/NCCL_ALGO=ring", "/job/nccl/NCCL_ALGO=tree"},
      {"/job/nccl/version=2.21", "/job/nccl/version=2.18", "/job/nccl/version=2.27"},
      {"/fabric={\"kind\": \"leaf-spine\", \"leaves\": 2, \"spines\": 1}",
       "/fabric={\"kind\": \"single-switch\"}"},
      {"/variability/compute_sigma=0", "/variability/compute_sigma=0.02"},
  };
  return all;
}

std::map<std::string, double> some_parameters() {
  std::map<std::string, double> values;
  for (const char* name : {"kernel_gap", "nic_rate_factor", "storage_read_rate"}) {
    if (*rc::gen::inRange(0, 3) > 0) continue;
    const double usual = test::library().parameters.at(name).quantity.value;
    values[name] = usual * *rc::gen::element(0.8, 1.25);
  }
  return values;
}

/// All output of the answer, or its errors.
std::string answer(const Document& document, const RunSettings& settings,
                   std::optional<PreparedScenario>& like) {
  auto prepared = prepare_scenario(document, test::library(), cli::loader_relative_to("x"),
                                   settings, like ? &*like : nullptr);
  if (!prepared) return input::render(prepared.error());
  like = std::move(*prepared);
  const ScenarioResult result = run(*like, settings);
  return result.layouts.front().fingerprint + result.layouts.front().event_fingerprint +
         text_of(result);
}

// More chains than usual: RC_PARAMS=max_success=2000.
RC_GTEST_PROP(Prepared, AChainOfChangesEndsWhereAFreshStartDoes, ()) {
  std::vector<std::string> values;
  for (const Place& place : places()) values.push_back(place.front());
  std::optional<PreparedScenario> like;
  const int steps = *rc::gen::inRange(2, 6);
  for (int step = 0; step < steps; ++step) {
    const std::size_t place = *rc::gen::inRange<std::size_t>(0, places().size());
    values[place] = *rc::gen::elementOf(places()[place]);
    RunSettings settings;
    settings.parameters = some_parameters();
    std::optional<PreparedScenario> none;
    const std::string wanted = answer(document(values), settings, none);
    RC_ASSERT(answer(document(values), settings, like) == wanted);
    RC_TAG(none ? "answered" : "refused");
  }
}

}  // namespace prepared_test
}  // namespace vgsim::scenario
