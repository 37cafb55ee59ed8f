#include "models/vsphere/import/direct_path/direct_path_devices.hpp"

#include <gtest/gtest.h>

#include "tests/models/vsphere/import/facts_fixture.hpp"

namespace vgsim::vsphere::import {
namespace direct_path_devices_test {

using testing::shown;

const std::string kAnswer = R"({ "items": [
  { "device": "0000:17:00.0", "info": { "name": "NVIDIA L40S", "current_mode": "DIRECTPATH",
    "configurable_modes": ["NONE", "VGPU_MIXED_SIZE"], "memory_info": { "total_memory": 46068 } } },
  { "device": "dev-2", "info": { "name": "ConnectX-7", "current_mode": "HOST",
    "configurable_modes": ["ENHANCED_DIRECTPATH"] } } ] })";

TEST(DirectPathDevices, DevicesHaveNamesMemoryAndModes) {
  ASSERT_TRUE(is_direct_path_devices(kAnswer));
  const auto reading = testing::read_text(read_direct_path_devices, kAnswer);
  ASSERT_TRUE(reading.ok) << reading.says("");
  const Device& gpu = testing::device_at(reading.host(), "0000:17:00.0");
  EXPECT_EQ(gpu.kind, DeviceKind::kGpu);
  EXPECT_EQ(shown(gpu.name), "NVIDIA L40S");
  EXPECT_EQ(shown(gpu.gpu->memory), std::to_string(46068LL << 20));
  EXPECT_EQ(shown(gpu.passthrough), "true");
  EXPECT_EQ(reading.host().unplaced[1].kind, DeviceKind::kNic);
  EXPECT_EQ(shown(reading.host().unplaced[1].passthrough), "false");
}

TEST(DirectPathDevices, AnAnswerWithoutDevicesIsRefused) {
  const std::string empty = R"({"items": []})";
  EXPECT_FALSE(is_direct_path_devices(empty));
  EXPECT_FALSE(testing::read_text(read_direct_path_devices, empty).ok);
}

}  // namespace direct_path_devices_test
}  // namespace vgsim::vsphere::import
