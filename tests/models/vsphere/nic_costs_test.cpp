// Costs of the kinds of NICs of a VM, compared with their parameters.

#include "models/vsphere/nic_costs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <vector>

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
  const auto& card = test::library().catalog->nics.at("connectx-6-dx-100g");
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
  EXPECT_NEAR(capacity("enhanced_directpath"), port * 0.98, 1.0);
  EXPECT_NEAR(capacity("pvrdma"), port * 0.95, 1.0);
  EXPECT_NEAR(capacity("vmxnet3"), 5e9, 1.0) << "40 Gbit/s, whatever the port";
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
  // 0.026 cores for a Gbit/s, the virtual switch 0.043.
  const double gbit = 2 * 8 * 1.073741824;
  EXPECT_EQ(core_time(reduce("passthrough", "1 GiB")), 0.0) << "RDMA";
  EXPECT_NEAR(core_time(reduce("vmxnet3", "1 GiB")), gbit * 0.069, 1e-6);
  EXPECT_NEAR(core_time(reduce("vmxnet3", "1 GiB", "bluefield-2-100g", R"(, "dpu_offload": true)")),
              gbit * 0.026, 1e-6);
  EXPECT_NEAR(core_time(reduce("passthrough", "1 GiB", "x710-10g")), gbit * 0.026, 1e-6)
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

/// Measured and predicted TCP rates between VMs, in Gbit/s.
struct MeasuredTcp {
  const char* what;
  const char* mode;
  int connections;
  std::optional<double> port;  ///< line rate; nothing between VMs on one virtual switch
  std::optional<std::int64_t> vcpus;
  double measured;
  bool at_least = false;
};

double predicted_gbit(const MeasuredTcp& point) {
  constexpr double kGbit = 1e9 / 8;
  std::optional<BytesPerSecond> port;
  // What TCP's frames leave is 0.949 at MTU 1500 and 0.990 at 9000.
  if (point.port) port = BytesPerSecond{static_cast<std::int64_t>(*point.port * kGbit * 0.96)};
  const auto limits =
      vsphere::tcp_limits(vsphere::nic_mode(point.mode), test::library().parameters);
  const auto rate = vsphere::tcp_rate(limits, point.connections, port, point.vcpus);
  return static_cast<double>(rate.count()) / kGbit;
}

TEST(NicCosts, TcpCarriesWhatWasMeasuredByKindAndNumberOfConnections) {
  // A virtual function of a ConnectX-5 Ex, 16 vCPUs, iperf3, medians of six runs: VLAN, OVS-DPDK
  // with VXLAN and OVS-tc with VXLAN, at MTU 1500 and 9000. vmxnet3: iperf on one host and over
  // 1 GbE, and netperf with four vCPUs over 40 GbE, a lower bound.
  const MeasuredTcp points[] = {
      {"VLAN, 1500", "sriov", 2, 100, 16, 70},
      {"VLAN, 9000", "sriov", 2, 100, 16, 82},
      {"VLAN, 9000", "sriov", 6, 100, 16, 95},
      {"DPDK, 1500", "sriov", 2, 100, 16, 61},
      {"DPDK, 9000", "sriov", 2, 100, 16, 85},
      {"DPDK, 9000", "sriov", 6, 100, 16, 96},
      {"tc, 1500", "sriov", 2, 100, 16, 83},
      {"tc, 9000", "sriov", 2, 100, 16, 86},
      {"tc, 9000", "sriov", 6, 100, 16, 96},
      {"one host", "vmxnet3", 1, std::nullopt, std::nullopt, 28.3},
      {"1 GbE", "vmxnet3", 1, 1, std::nullopt, 0.93},
      {"40 GbE", "vmxnet3", 4, 40, 4, 35, true},
  };
  std::vector<double> errors;
  std::vector<double> of_line_rate;  // the null model: a NIC carries its line rate
  for (const MeasuredTcp& point : points) {
    const auto error = [&](double predicted) {
      if (point.at_least && predicted >= point.measured) return 0.0;
      return std::abs(predicted / point.measured - 1);
    };
    errors.push_back(error(predicted_gbit(point)));
    of_line_rate.push_back(error(point.port.value_or(100)));
    EXPECT_LT(errors.back(), 0.26) << point.what << ", " << point.connections << " connections";
  }
  const auto within = std::count_if(errors.begin(), errors.end(), [](double e) { return e < 0.2; });
  EXPECT_GE(within, 11) << "all but DPDK at MTU 1500, whose overlay costs the guest's core";
  const auto median = [](std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + 6, values.end());
    return values[6];
  };
  EXPECT_LT(median(errors), 0.1);
  EXPECT_LT(median(errors), median(of_line_rate) / 1.5);
}

