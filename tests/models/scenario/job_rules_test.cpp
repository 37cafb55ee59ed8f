// Requirements of a job that its VMs do not meet: GPUDirect Storage by mode, GPU, guest and
// device.

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "tests/support/scenarios.hpp"

namespace vgsim {
namespace job_rules_test {

/// The rules that refuse a training with GPUDirect Storage on one host.
std::set<std::string> refused(const std::string& gpu, const std::string& vm,
                              const std::string& storage = R"({"read": "6 GB/s"})",
                              const std::string& version = "8.0U3") {
  const auto result = test::run_one(
      R"({"name": "gds", "vsphere": ")" + version +
      R"(", "hosts": {"h": {"server": "generic-1gpu", "gpus": "1 x )" + gpu +
      R"(", "nics": {"n": {"nic": "connectx-6-dx-100g", "near": "gpu0"}}, "storage": )" + storage +
      R"(}}, "vms": {"v": {"host": "h", "guest_topology": "topo_file", )" + vm +
      R"(}}, "job": {"network": "resnet-50", "batch_per_gpu": 8,
             "input": {"decode": "none", "path": "gpudirect_storage"}}})");
  std::set<std::string> rules;
  for (const auto& warning : result.warnings) {
    if (warning.verdict == vsphere::Verdict::kRefused) rules.insert(warning.rule);
  }
  EXPECT_EQ(result.refused, !rules.empty());
  return rules;
}

using Rules = std::set<std::string>;

constexpr const char* kPassed = R"("gpus": {"mode": "passthrough"}, "other_devices": {"nvme": 1})";

// NVIDIA AI Enterprise 7 to 9, GPUDirect; NVIDIA GPUDirect Storage documentation.
TEST(JobRules, GpuDirectStorageNeedsADeviceOfTheGuest) {
  EXPECT_EQ(refused("a100-pcie-80gb", kPassed), Rules{});
  EXPECT_EQ(refused("a100-pcie-80gb", R"("gpus": {"mode": "passthrough"})"),
            Rules{"gds-no-device"});
  const char* nfs = R"({"read": "6 GB/s", "over": "n"})";
  EXPECT_EQ(refused("a100-pcie-80gb",
                    R"("gpus": {"mode": "passthrough"}, "nics": {"n": "vmxnet3"})", nfs),
            Rules{"gds-no-device"});
  EXPECT_EQ(refused("a100-pcie-80gb",
                    R"("gpus": {"mode": "passthrough"}, "nics": {"n": "passthrough"})", nfs),
            Rules{});
}

TEST(JobRules, GpuDirectStorageWithVgpuDependsOnTheGpu) {
  const auto vgpu = [](const std::string& profile) {
    return R"("other_devices": {"nvme": 1}, "gpus": {"mode": "vgpu", "profile": ")" + profile +
           "\"}";
  };
  EXPECT_EQ(refused("a100-pcie-80gb", vgpu("grid_a100d-80c")), Rules{"gds-vgpu-gpu"});
  EXPECT_EQ(refused("h100-pcie-80gb", vgpu("nvidia_h100-80c")), Rules{});
  EXPECT_EQ(refused("a100-pcie-80gb", vgpu("grid_a100d-80c"), R"({"read": "6 GB/s"})", "7.0U1"),
            (Rules{"gds-vgpu-gpu", "gds-vgpu-version"}));
}

TEST(JobRules, GpuDirectStorageNeedsLinuxAndPeerToPeer) {
  EXPECT_EQ(refused("a100-pcie-80gb", std::string(kPassed) + R"(, "guest_os": "windows")"),
            Rules{"gds-guest-os"});
  EXPECT_EQ(refused("a100-pcie-80gb", std::string(kPassed) + R"(, "allow_p2p": false)"),
            Rules{"gds-no-p2p"});
}

}  // namespace job_rules_test
}  // namespace vgsim
