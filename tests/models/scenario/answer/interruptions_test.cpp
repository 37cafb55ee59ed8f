// Events without effect on the job: without a target host, a VM or a time within the training.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tests/support/scenarios.hpp"

namespace vgsim::scenario {
namespace interruptions_test {

/// Hosts of four A100 in two bridged pairs.
std::string hosts(const std::string& range, const std::string& more = "") {
  return '"' + range + R"(": {"server": "dell-r750xa", "gpus": "4 x a100-pcie-80gb",
      "nvlink_bridges": [[0, 1], [2, 3]], "nics": {"n": {"nic": "connectx-6-dx-100g"}})" +
         more + "}";
}

/// A VM with `count` pairs of vGPUs.
std::string pairs(const std::string& name, int count, const std::string& more) {
  std::string groups = R"("Nvidia:2@grid_a100d-80c%NVLink")";
  if (count == 2) groups += ", " + groups;
  return '"' + name + R"(": {"gpus": {"mode": "vgpu", "device_groups": [)" + groups +
         R"(]}, "nics": {"n": "vmxnet3"})" + more + "}";
}

const std::string kJob = R"("job": {"network": "resnet-50", "batch_per_gpu": 128, "epochs": 90,
    "vms": "a", "checkpoints": {"every": "30 min", "save": "20 s", "restore": "1 min",
                                "overlap": true}})";

std::string event(const std::string& kind, const std::string& vm, const std::string& at) {
  return R"({"kind": ")" + kind + R"(", "vm": ")" + vm + R"(", "at": ")" + at + R"("})";
}

LayoutResult trained(const std::string& all_hosts, const std::string& vms,
                     const std::string& events, const std::string& more = "") {
  return test::run_one(R"({"name": "events", "vsphere": "8.0U3", "hosts": {)" + all_hosts +
                       R"(}, "vms": {)" + vms + "}, " + kJob +
                       (events.empty() ? "" : R"(, "disruptions": [)" + events + "]") + more + "}");
}

std::string said(const LayoutResult& layout, const std::string& rule) {
  std::string text;
  for (const Warning& warning : layout.warnings) {
    if (warning.rule == rule) text += warning.text + "\n";
  }
  return text;
}

/// The event costs nothing, and the answer contains this reason.
void expect_none(const LayoutResult& layout, const std::string& words,
                 const std::string& rule = "event-without-effect") {
  ASSERT_TRUE(layout.training);
  const TrainingResult& training = *layout.training;
  for (const Interruption& each : training.interruptions) {
    EXPECT_EQ(each.seconds, 0.0) << each.what;
    EXPECT_EQ(each.rule, rule) << each.what;
    EXPECT_NE(each.why.find(words), std::string::npos) << each.why;
  }
  EXPECT_NE(said(layout, rule).find(words), std::string::npos) << said(layout, rule);
}

double cost_of(const LayoutResult& layout) {
  EXPECT_EQ(said(layout, "event-without-effect"), "");
  EXPECT_EQ(said(layout, "no-restart-after-failure"), "");
  return layout.training->interruptions.back().seconds;
}

const std::string kA = pairs("a", 2, R"(, "host": "h1", "memory": "64 GiB")");
const std::string kB = pairs("b", 2, R"(, "host": "h2", "memory": "64 GiB")");

TEST(Events, AVmotionNeedsAnotherHost) {
  const auto quiet = trained(hosts("h1"), kA, "");
  const auto moved = trained(hosts("h1"), kA, event("vmotion", "a", "1 h"));
  expect_none(moved, "the cluster has no other host");
  EXPECT_EQ(moved.training->training_s, quiet.training->training_s);
  EXPECT_GT(cost_of(trained(hosts("h[1-2]"), kA, event("vmotion", "a", "1 h"))), 60.0);
}

TEST(Events, AVmotionNeedsAHostWithRoomForTheGpus) {
  const std::string event_of_a = event("vmotion", "a", "1 h");
  expect_none(trained(hosts("h[1-2]"), kA + "," + kB, event_of_a), "no other host has capacity");
  EXPECT_GT(cost_of(trained(hosts("h[1-3]"), kA + "," + kB, event_of_a)), 60.0);
  // A second pair fits next to a pair.
  const std::string small = pairs("a", 1, R"(, "host": "h1")");
  const std::string other = pairs("b", 1, R"(, "host": "h2")");
  EXPECT_GT(cost_of(trained(hosts("h[1-2]"), small + "," + other, event_of_a)), 30.0);
  // Other GPU models do not count as capacity.
  const std::string a40 = R"("h2": {"server": "dell-r750xa", "gpus": "4 x a40",
      "nics": {"n": {"nic": "connectx-6-dx-100g"}}})";
  expect_none(trained(hosts("h1") + "," + a40, kA, event_of_a), "no other host has capacity");
}

