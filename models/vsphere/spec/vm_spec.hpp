#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/vsphere/spec/device_group.hpp"
#include "models/vsphere/spec/host_settings.hpp"
#include "sim/units.hpp"
#include "topology/input/origin.hpp"

namespace vgsim::vsphere {

struct GpuMode;
struct NicMode;

/// How a VM in passthrough names its devices: by their address in one host, by vendor and label on
/// any host (Assignable Hardware), or not said.
enum class DirectPath { kUnspecified, kStatic, kDynamic };
enum class GuestTopology { kFlat, kVnuma, kTopoFile };

/// What an administrator can do with a running VM.
enum class Operation : std::uint8_t { kVmotion, kDrs, kHa, kSuspend, kSnapshot };
inline constexpr Operation kOperations[] = {Operation::kVmotion, Operation::kDrs, Operation::kHa,
                                            Operation::kSuspend, Operation::kSnapshot};

/// "vmotion", "drs", "ha", "suspend", "snapshot".
[[nodiscard]] const char* to_string(Operation operation);

/// The advanced settings of a VM that matter here.
struct AdvancedSettings {
  std::optional<bool> wide_mmio;        ///< pciPassthru.use64bitMMIO
  std::optional<std::int64_t> mmio_gb;  ///< pciPassthru.64bitMMIOSizeGB
  bool p2p_off = false;  ///< pciPassthru.allowP2P or RelaxACSforP2P is anything but TRUE
};

/// PCI devices in passthrough, besides GPUs and NICs, by kind.
struct OtherDevices {
  std::int64_t nvme = 0;
  std::int64_t fpga = 0;
  std::int64_t nvme_snap = 0;
  std::int64_t other = 0;

  [[nodiscard]] std::int64_t count() const { return nvme + fpga + nvme_snap + other; }
};

/// What a VM is set to, besides its GPUs and NICs. Nothing where the scenario does not say.
struct VmSettings {
  std::optional<std::int64_t> vcpus;
  std::optional<Bytes> memory;
  std::optional<std::int64_t> hardware_version;
  bool efi{};
  bool memory_reserved{};
  bool unified_memory{};
  bool linux_guest{};
  std::optional<DriverRelease> guest_driver;
  AdvancedSettings advanced;
  OtherDevices other_devices;
  std::vector<Operation> required;
  std::optional<DirectPath> direct_path;  ///< of its NICs and other devices
  std::optional<Bytes> framebuffer_used;  ///< of each of its vGPUs; nothing for all
  Bytes framebuffer_static{};             ///< of that, what the guest does not change
  std::optional<SimTime> stun_limit;
  std::optional<double> gpu_load;    ///< share of time that it has work for its vGPUs
  std::optional<SimTime> gpu_burst;  ///< for how long at a stretch
  std::int64_t power_on = 0;         ///< VMs of a lower number are powered on before
};

/// The GPUs that a scenario gives to a VM.
struct GpusSpec {
  const GpuMode* mode = nullptr;
  std::optional<std::vector<input::At<std::string>>> devices;  ///< names of GPUs
  std::optional<input::At<std::int64_t>> count;
  std::optional<input::At<std::string>> profile;  ///< of what is in no group
  std::optional<input::At<std::vector<input::At<DeviceGroup>>>> device_groups;
};

/// Where the process runs that uses the GPUs of a VM over the network (remote GPUs).
struct RemoteClient {
  std::string host;
  std::optional<std::string> nic;         ///< of that host; nothing: its first
  std::optional<std::string> server_nic;  ///< of the host with the GPUs; nothing: its first
};

/// What a scenario says of one virtual machine.
struct VmSpec {
  std::optional<input::At<std::string>> host;
  std::optional<GpusSpec> gpus;
  std::optional<std::vector<input::Named<const NicMode*>>> nics;
  input::At<GuestTopology> guest_topology;
  input::At<bool> allow_p2p;
  std::optional<RemoteClient> remote_client;
  VmSettings settings;
};

}  // namespace vgsim::vsphere
