// Which NVLinks the vGPUs and GPUs of a VM use.

#include "models/vsphere/nvlink.hpp"

#include <gtest/gtest.h>

#include <string>

#include "tests/support/scenarios.hpp"

namespace vgsim {
namespace nvlink_test {

const std::string kBridged = R"("e": {"server": "dell-r750xa", "gpus": "4 x a100-pcie-80gb",
    "nvlink_bridges": [[0, 1], [2, 3]]})";
const std::string kMesh = R"("e": {"server": "dell-xe8545", "gpus": "4 x a100-sxm4-80gb"})";
const std::string kBoard = R"("e": {"server": "dell-xe9680", "gpus": "8 x h100-sxm5-80gb"})";

scenario::LayoutResult layout_of(const std::string& host, const std::string& vm,
                                 const std::string& vsphere = "8.0U3") {
  return test::run_one(R"({"name": "nvlink", "vsphere": ")" + vsphere + R"(", "hosts": {)" + host +
                       R"(}, "vms": {"a": {"host": "e", "nics": {}, "guest_topology": "topo_file",
                       )" +
                       vm + R"(}}, "job": {"collective": "all_reduce", "sizes": ["256 MB"]}})");
}

double bus_bandwidth(const std::string& host, const std::string& vm,
                     const std::string& vsphere = "8.0U3") {
  return layout_of(host, vm, vsphere).collective->points.front().busbw_GBps;
}

std::string note_of(const scenario::LayoutResult& layout) {
  for (const auto& warning : layout.warnings) {
    if (warning.rule == "vgpu-nvlink-not-placed") return warning.text;
  }
  return "";
}

const char* const kFourVgpus =
    R"("gpus": {"mode": "vgpu", "count": 4, "profile": "grid_a100dx-80c"})";
const char* const kGroupOfFour =
    R"("gpus": {"mode": "vgpu", "device_groups": ["Nvidia:4@grid_a100dx-80c%NVLink"]})";

TEST(NvLink, FourVgpusOfAMeshAreAsFastWithoutAGroup) {
  EXPECT_DOUBLE_EQ(bus_bandwidth(kMesh, kFourVgpus), bus_bandwidth(kMesh, kGroupOfFour));
  EXPECT_GT(bus_bandwidth(kMesh, kFourVgpus), 100.0) << "12 links of 25 GB/s a GPU";
}

TEST(NvLink, TwoGpusOfTwoBridgedPairsAreJoinedOnceInThree) {
  // Of the six pairs among four GPUs two are bridged.
  const auto by_count =
      layout_of(kBridged, R"("gpus": {"mode": "vgpu", "count": 2, "profile": "grid_a100d-80c"})");
  EXPECT_NE(note_of(by_count).find("33 %"), std::string::npos) << note_of(by_count);
  // Of the four triples each has one bridged pair, and all four GPUs have both.
  for (const char* count : {"3", "4"}) {
    const auto more =
        layout_of(kBridged, R"("gpus": {"mode": "vgpu", "count": )" + std::string(count) +
                                R"(, "profile": "grid_a100d-80c"})");
    EXPECT_EQ(note_of(more), "") << count;
  }
}

TEST(NvLink, NamedGpusThatNoBridgeJoinsCopyThroughTheHost) {
  const auto vm = [](const char* gpus) {
    return R"("gpus": {"mode": "vgpu", "devices": )" + std::string(gpus) +
           R"(, "profile": "grid_a100d-80c"})";
  };
  EXPECT_GT(bus_bandwidth(kBridged, vm(R"(["gpu0", "gpu1"])")),
            2 * bus_bandwidth(kBridged, vm(R"(["gpu0", "gpu2"])")));
}

TEST(NvLink, APairThatAnotherVmHoldsForGoodIsNotCounted) {
  const auto result = test::run_one(R"({"name": "nvlink", "vsphere": "8.0U3", "hosts": {)" +
                                    kBridged + R"(}, "vms": {
      "a": {"host": "e", "nics": {}, "gpus": {"mode": "vgpu",
            "device_groups": ["Nvidia:2@grid_a100d-80c%NVLink"]}},
      "b": {"host": "e", "nics": {}, "gpus": {"mode": "vgpu", "count": 2,
            "profile": "grid_a100d-80c"}}},
      "job": {"collective": "all_reduce", "sizes": ["1 MB"], "vms": "a"}})");
  EXPECT_EQ(note_of(result), "") << "only the other bridged pair is left";
}

