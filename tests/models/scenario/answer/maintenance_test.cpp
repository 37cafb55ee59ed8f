// Effects of vMotion, restarts and a maintenance plan on a training job.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "tests/support/scenarios.hpp"

namespace vgsim::scenario {
namespace maintenance_test {

/// Two VMs with two bridged A100 each on two of these hosts.
LayoutResult trained(const std::string& hosts, const std::string& vm, const std::string& more) {
  return test::run_one(R"({"name": "patches", "vsphere": "8.0U3", "hosts": {)" + hosts + R"(},
      "vms": {"v[1-2]": {"host": "h[1-2]", "memory": "64 GiB", )" +
                       vm + R"(}},
      "job": {"network": "resnet-50", "batch_per_gpu": 128, "epochs": 90,
              "checkpoints": {"every": "30 min", "save": "20 s", "restore": "1 min"}})" +
                       more + "}");
}

std::string hosts(const std::string& range, const std::string& vmotion) {
  return '"' + range + R"(": {"server": "dell-r750xa", "gpus": "4 x a100-pcie-80gb",
      "nvlink_bridges": [[0, 1], [2, 3]], "vmotion": ")" +
         vmotion + R"(", "nics": {"n": {"nic": "connectx-6-dx-100g"}}})";
}

const std::string kVgpus = R"("gpus": {"mode": "vgpu", "device_groups": [
    "Nvidia:2@grid_a100d-80c%NVLink", "Nvidia:2@grid_a100d-80c%NVLink"]}, "nics": {"n": "vmxnet3"})";
const std::string kPlan = R"(, "maintenance": {"per_month": 1})";
const std::string kVmotion =
    R"(, "disruptions": [{"kind": "vmotion", "vm": "v1", "at": "45 min"}])";

const Interruption& last_of(const LayoutResult& layout) {
  return layout.training->interruptions.back();
}

bool is_full(const LayoutResult& layout) {
  return std::any_of(layout.warnings.begin(), layout.warnings.end(), [](const Warning& warning) {
    return warning.rule == "host-cannot-be-emptied";
  });
}

TEST(Maintenance, AMonthIsAVmotionOfEachVm) {
  const LayoutResult layout = trained(hosts("h[1-3]", "25 Gbit/s"), kVgpus, kPlan + kVmotion);
  const scenario::Maintenance& plan = *layout.training->maintenance;
  EXPECT_DOUBLE_EQ(plan.stops, 2.0);
  EXPECT_NEAR(*plan.vmotion_s, 2 * last_of(layout).seconds, 1e-9);
  EXPECT_NEAR(plan.restart_s, 2 * (20 + 180 + 60), 1e-9);
  EXPECT_FALSE(is_full(layout));
}

TEST(Maintenance, LostStepsAreThoseOfTheTimeThatTheJobStandsStill) {
  const LayoutResult layout = trained(hosts("h[1-3]", "25 Gbit/s"), kVgpus, kVmotion);
  EXPECT_NEAR(last_of(layout).steps * to_seconds(layout.training->iteration),
              last_of(layout).seconds, 1e-6);
  EXPECT_GT(last_of(layout).steps, 100.0);
}

TEST(Maintenance, WithoutASpareHostTheJobWaitsForItsHosts) {
  const LayoutResult layout = trained(hosts("h[1-2]", "25 Gbit/s"), kVgpus, kPlan);
  const scenario::Maintenance& plan = *layout.training->maintenance;
  EXPECT_EQ(plan.full.size(), 2U);
  EXPECT_TRUE(is_full(layout));
  EXPECT_FALSE(plan.vmotion_s);
  EXPECT_NEAR(plan.restart_s, 2 * (20 + 3600 + 180 + 60), 1e-9);
}

TEST(Maintenance, FreeGpusOfTheOtherHostsCount) {
  // Two groups of two leave capacity for another VM of two, but not for one of four.
  const std::string half = R"("gpus": {"mode": "vgpu", "device_groups": [
      "Nvidia:2@grid_a100d-80c%NVLink"]}, "nics": {"n": "vmxnet3"})";
  EXPECT_FALSE(is_full(trained(hosts("h[1-2]", "25 Gbit/s"), half, kPlan)));
  EXPECT_TRUE(is_full(trained(hosts("h[1-2]", "25 Gbit/s"), kVgpus, kPlan)));
}

