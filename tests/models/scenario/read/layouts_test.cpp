#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/scenarios.hpp"

namespace vgsim {
namespace layouts_test {

const char* const kBase = R"({"name": "layouts", "hosts": {"esx[1-2]": {"server": "dell-xe9680",
  "gpus": "8 x h100-sxm5-80gb",
  "nics": {"ib[0-7]": {"nic": "connectx-7-ndr-400g", "near": "gpu[0-7]"}}}},
  "vms": {"vm[1-2]": {"host": "esx[1-2]", "gpus": {"mode": "passthrough"},
                      "guest_topology": "topo_file", "allow_p2p": true}},
  "job": {"collective": "all_reduce", "sizes": ["1 GiB"]}, "layouts": )";

scenario::ScenarioResult with_layouts(const std::string& layouts) {
  return test::run(kBase + layouts + "}");
}

double busbw(const scenario::LayoutResult& layout) {
  return layout.collective->points.at(0).busbw_GBps;
}

TEST(Layouts, AnEmptyPatchIsTheBase) {
  const auto result = with_layouts(R"({"a": {}, "b": {}})");
  EXPECT_EQ(result.layouts.at(0).fingerprint, result.layouts.at(1).fingerprint);
  EXPECT_EQ(result.layouts.at(1).name, "b");
}

TEST(Layouts, AFlatGuestLosesGpudirectRdmaUnlessItIsGivenATopologyFile) {
  const auto result =
      with_layouts(R"({"file": {}, "flat": {"vms": {"vm[1-2]": {"guest_topology": "flat"}}}})");
  EXPECT_LT(busbw(result.layouts.at(1)), busbw(result.layouts.at(0)));
  const auto warns = [](const scenario::LayoutResult& layout) {
    return std::any_of(layout.warnings.begin(), layout.warnings.end(), [](const auto& warning) {
      return warning.rule == "flat-guest-hides-gpudirect-rdma";
    });
  };
  EXPECT_TRUE(warns(result.layouts.at(1)));
  EXPECT_FALSE(warns(result.layouts.at(0)));
}

TEST(Layouts, APatchForOneNameOfARangeLeavesTheOthers) {
  const auto result = with_layouts(
      R"({"all": {}, "one slow": {"hosts": {"esx2": {"nics": {"ib[0-7]": {"nic": "connectx-5-edr-100g"}}}}}})");
  EXPECT_LT(busbw(result.layouts.at(1)), busbw(result.layouts.at(0)));
}

TEST(Layouts, NullTakesAwayWhatTheBaseGives) {
  const auto result =
      with_layouts(R"({"eight": {}, "one": {"hosts": {"esx[1-2]": {"nics": {"ib[1-7]": null}}}}})");
  EXPECT_GT(busbw(result.layouts.at(0)), 4 * busbw(result.layouts.at(1)));
}

TEST(Layouts, ARingIsFoundHoweverManyOfItsHopsShareOneLink) {
  // Eight vGPUs on one socket's memory, without NVLink: fourteen crossings of it in one ring.
  const auto result = test::run(R"({"name": "crowded", "hosts": {"e[1-2]": {"server": "dell-xe9680",
    "nics": {"n": {"nic": "connectx-7-ndr-400g", "near": "gpu0"}}}},
    "vms": {"v[1-2]": {"host": "e[1-2]", "guest_topology": "topo_file",
                       "gpus": {"mode": "vgpu", "profile": "nvidia_h100xm-80c"}}},
    "job": {"collective": "all_reduce", "sizes": ["1 GiB"]}})");
  EXPECT_GT(busbw(result.layouts.at(0)), 1.0);
}

TEST(Layouts, VgpuWithTheSameViewIsAsFastAsPassthrough) {
  const auto result = with_layouts(
      R"({"passthrough": {}, "vgpu": {"vms": {"vm[1-2]": {"unified_memory": true, "gpus": {"mode": "vgpu",
          "device_groups": ["Nvidia:8@nvidia_h100xm-80c%NVLink"]}}}}})");
  EXPECT_EQ(result.layouts.at(0).fingerprint, result.layouts.at(1).fingerprint);
}

}  // namespace layouts_test
}  // namespace vgsim