TEST(Events, AVmotionNeedsMemoryCpusAndTheNetworkOfTheVm) {
  const std::string event_of_a = event("vmotion", "a", "1 h");
  const std::string node = R"(, "numa_node": {"cores": 32, "memory": "256 GiB"})";
  const auto with = [&](const std::string& own, const std::string& spare) {
    return trained(hosts("h1", node) + "," + spare, pairs("a", 2, R"(, "host": "h1", )" + own),
                   event_of_a);
  };
  const std::string less = R"(, "numa_node": {"cores": 8, "memory": "64 GiB"})";
  EXPECT_GT(cost_of(with(R"("memory": "100 GiB", "vcpus": 24)", hosts("h2", less))), 60.0);
  expect_none(with(R"("memory": "200 GiB", "vcpus": 24)", hosts("h2", less)), "to be reserved");
  expect_none(with(R"("memory": "100 GiB", "vcpus": 64)", hosts("h2", less)), "vCPUs");
  const std::string without = R"("h2": {"server": "dell-r750xa", "gpus": "4 x a100-pcie-80gb",
      "nvlink_bridges": [[0, 1], [2, 3]]})";
  expect_none(with(R"("memory": "100 GiB")", without), "NIC n");
}

TEST(Events, AVmOfNobodyElseStopsTheJob) {
  const std::string other = pairs("b", 1, R"(, "host": "h2")");
  expect_none(trained(hosts("h[1-3]"), kA + "," + other, event("vmotion", "b", "1 h")),
              "it is not part of the job");
  expect_none(trained(hosts("h[1-3]"), kA + "," + other, event("restart", "b", "1 h")),
              "it is not part of the job");
  expect_none(trained(hosts("h[1-3]"), kA + "," + other, event("host_failure", "b", "1 h")),
              "it is not part of the job");
}

TEST(Events, AHostTakesAllOfItsVmsWithIt) {
  const std::string small = pairs("a", 1, R"(, "host": "h1")");
  const std::string other = pairs("b", 1, R"(, "host": "h1")");
  const auto fails = [&](const char* vm) {
    return cost_of(
        trained(hosts("h[1-2]"), small + "," + other, event("host_failure", vm, "40 min")));
  };
  EXPECT_EQ(fails("b"), fails("a"));
  EXPECT_GT(fails("a"), 600.0) << "ten minutes of work";
}

TEST(Events, AfterTheEndNothingHappens) {
  const double ends = trained(hosts("h[1-2]"), kA, "").training->training_s;
  for (const char* kind : {"vmotion", "restart", "host_failure"}) {
    expect_none(trained(hosts("h[1-2]"), kA, event(kind, "a", "200 h")), "the training has ended");
    const std::string before = std::to_string(ends - 1) + " s";
    EXPECT_GT(cost_of(trained(hosts("h[1-2]"), kA, event(kind, "a", before))), 60.0) << kind;
  }
}

TEST(Events, WhatMakesTheTrainingLongerMakesRoomForMore) {
  const double ends = trained(hosts("h[1-2]"), kA, "").training->training_s;
  const std::string late = event("restart", "a", std::to_string(ends + 60) + " s");
  const std::string early = event("restart", "a", "1 h");
  expect_none(trained(hosts("h[1-2]"), kA, late), "the training has ended");
  const auto one = trained(hosts("h[1-2]"), kA, late + "," + early);
  const auto other = trained(hosts("h[1-2]"), kA, early + "," + late);
  EXPECT_EQ(one.training->interruptions.front().seconds,
            one.training->interruptions.back().seconds);
  EXPECT_EQ(one.training->training_s, other.training->training_s) << "the order of the file";
}

TEST(Events, NothingRestartsAfterAFailureWithoutASpareHost) {
  const std::string fails = event("host_failure", "a", "1 h");
  const char* const rule = "no-restart-after-failure";
  expect_none(trained(hosts("h1"), kA, fails), "the cluster has no other host", rule);
  expect_none(trained(hosts("h[1-2]"), kA + "," + kB, fails), "no other host has capacity", rule);
  const std::string whole = R"("a": {"host": "h1", "gpus": {"mode": "passthrough"}})";
  expect_none(trained(hosts("h1"), whole, fails), "the cluster has no other host", rule);
  EXPECT_GT(cost_of(trained(hosts("h[1-2]"), whole, fails)), 180.0);
  EXPECT_GT(cost_of(trained(hosts("h[1-3]"), kA + "," + kB, fails)), 180.0);
}