TEST(Maintenance, PassthroughRestartsElsewhereIfItIsDynamic) {
  const auto plan_of = [](const char* mode) {
    return trained(hosts("h[1-3]", "25 Gbit/s"),
                   R"("gpus": {"mode": ")" + std::string(mode) + R"("})", kPlan);
  };
  const LayoutResult dynamic = plan_of("passthrough_dynamic");
  EXPECT_FALSE(is_full(dynamic));
  EXPECT_FALSE(dynamic.training->maintenance->vmotion_s) << "no vMotion";
  EXPECT_TRUE(is_full(plan_of("passthrough_static")));
}

TEST(Maintenance, TheSlowerOfTheTwoHostsSetsThePace) {
  const auto stun = [](const std::string& spare) {
    return last_of(
               trained(hosts("h[1-2]", "25 Gbit/s") + ", " + hosts("h3", spare), kVgpus, kVmotion))
        .seconds;
  };
  EXPECT_NEAR(stun("100 Gbit/s"), stun("25 Gbit/s"), 1e-9);
  // h2 also has 25 Gbit/s, but no capacity: v2 has its GPUs.
  EXPECT_GT(stun("10 Gbit/s"), 2 * stun("25 Gbit/s"));
  const auto both = [](const std::string& other) {
    return last_of(test::run_one(R"({"name": "two", "vsphere": "8.0U3", "hosts": {)" +
                                 hosts("h1", "25 Gbit/s") + ", " + hosts("h2", other) +
                                 R"(}, "vms": {"v1": {"host": "h1", )" + kVgpus + R"(}},
        "job": {"network": "resnet-50", "batch_per_gpu": 128, "epochs": 90})" +
                                 kVmotion + "}"))
        .seconds;
  };
  EXPECT_GT(both("10 Gbit/s"), 2 * both("25 Gbit/s"));
}

TEST(Maintenance, AStunLimitIsHeldAgainstTheSlowerHostToo) {
  // 40 GB take about 14 s at most over 80 Gbit/s and two minutes over 10.
  const auto moved = [](const std::string& other) {
    return test::try_run(R"({"name": "two", "vsphere": "8.0U3", "hosts": {)" +
                         hosts("h1", "100 Gbit/s") + ", " + hosts("h2", other) +
                         R"(}, "vms": {"v1": {"host": "h1", "stun_limit": "60 s", "nics": {},
        "gpus": {"mode": "vgpu", "count": 1, "profile": "grid_a100d-40c"}}},
        "job": {"network": "resnet-50", "batch_per_gpu": 64})" +
                         kVmotion + "}");
  };
  EXPECT_TRUE(moved("100 Gbit/s"));
  const auto refused = moved("10 Gbit/s");
  ASSERT_FALSE(refused);
  EXPECT_NE(input::render(refused.error()).find("its limit is"), std::string::npos);
}

TEST(Maintenance, RdmaConnectionsDoNotOutliveALongStun) {
  // NCCL's default timeout is about 30 s; four 80 GB vGPUs over 25 Gbit/s take minutes.
  const std::string rdma = R"("gpus": {"mode": "vgpu", "device_groups": [
      "Nvidia:2@grid_a100d-80c%NVLink", "Nvidia:2@grid_a100d-80c%NVLink"]}, "nics": {"n": "pvrdma"})";
  const auto stop = [&](const std::string& vm) {
    return last_of(trained(hosts("h[1-3]", "25 Gbit/s"), vm, kVmotion));
  };
  // 15 minutes since the last checkpoint, and one minute to load it.
  EXPECT_NEAR(stop(rdma).seconds - stop(kVgpus).seconds, 15 * 60 + 60, 1e-6);
  const std::string little = rdma + R"(, "framebuffer_used": "5 GB")";
  EXPECT_LT(stop(little).seconds, 30.0);
}

TEST(Maintenance, CollectivesDoNotWaitForeverEither) {
  // PyTorch ends a job after 10 minutes; 320 GB over 1 Gbit/s take more than an hour.
  const Interruption stop = last_of(trained(hosts("h[1-3]", "1 Gbit/s"), kVgpus, kVmotion));
  EXPECT_NE(stop.why.find("10 min"), std::string::npos) << stop.why;
}

}  // namespace maintenance_test
}  // namespace vgsim::scenario