TEST(NicCosts, ACoreIsWhatOneTcpConnectionTakes) {
  // Where the measurement is from: a connection is limited by the core that it runs on.
  const auto limits = vsphere::tcp_limits(vsphere::nic_mode("sriov"), test::library().parameters);
  const double gbit = static_cast<double>(limits.connection.count()) * 8 / 1e9;
  EXPECT_NEAR(gbit * limits.cores_per_gbit, 1.0, 0.05);
}

/// AllReduce of two VMs that share the one NIC of their host.
LayoutResult reduce_on_one_host(const std::string& mode) {
  return test::run_one(R"({"name": "one host", "vsphere": "8.0U3", "hosts": {"h": {
      "server": "dell-r750xa", "gpus": "2 x a100-pcie-80gb",
      "nics": {"n": {"nic": "x710-10g"}}}}, "vms": {
      "a": {"host": "h", "gpus": {"mode": "passthrough", "devices": ["gpu0"]},
            "nics": {"n": ")" +
                       mode + R"("}},
      "b": {"host": "h", "gpus": {"mode": "passthrough", "devices": ["gpu1"]},
            "nics": {"n": ")" +
                       mode + R"("}}},
      "job": {"collective": "all_reduce", "sizes": ["1 GiB"]}})");
}

TEST(NicCosts, VmsOnOneVirtualSwitchDoNotLoadThePort) {
  const LayoutResult emulated = reduce_on_one_host("vmxnet3");
  for (const auto& link : emulated.links) {
    EXPECT_NE(link.kind, "nic") << link.resource;
    EXPECT_EQ(link.resource.find("h/n"), std::string::npos) << "nor the card's slot";
  }
  // 10 GbE would take 1 GiB / 1.19 GB/s; measured between VMs of one host are 28.3 Gbit/s of TCP.
  EXPECT_LT(to_seconds(time_of(emulated)), 1.074 / 1.25);
  const LayoutResult functions = reduce_on_one_host("sriov");
  EXPECT_GT(to_seconds(time_of(functions)), 1.074 / 1.25) << "its virtual functions do";
}

std::set<std::string> rules_of(const LayoutResult& layout) {
  std::set<std::string> rules;
  for (const auto& warning : layout.warnings) rules.insert(warning.rule);
  return rules;
}

TEST(NicCosts, KindsThatNobodyMeasuredSaySoAndAreLessCertain) {
  const auto width = [](const std::string& kind) {
    const auto& share = test::library().parameters.at(kind + "_share");
    return std::stod(share.high) - std::stod(share.low);
  };
  for (const char* kind : {"pvrdma", "enhanced_directpath"}) {
    EXPECT_TRUE(rules_of(reduce(kind, "1 MiB")).contains("nic-kind-unmeasured")) << kind;
    EXPECT_GT(width(kind), 3 * width("sriov")) << kind;
  }
  for (const char* kind : {"passthrough", "sriov", "vmxnet3"}) {
    EXPECT_FALSE(rules_of(reduce(kind, "1 MiB")).contains("nic-kind-unmeasured")) << kind;
  }
}

TEST(NicCosts, NoPortCarriesMoreThanItsLineRate) {
  scenario::RunSettings settings;
  settings.parameters["nic_rate_factor"] = 1.5;
  const auto result = test::run_one(R"({"name": "fast", "hosts": {"h[1-2]": {
      "server": "generic-1gpu", "gpus": "1 x a100-pcie-80gb",
      "nics": {"n": {"nic": "connectx-6-dx-100g"}}}},
      "job": {"collective": "all_reduce", "sizes": ["8 GiB"]}})",
                                    settings);
  // A ring of two moves as much as it reduces: 8 GiB by 12.5 GB/s.
  EXPECT_GE(to_seconds(time_of(result)), 8 * 1.073741824 / 12.5);
}

}  // namespace nic_costs_test
}  // namespace vgsim