TEST(NvLink, AGroupOnAnNvSwitchBoardHasItAndSingleVgpusDoNot) {
  const double group = bus_bandwidth(
      kBoard,
      R"("gpus": {"mode": "vgpu", "device_groups": ["Nvidia:4@nvidia_h100xm-80c%NVLink"]})");
  const double single = bus_bandwidth(
      kBoard, R"("gpus": {"mode": "vgpu", "count": 4, "profile": "nvidia_h100xm-80c"})");
  EXPECT_GT(group, 10 * single);
}

TEST(NvLink, TwoGroupsOfAnNvSwitchBoardMeetInHostMemory) {
  // vGPUs have no peer-to-peer over PCIe, and a device group no NVLink beyond it.
  const auto gpus = [](const char* what) {
    return R"("gpus": {"mode": "vgpu", )" + std::string(what) + "}";
  };
  const std::string four = R"("Nvidia:4@nvidia_h100xm-80c%NVLink")";
  const auto two_groups =
      layout_of(kBoard, gpus((R"("device_groups": [)" + four + ", " + four + "]").c_str()));
  EXPECT_EQ(two_groups.hops_by_transport.count("PCIe peer-to-peer"), 0U);
  EXPECT_EQ(two_groups.hops_by_transport.count("PCIe peer-to-peer through the root complex"), 0U);
  EXPECT_EQ(two_groups.hops_by_transport.at("host memory"), 2U);
  EXPECT_EQ(two_groups.hops_by_transport.at("NVLink"), 6U);
  const double singles =
      bus_bandwidth(kBoard, gpus(R"("count": 8, "profile": "nvidia_h100xm-80c")"));
  const double one_group =
      bus_bandwidth(kBoard, gpus(R"("device_groups": ["Nvidia:8@nvidia_h100xm-80c%NVLink"])"));
  const double busbw = two_groups.collective->points.front().busbw_GBps;
  EXPECT_GE(busbw, singles * 0.999);
  EXPECT_LT(busbw, one_group / 2) << "two hops of the ring are not over NVLink";
}

TEST(NvLink, NoVgpuHasPeerToPeerOverPcie) {
  const char* const whole = R"("gpus": {"mode": "vgpu", "count": 4, "profile": "grid_a100d-80c"})";
  const char* const slices =
      R"("gpus": {"mode": "vgpu", "count": 4, "profile": "grid_a100d-3-40c"})";
  for (const std::string& host :
       {kBridged,
        std::string(R"("e": {"server": "dell-dss8440", "gpus": "8 x a100-pcie-80gb"})")}) {
    for (const char* vm : {whole, slices}) {
      const auto layout = layout_of(host, vm + std::string(R"(, "allow_p2p": true)"));
      for (const auto& [transport, hops] : layout.hops_by_transport) {
        EXPECT_EQ(transport.find("PCIe"), std::string::npos) << vm << ": " << hops << transport;
      }
    }
  }
}

TEST(NvLink, APartOfABoardInPassthroughIsTakenToHaveNone) {
  const auto vm = [](int count) {
    return R"("gpus": {"mode": "passthrough", "count": )" + std::to_string(count) + "}";
  };
  EXPECT_GT(bus_bandwidth(kBoard, vm(8), "9.0"), 300.0);
  for (const int count : {2, 4, 7}) {
    EXPECT_LT(bus_bandwidth(kBoard, vm(count), "9.0"), 60.0) << count;
  }
}

TEST(NvLink, UnifiedMemoryTakesItFromA100AndNotFromH100) {
  const std::string unified = R"("unified_memory": true, )";
  EXPECT_LT(bus_bandwidth(kMesh, unified + kGroupOfFour), bus_bandwidth(kMesh, kGroupOfFour) / 5);
  const std::string eight =
      R"("gpus": {"mode": "vgpu", "device_groups": ["Nvidia:8@nvidia_h100xm-80c%NVLink"]})";
  // Multicast, and so NVLS, comes with it: NCCL's own tests show 480 and 360 GB/s on an H100 board.
  EXPECT_GT(bus_bandwidth(kBoard, unified + eight), 1.2 * bus_bandwidth(kBoard, eight));
}

}  // namespace nvlink_test
}  // namespace vgsim