TEST(Events, NoPlanTakesMoreThanAMonthOrLessThanNothing) {
  for (const char* often : {"0.001", "1", "30", "1000"}) {
    for (const char* samples : {"1000000", "1000000000000"}) {
      const auto layout = test::run_one(
          R"({"name": "months", "vsphere": "8.0U3", "hosts": {)" + hosts("h[1-3]") +
          R"(}, "vms": {"v[1-2]": {"host": "h[1-2]", "nics": {"n": "pvrdma"}, "gpus": {
          "mode": "vgpu", "count": 1, "profile": "grid_a100d-80c"}}}, "job": {
          "network": "resnet-50", "samples_per_epoch": )" +
          samples + R"(}, "maintenance": {"per_month": )" + often + "}}");
      const Maintenance& plan = *layout.training->maintenance;
      ASSERT_TRUE(plan.vmotion_s);
      for (const double seconds : {*plan.vmotion_s, plan.restart_s}) {
        EXPECT_GT(seconds, 0.0) << often << ", " << samples;
        EXPECT_LE(seconds, 31 * 24 * 3600.0) << often << ", " << samples;
      }
    }
  }
}

/// Two hosts with an AllReduce, and events that do not affect it.
std::string beside(const std::string& more) {
  return R"({"name": "beside", "hosts": {"h[1-3]": {"server": "dell-r750xa",
      "gpus": "2 x a100-pcie-80gb", "nics": {"n": {"nic": "connectx-6-dx-100g"},
                                            "idle": {"nic": "connectx-6-dx-100g"}}}},
      "vms": {"v[1-3]": {"host": "h[1-3]", "nics": {"n": "sriov"}}},
      "job": {"network": "resnet-50", "vms": ["v1", "v2"], "samples_per_epoch": 10000},
      )" +
         more + "}";
}

/// The first two of four hosts are alike: settings belong to a kind of hosts, not to a position.
TEST(Settings, ATimeSliceWithoutEffectIsThatOfItsHost) {
  const auto layout =
      test::run_one(R"({"name": "slices", "hosts": {)" + hosts("h[1-2]") + ", " +
                    hosts("h3", R"(, "vgpu": {"time_slice": "2 ms"})") + ", " + hosts("h4") +
                    R"(}, "job": {"network": "resnet-50", "samples_per_epoch": 10000}})");
  const std::string words = said(layout, "time-slice-without-effect");
  EXPECT_NE(words.find("h3: "), std::string::npos) << words;
  for (const char* other : {"h1: ", "h2: ", "h4: "}) {
    EXPECT_EQ(words.find(other), std::string::npos) << words;
  }
}

TEST(Events, WhatTheJobNeverMeetsIsSaid) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {R"("variability": {"stragglers": {"h3/gpu0": 2}})", "straggler h3/gpu0"},
      {R"("variability": {"stragglers": {"v3": 2}})", "straggler v3"},
      {R"("neighbours": [{"host": "h3", "cores": 4}])", "neighbours on h3"},
      {R"("faults": [{"link": "h3/n", "at": "0 s", "share": 0.5}])", "sends no data over it"},
      {R"("faults": [{"link": "h1/idle", "at": "0 s", "share": 0}])", "sends no data over it"},
      {R"("faults": [{"link": "h1/n", "at": "10 h", "share": 0.5}])", "the job has ended"},
  };
  for (const auto& [more, words] : cases) {
    const auto layout = test::run_one(beside(more));
    EXPECT_NE(said(layout, "event-without-effect").find(words), std::string::npos)
        << more << "\n"
        << said(layout, "event-without-effect");
  }
  for (const char* more : {R"("variability": {"stragglers": {"h1/gpu0": 2}})",
                           R"("neighbours": [{"host": "h*", "cores": 4}])",
                           R"("faults": [{"link": "h1/n", "at": "0 s", "share": 0.5}])"}) {
    EXPECT_EQ(said(test::run_one(beside(more)), "event-without-effect"), "") << more;
  }
}

}  // namespace interruptions_test
}  // namespace vgsim::scenario
