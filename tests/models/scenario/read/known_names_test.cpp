// Scenarios in the words that people type run as those in the catalogue's words do.

#include "models/scenario/read/known_names.hpp"

#include <gmock/gmock.h>

#include "models/scenario/read/layouts.hpp"
#include "tests/support/scenarios.hpp"
#include "topology/input/json_reader.hpp"

namespace vgsim {
namespace known_names_test {

using testing::HasSubstr;
using testing::Not;

std::string scenario_with(const std::string& hosts, const std::string& vms, const std::string& job,
                          const std::string& more = "") {
  return R"({"name": "s", "hosts": {"esx[01-02]": )" + hosts + R"(}, "vms": {"vm[1-2]": )" + vms +
         R"(}, "job": )" + job + more + "}";
}

const std::string kHosts =
    R"({"server": "dell-xe9680", "gpus": "4 x h100-sxm5-80gb",
        "nics": {"vmnic0": {"nic": "connectx-7-ndr-400g", "near": "gpu0"}}})";
const std::string kVms = R"({"host": "esx[01-02]", "gpus": {"mode": "passthrough"}})";
const std::string kJob =
    R"({"network": "llama-3-8b", "iterations_per_epoch": 10, "precision": "bf16",
        "parallel": {"sharding": "zero3"}})";

std::string result_of(const std::string& text) {
  const auto result = test::try_run(text);
  if (!result) return input::render(result.error());
  return result->layouts.front().fingerprint;
}

TEST(TypedWords, ServersGpusAndNicsAreUnderstood) {
  const std::string expected = result_of(scenario_with(kHosts, kVms, kJob));
  for (const char* hosts : {R"({"server": "XE9680", "gpus": "4x h100",
            "nics": {"vmnic0": {"nic": "CX7 NDR 400G", "near": "gpu0"}}})",
                            R"({"server": "Dell PowerEdge XE9680", "gpus": "4 x H100 SXM",
            "nics": {"vmnic0": {"nic": "ConnectX-7 400GbE", "near": "gpu0"}}})",
                            R"({"server": "dell-xe9680", "gpus": "NVIDIA H100 SXM5 80GB x 4",
            "nics": {"vmnic0": {"nic": "ConnectX-7-NDR-400G", "near": "gpu0"}}})"}) {
    EXPECT_EQ(result_of(scenario_with(hosts, kVms, kJob)), expected) << hosts;
  }
}

TEST(TypedWords, NetworksAndSharingAreUnderstood) {
  const std::string expected = result_of(scenario_with(kHosts, kVms, kJob));
  for (const char* job : {R"({"network": "Llama 3 8B", "iterations_per_epoch": 10,
                              "precision": "bf16", "parallel": "fsdp"})",
                          R"({"network": "llama-3-8b", "iterations_per_epoch": 10,
                              "precision": "bf16", "parallel": {"sharding": "fsdp"}})",
                          R"({"network": "LLAMA_3_8B", "iterations_per_epoch": 10,
                              "precision": "bf16", "parallel": "zero3"})"}) {
    EXPECT_EQ(result_of(scenario_with(kHosts, kVms, job)), expected) << job;
  }
}

TEST(TypedWords, DdpIsWhatHoldsWithoutAWord) {
  const std::string job = R"("network": "bert-large", "iterations_per_epoch": 10)";
  const std::string expected = result_of(scenario_with(kHosts, kVms, "{" + job + "}"));
  EXPECT_EQ(result_of(scenario_with(kHosts, kVms, "{" + job + R"(, "parallel": "ddp"})")),
            expected);
}

TEST(TypedWords, ALayoutMayTakeAWordInPlaceOfAnother) {
  const std::string text =
      scenario_with(kHosts, kVms, R"({"network": "llama-3-8b", "iterations_per_epoch": 10,
                                      "precision": "bf16", "recompute": "full",
                                      "parallel": "fsdp"})",
                    R"(, "layouts": {"fsdp": {}, "zero2": {"job": {"parallel": "zero2"}}})");
  const auto result = test::run(text);
  EXPECT_NE(result.layouts[0].fingerprint, result.layouts[1].fingerprint);
}

