// What kinds of NICs cost a VM, against the parameters that say so.

#include <gtest/gtest.h>

#include <string>

#include "tests/support/scenarios.hpp"

namespace vgsim {
namespace nic_costs_test {

using scenario::LayoutResult;

/// AllReduce of two VMs with one GPU each over one NIC.
LayoutResult reduce(const std::string& mode, const std::string& size,
                    const std::string& nic = "connectx-6-dx-100g", const std::string& host = "",
                    const std::string& more = "") {
  return test::run_one(R"({"name": "nics", "vsphere": "8.0U3", "hosts": {"h[1-2]": {
      "server": "generic-1gpu", "gpus": "1 x a100-pcie-80gb", "nics": {"n": {"nic": ")" +
                       nic + "\"}}" + host + R"(}}, "vms": {"vm[1-2]": {"host": "h[1-2]",
      "vcpus": 16, "gpus": {"mode": "passthrough"}, "nics": {"n": ")" +
                       mode + R"("}}}, "job": {"collective": "all_reduce", "sizes": [")" + size +
                       "\"], \"nccl\": {\"NCCL_ALGO\": \"Ring\", \"NCCL_PROTO\": \"Simple\"}}" +
                       more + "}");
}

SimTime time_of(const LayoutResult& result) { return result.collective->points.at(0).time; }

TEST(NicCosts, EachKindAddsItsLatencyAtBothEndsOfEachStep) {
  // Two ranks: AllReduce by a ring takes 2 (N - 1) = 2 steps, and so does its latency.
  const auto latency = [](const char* mode) {
    return to_seconds(reduce(mode, "8 B").collective->points.at(0).fixed);
  };
  const double own = latency("passthrough");
  EXPECT_NEAR(latency("sriov") - own, 2 * 2 * 0.3e-6, 1e-9);
  EXPECT_NEAR(latency("pvrdma") - own, 2 * 2 * 3e-6, 1e-9);
  EXPECT_GT(latency("vmxnet3") - own, 2 * 2 * 20e-6) << "and TCP instead of RDMA";
}

TEST(NicCosts, FunctionsCarryTheirShareOfThePort) {
  const auto& card = test::library().catalog.nics.at("connectx-6-dx-100g");
  const double port = static_cast<double>(card.port_rate.value.count()) * card.payload_share.value;
  const auto capacity = [](const char* mode) {
    const LayoutResult result = reduce(mode, "1 GiB");
    for (const auto& link : result.links) {
      if (link.kind != "nic-function") continue;
      return link.bytes / link.utilization / to_seconds(time_of(result));
    }
    return 0.0;
  };
  EXPECT_NEAR(capacity("sriov"), port * 0.99, 1.0);
  EXPECT_NEAR(capacity("pvrdma"), port * 0.95, 1.0);
  EXPECT_EQ(capacity("passthrough"), 0.0) << "the port is all there is";
}

TEST(NicCosts, OnlyTheKindOrdersTheLayouts) {
  for (const char* size : {"8 B", "1 MiB", "1 GiB"}) {
    const SimTime passthrough = time_of(reduce("passthrough", size));
    const SimTime sriov = time_of(reduce("sriov", size));
    const SimTime pvrdma = time_of(reduce("pvrdma", size));
    const SimTime vmxnet3 = time_of(reduce("vmxnet3", size));
    EXPECT_LE(passthrough, sriov);
    EXPECT_LE(sriov, pvrdma);
    EXPECT_LE(pvrdma, vmxnet3);
  }
}

TEST(NicCosts, AreNothingWhereVirtualizationIsIdealised) {
  const std::string ideal = R"(, "idealise": {"virtualization": "zero"})";
  EXPECT_EQ(time_of(reduce("sriov", "1 GiB", "connectx-6-dx-100g", "", ideal)),
            time_of(reduce("passthrough", "1 GiB", "connectx-6-dx-100g", "", ideal)));
}

/// Core time for a byte sent and received, of the cores of a host.
double core_time(const LayoutResult& result) {
  for (const auto& link : result.links) {
    if (link.resource == "h1/cores") return link.core_seconds;
  }
  return 0.0;
}

TEST(NicCosts, TcpKeepsCoresBusyAndADpuTakesTheVirtualSwitchOffThem) {
  // A ring of two: each host sends and receives 1 GiB, 8.59 Gbit each way. The guest's TCP takes
  // 0.02 cores for a Gbit/s, the virtual switch 0.015.
  const double gbit = 2 * 8 * 1.073741824;
  EXPECT_EQ(core_time(reduce("passthrough", "1 GiB")), 0.0) << "RDMA";
  EXPECT_NEAR(core_time(reduce("vmxnet3", "1 GiB")), gbit * 0.035, 1e-6);
  EXPECT_NEAR(core_time(reduce("vmxnet3", "1 GiB", "bluefield-2-100g", R"(, "dpu_offload": true)")),
              gbit * 0.02, 1e-6);
  EXPECT_NEAR(core_time(reduce("passthrough", "1 GiB", "x710-10g")), gbit * 0.02, 1e-6)
      << "TCP over a NIC in passthrough";
}

TEST(NicCosts, GpuDirectRdmaNeedsTheCardOrAFunctionOfIt) {
  const auto staged = [](const std::string& mode) {
    const auto result = test::run_one(
        R"({"name": "gdr", "vsphere": "8.0U3", "hosts": {"h[1-2]": {"server": "dgx-a100",
            "nics": {"ib0": {"nic": "connectx-6-hdr-200g", "near": "gpu0"}}}},
            "vms": {"vm[1-2]": {"host": "h[1-2]", "guest_topology": "topo_file",
                                "gpus": {"mode": "passthrough"}, "nics": {"ib0": ")" +
        mode + R"("}}}, "job": {"collective": "all_reduce", "sizes": ["1 GiB"]}})");
    return result.hops_by_transport.count("network through host memory") > 0;
  };
  EXPECT_FALSE(staged("sriov"));
  EXPECT_TRUE(staged("pvrdma"));
}

}  // namespace nic_costs_test
}  // namespace vgsim
