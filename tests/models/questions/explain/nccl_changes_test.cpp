// Changes of NCCL's variables and release, each tried only where it can matter.

#include <gtest/gtest.h>

#include "models/collectives/nccl/settings.hpp"
#include "tests/support/explained.hpp"

namespace vgsim {
namespace nccl_changes_test {

using scenario::TriedChange;
using test::explained;
using test::Explained;
using test::seconds_of;

std::string hosts_with(const std::string& nics, const std::string& nccl,
                       const std::string& collective = "all_reduce") {
  return R"({"name": "x", "hosts": {"h[1-2]": {"server": "dgx-h100", "nics": {)" + nics +
         R"(}}}, "fabric": {"kind": "single-switch"}, "job": {"collective": ")" + collective +
         R"(", "sizes": ["1 GiB"], "nccl": {)" + nccl + "}}}";
}

const std::string kNicPerGpu = R"("n[0-7]": {"nic": "connectx-7-ndr-400g", "near": "gpu[0-7]"})";

/// A variable that this model ignores or refuses would gain nothing, or fail.
TEST(NcclChanges, SetOnlyVariablesThatTheModelHas) {
  const auto names = collectives::nccl::setting_names();
  const std::string prefix = "/job/nccl/NCCL_";
  for (const std::string& job :
       {hosts_with(kNicPerGpu, ""), hosts_with(kNicPerGpu, "", "all_to_all"),
        std::string(R"({"name": "x", "hosts": {"h": {"server": "generic-milan-2+2",
            "gpus": "4 x rtx-4090"}}, "job": {"collective": "all_reduce"}})")}) {
    for (const TriedChange& each : explained(job).tried) {
      for (const scenario::Override& change : each.change.overrides) {
        if (!change.pointer.starts_with(prefix)) continue;
        const std::string name = change.pointer.substr(std::string("/job/nccl/").size());
        EXPECT_TRUE(std::ranges::binary_search(names, name)) << name;
        EXPECT_FALSE(collectives::nccl::is_without_effect(name)) << name;
      }
      if (each.change.id == "nccl-variable") {
        EXPECT_NE(each.outcome, scenario::TriedOutcome::kImpossible) << each.change.title;
      }
    }
  }
}

/// They are tried as soon as the model has them: connections of TCP, queue pairs, copy engines.
TEST(NcclChanges, OfTransportsAreThoseOfTheTransportsInUse) {
  const auto names = collectives::nccl::setting_names();
  const auto expected = [&](const std::string& name) {
    return std::ranges::binary_search(names, name) && !collectives::nccl::is_without_effect(name);
  };
  const std::string sockets = "NCCL_SOCKET_NTHREADS";
  const std::string pairs = "NCCL_IB_QPS_PER_CONNECTION";
  const std::string copies = "NCCL_SHM_USE_CUDA_MEMCPY";
  const std::string place = "/job/nccl/";
  const Explained rdma = explained(hosts_with(kNicPerGpu, ""));
  EXPECT_EQ(rdma.tries(place + pairs), expected(pairs));
  EXPECT_FALSE(rdma.tries(place + sockets));
  EXPECT_FALSE(rdma.tries(place + copies));
  const Explained tcp = explained(hosts_with(kNicPerGpu, R"("NCCL_IB_DISABLE": "1")"));
  ASSERT_TRUE(tcp.result.hops_by_transport.contains("TCP"));
  EXPECT_EQ(tcp.tries(place + sockets), expected(sockets));
  EXPECT_FALSE(tcp.tries(place + pairs));
  const Explained staged = explained(R"({"name": "x", "hosts": {"h": {
      "server": "generic-milan-2+2", "gpus": "4 x rtx-4090"}},
      "job": {"collective": "all_reduce", "sizes": ["1 GiB"]}})");
  EXPECT_EQ(staged.tries(place + copies), expected(copies));
}

/// The runner-up is tried: its time is that of the variable.
TEST(NcclChanges, TryTheRunnerUpOfNcclsChoice) {
  const Explained all = explained(hosts_with(kNicPerGpu, ""));
  const auto& point = all.result.collective->points.front();
  ASSERT_TRUE(point.runner_up);
  ASSERT_NE(point.runner_up->algorithm, point.choice->algorithm);
  const std::string name = point.runner_up->algorithm;
  const double other = seconds_of(hosts_with(kNicPerGpu, R"("NCCL_ALGO": ")" + name + "\""));
  const auto change = std::ranges::find_if(all.tried, [](const TriedChange& each) {
    return each.change.overrides.front().pointer == "/job/nccl/NCCL_ALGO";
  });
  ASSERT_NE(change, all.tried.end());
  EXPECT_NEAR(change->after_s, other, 1e-12);
  EXPECT_EQ(change->result.collective->points.front().choice->protocol, point.runner_up->protocol);
}

