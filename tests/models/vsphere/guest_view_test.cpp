#include "models/vsphere/guest_view.hpp"

#include <gtest/gtest.h>

#include "models/vsphere/spec/device_group.hpp"
#include "tests/support/described_host.hpp"
#include "tests/support/scenarios.hpp"

namespace vgsim::vsphere {
namespace guest_view_test {

using topology::PathClass;

/// Two GPUs under one switch of a server without NVLink, with an RDMA NIC beside the first.
class SwitchedHost : public ::testing::Test {
 protected:
  void SetUp() override {
    input::Diagnostics diagnostics;
    test::add_described_host(topology_, "esx01", R"({
      "server": "asus-esc8000a-e13p", "gpus": "4 x l40s",
      "nics": {"n": {"nic": "connectx-7-ndr-400g", "near": "gpu0"}}})",
                             diagnostics);
    ASSERT_FALSE(diagnostics.has_errors()) << input::render(diagnostics);
    vm_ = bare_metal(topology_, 0);
  }

  PeerAccess access(const GpuMode& mode, GuestTopology guest, bool allow) {
    vm_.mode = &mode;
    vm_.guest_topology = guest;
    vm_.allow_p2p = allow;
    return GuestView(topology_, vm_).peer_access(0, 1);
  }

  topology::Topology topology_;
  VirtualMachine vm_;
};

TEST_F(SwitchedHost, PcieP2pNeedsPassthroughPermissionAndATreeThatNcclSees) {
  using enum GuestTopology;
  EXPECT_EQ(access(bare_metal_gpus(), kTopoFile, true), PeerAccess::kPcie);
  EXPECT_EQ(access(gpu_mode("passthrough"), kTopoFile, true), PeerAccess::kPcie);
  EXPECT_EQ(access(gpu_mode("passthrough"), kTopoFile, false), PeerAccess::kHostStaging);
  EXPECT_EQ(access(gpu_mode("passthrough"), kVnuma, true), PeerAccess::kHostStaging);
  EXPECT_EQ(access(gpu_mode("passthrough"), kFlat, true), PeerAccess::kHostStaging);
  EXPECT_EQ(access(gpu_mode("vgpu"), kTopoFile, true), PeerAccess::kHostStaging);
}

TEST(DeviceGroupTest, NamesAreRead) {
  const auto group = parse_device_group("Nvidia:2@grid_a100d-80c%NVLink");
  ASSERT_TRUE(group);
  EXPECT_EQ(group->gpus, 2U);
  EXPECT_EQ(group->profile, "grid_a100d-80c");
  EXPECT_TRUE(group->nvlink);
  EXPECT_FALSE(parse_device_group("Nvidia:0@grid_a100d-80c%NVLink"));
  EXPECT_FALSE(parse_device_group("grid_a100d-80c"));
}

std::string vm_errors(const std::string& vms) {
  const auto result = test::try_run(R"({"name": "vms", "hosts": {"esx01": {"server": "dell-r750xa",
    "gpus": "4 x a100-pcie-80gb", "nvlink_bridges": [[0, 1], [2, 3]]}},
    "vms": )" + vms + R"(, "job": {"collective": "all_reduce", "sizes": ["1 MB"]}})");
  return result ? "" : input::render(result.error());
}

TEST(AssignmentTest, AGpuBelongsToOneVm) {
  const std::string two = R"({
    "a": {"host": "esx01", "gpus": {"mode": "passthrough", "devices": ["gpu0", "gpu1"]}},
    "b": {"host": "esx01", "gpus": {"mode": "passthrough", "devices": ["gpu1"]}}})";
  EXPECT_NE(vm_errors(two).find("\"gpu1\" is given twice"), std::string::npos);
}

TEST(AssignmentTest, GroupsTakeGpusThatNvLinkJoins) {
  EXPECT_EQ(vm_errors(R"({"a": {"host": "esx01", "nics": {}, "gpus": {"mode": "vgpu",
    "device_groups": ["Nvidia:2@grid_a100d-80c%NVLink", "Nvidia:2@grid_a100d-80c%NVLink"]}}})"),
            "");
}

TEST(AssignmentTest, AVmThatNamesNoGpusHasAllOfItsHost) {
  EXPECT_EQ(vm_errors(R"({"a": {"host": "esx01"}})"), "");
}

TEST(AssignmentTest, ContradictingKeysAreRefused) {
  EXPECT_NE(vm_errors(R"({"a": {"host": "esx01", "gpus": {"mode": "passthrough",
    "devices": ["gpu0"], "count": 3}}})")
                .find("one of \"devices\" and \"count\""),
            std::string::npos);
  EXPECT_NE(vm_errors(R"({"a": {"host": "esx01", "gpus": {"mode": "vgpu",
    "profile": "grid_a100d-81c"}}})")
                .find("did you mean \"grid_a100d-80c\""),
            std::string::npos);
}

TEST(AssignmentTest, ANicInPassthroughBelongsToOneVm) {
  const auto with = [](const char* mode) {
    const std::string vm = R"({"host": "e", "gpus": {"mode": "passthrough", "count": 2},
      "nics": {"n": ")" + std::string(mode) +
                           R"("}})";
    return test::try_run(R"({"name": "nics", "hosts": {"e": {"server": "dell-r750xa",
      "nics": {"n": {"nic": "connectx-6-dx-100g"}}}},
      "vms": {"a": )" + vm +
                         R"(, "b": )" + vm + R"(},
      "job": {"collective": "all_reduce", "sizes": ["1 MB"]}})");
  };
  EXPECT_TRUE(with("sriov"));
  const auto refused = with("passthrough");
  ASSERT_FALSE(refused);
  EXPECT_NE(input::render(refused.error()).find("VM \"a\" has this NIC already"),
            std::string::npos);
}

}  // namespace guest_view_test
}  // namespace vgsim::vsphere