TEST(TypedWords, WhatMayMeanSeveralThingsIsAnErrorThatListsThem) {
  const std::string hosts = R"({"server": "generic-turin-4+4", "gpus": "4x h100"})";
  const std::string text = result_of(scenario_with(hosts, kVms, kJob));
  EXPECT_THAT(text, HasSubstr("h100-nvl-94gb, h100-pcie-80gb, h100-sxm5-80gb"));
  EXPECT_THAT(result_of(scenario_with(kHosts, kVms, R"({"network": "bert"})")),
              HasSubstr("bert-base, bert-large"));
}

TEST(TypedWords, ATypingErrorStaysOne) {
  const std::string hosts = R"({"server": "dell-xe968", "gpus": "4 x h100-sxm5-80gb"})";
  EXPECT_THAT(result_of(scenario_with(hosts, kVms, kJob)),
              HasSubstr("did you mean \"dell-xe9680\""));
}

TEST(TypedWords, RatesAreUnderstood) {
  const auto with_link = [](const std::string& rate) {
    return result_of(
        scenario_with(kHosts, kVms, kJob,
                      R"(, "fabric": {"kind": "single-switch", "host_link": ")" + rate + "\"}"));
  };
  const std::string expected = with_link("100 Gbit/s");
  for (const char* rate : {"100 Gbps", "100Gbps", "100GbE", "100 GbE", "100 Gb/s", "12.5 GB/s"}) {
    EXPECT_EQ(with_link(rate), expected) << rate;
  }
}

std::string profile_in(const std::string& gpus, const std::string& profile) {
  const std::string text = scenario_with(
      R"({"server": "generic-turin-4+4", "gpus": ")" + gpus + "\"}",
      R"({"host": "esx[01-02]", "gpus": {"mode": "vgpu", "profile": ")" + profile + "\"}}", kJob);
  input::Diagnostics diagnostics;
  const auto layouts = scenario::read_layouts(*input::read_json(input::make_source("s.json", text)),
                                              test::library(), diagnostics);
  if (diagnostics.has_errors()) return input::render(diagnostics);
  const auto* vms = layouts.front().document.value().member("vms");
  return vms->value.member("vm1")->value.member("gpus")->value.member("profile")->value.string();
}

TEST(TypedWords, ProfilesAreUnderstood) {
  EXPECT_EQ(profile_in("4 x a100-pcie-80gb", "A100D-80C"), "grid_a100d-80c");
  EXPECT_EQ(profile_in("4 x a100-pcie-80gb", "GRID A100D-80C"), "grid_a100d-80c");
  EXPECT_EQ(profile_in("4 x h100-pcie-80gb", "3g.40gb"), "nvidia_h100-3-40c");
  EXPECT_EQ(profile_in("4 x a100-pcie-80gb", "grid_a100d-81c"), "grid_a100d-81c");
}

TEST(TypedWords, AMigProfileOnAGpuWithoutMigSaysSo) {
  for (const char* profile : {"3g.24gb", "nvidia_l40s-3-24c"}) {
    const std::string text = profile_in("4 x l40s", profile);
    EXPECT_THAT(text, HasSubstr("MIG-backed, but l40s has no MIG")) << profile;
    EXPECT_THAT(text, Not(HasSubstr("unknown"))) << profile;
  }
}

TEST(Layouts, WhatALayoutTakesAwayIsMissingInTheLayout) {
  const std::string text =
      scenario_with(kHosts, kVms, kJob,
                    R"(, "layouts": {"a": {}, "c": {"hosts": {"esx[01-02]": {"server": null}}}})");
  const auto result = test::try_run(text);
  ASSERT_FALSE(result);
  for (const auto& item : result.error().items()) {
    EXPECT_EQ(item.pointer, "/layouts/c/hosts/esx[01-02]") << item.message;
  }
}

TEST(Layouts, CommentsSayNothing) {
  const std::string commented =
      R"({"$comment": "one", "name": "s", "hosts": {"$comment": "two", "esx[01-02]": )" + kHosts +
      R"(}, "vms": {"vm[1-2]": )" + kVms + R"(}, "job": )" + kJob +
      R"(, "layouts": {"s": {"$comment": "three", "job": {"$comment": "four"}}}})";
  EXPECT_EQ(result_of(commented), result_of(scenario_with(kHosts, kVms, kJob)));
}

}  // namespace known_names_test
}  // namespace vgsim