/// GPUs that share NICs send through the GPU next to one (PXN).
TEST(NcclChanges, OfPxnNeedSeveralNodesAndSharedNics) {
  const char* variable = "/job/nccl/NCCL_PXN_DISABLE";
  const std::string shared = R"("n[0-1]": {"nic": "connectx-7-ndr-400g", "near": "gpu[0-1]"})";
  EXPECT_TRUE(explained(hosts_with(shared, "")).tries(variable));
  EXPECT_FALSE(explained(hosts_with(kNicPerGpu, "")).tries(variable)) << "each GPU has its own";
  EXPECT_TRUE(explained(hosts_with(kNicPerGpu, "", "all_to_all")).tries(variable))
      << "peers on other rails";
  const Explained alone = explained(R"({"name": "x", "hosts": {"h": {"server": "dgx-h100"}},
      "job": {"collective": "all_reduce", "sizes": ["1 GiB"]}})");
  for (const char* of_networks : {variable, "/job/nccl/NCCL_NET_GDR_LEVEL",
                                  "/job/nccl/NCCL_COLLNET_ENABLE", "/job/nccl/NCCL_P2P_LEVEL"}) {
    EXPECT_FALSE(alone.tries(of_networks)) << of_networks;
  }
}

TEST(NcclChanges, OfGpudirectRdmaNeedGpusWithoutIt) {
  const std::string other_socket =
      R"({"name": "x", "hosts": {"h[1-2]": {"server": "hgx-h100-4gpu", "gpus": "4 x h100-sxm5-80gb",
          "nics": {"n0": {"nic": "connectx-7-ndr-400g", "near": "socket1"}}}},
          "fabric": {"kind": "single-switch"},
          "job": {"collective": "all_reduce", "sizes": ["1 GiB"]}})";
  EXPECT_TRUE(explained(other_socket).tries("/job/nccl/NCCL_NET_GDR_LEVEL"));
  EXPECT_FALSE(explained(hosts_with(kNicPerGpu, "")).tries("/job/nccl/NCCL_NET_GDR_LEVEL"));
}

/// A limit in the scenario is raised with the channels, or they would not change.
TEST(NcclChanges, DoubleTheChannelsAndTheirLimit) {
  const Explained all =
      explained(hosts_with(kNicPerGpu, R"("NCCL_ALGO": "Ring", "NCCL_MIN_NCHANNELS": "4",
                                "NCCL_MAX_NCHANNELS": "4")"));
  const auto change = std::ranges::find_if(all.tried, [](const TriedChange& each) {
    return each.change.title.starts_with("8 NCCL channels instead of 4");
  });
  ASSERT_NE(change, all.tried.end());
  EXPECT_EQ(change->change.overrides.size(), 2U);
  EXPECT_EQ(change->result.channels, 8U);
  EXPECT_GT(change->gain(), 0.1) << "four channels do not fill eight NICs";
}

/// A graph file like the result of a failed search: one channel at 0.1 GB/s.
TEST(NcclChanges, TryAnOlderReleaseWhereTheSearchFoundNothing) {
  const input::FileLoader load = [](const std::string& path) {
    return tl::expected<input::SourcePtr, input::Diagnostics>(
        input::make_source(path, R"(<graphs version="1">
          <graph id="0" pattern="4" crossnic="0" nchannels="1" speedintra="0.1" speedinter="0.1"
                 latencyinter="0" typeintra="SYS" typeinter="PIX" samechannels="1">
            <channel><gpu dev="0"/><gpu dev="1"/><gpu dev="2"/><gpu dev="3"/></channel>
          </graph></graphs>)"));
  };
  const auto scenario = [](const std::string& nccl) {
    return R"({"name": "x", "hosts": {"h": {"server": "generic-milan-2+2",
        "gpus": "4 x rtx-4090"}}, "job": {"collective": "all_reduce", "sizes": ["1 GiB"],
        "nccl": {)" +
           nccl + "}}}";
  };
  const std::string graph = R"("NCCL_GRAPH_FILE": "graph.xml")";
  EXPECT_NE(explained(scenario(graph), load).change("nccl-version"), nullptr);
  EXPECT_EQ(explained(scenario(graph + R"(, "version": "2.22.3")"), load).change("nccl-version"),
            nullptr)
      << "it is that release";
  EXPECT_EQ(explained(scenario(""), load).change("nccl-version"), nullptr) << "it found rings";
}

}  // namespace nccl_changes_test
}  // namespace vgsim
