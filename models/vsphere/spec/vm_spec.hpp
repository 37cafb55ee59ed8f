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
/// any host (Assignable Hardware), or unset.
enum class DirectPath { kUnspecified, kStatic, kDynamic };
enum class GuestTopology { kFlat, kVnuma, kTopoFile };

/// Operations of an administrator on a running VM.
enum class Operation : std::uint8_t { kVmotion, kDrs, kHa, kSuspend, kSnapshot, kFaultTolerance };
/// Operations checked for every VM; others are checked where they are required.
inline constexpr Operation kOperations[] = {Operation::kVmotion, Operation::kDrs, Operation::kHa,
                                            Operation::kSuspend, Operation::kSnapshot};

/// "vmotion", "drs", "ha", "suspend", "snapshot", "fault_tolerance".
[[nodiscard]] const char* to_string(Operation operation);
/// "vMotion", "DRS", "HA", "suspend", "snapshots", "Fault Tolerance".
[[nodiscard]] const char* title_of(Operation operation);

/// The advanced settings of a VM that matter here.
struct AdvancedSettings {
  std::optional<bool> wide_mmio;        ///< pciPassthru.use64bitMMIO
  std::optional<std::int64_t> mmio_gb;  ///< pciPassthru.64bitMMIOSizeGB
  bool p2p_off = false;  ///< pciPassthru.allowP2P or RelaxACSforP2P is anything but TRUE

  std::vector<std::int64_t> node_affinity;       ///< numa.nodeAffinity; empty: any node
  std::vector<std::int64_t> cpu_affinity;        ///< sched.cpu.affinity; empty: any
  bool prefer_ht = false;                        ///< numa.vcpu.preferHT
  bool spread = false;                           ///< numa.consolidate is FALSE
  bool exclusive_cores = false;                  ///< sched.cpu.latencySensitivity is high
  std::optional<std::int64_t> vnuma_min;         ///< numa.vcpu.min
  std::optional<std::int64_t> max_per_node;      ///< the least of numa.vcpu.maxPer*
  std::optional<std::int64_t> cores_per_socket;  ///< cpuid.coresPerSocket
  std::vector<input::Named<std::string>> given;  ///< all of them, in lower case
};

/// PCI devices in passthrough, besides GPUs and NICs, by kind.
struct OtherDevices {
  std::int64_t nvme = 0;
  std::int64_t fpga = 0;
  std::int64_t nvme_snap = 0;
  std::int64_t other = 0;

  [[nodiscard]] std::int64_t count() const { return nvme + fpga + nvme_snap + other; }
};

/// Settings of the cluster and its vCenter; empty where the scenario does not state them.
struct ClusterSettings {
  /// Advanced options of DRS.
  std::optional<std::int64_t> passthrough_drs_automation;
  std::optional<std::int64_t> lb_max_vmotion_per_host;
  std::optional<SimTime> stun_time_tolerated;           ///< VmDevicesStunTimeTolerated
  std::optional<std::int64_t> vgpu_evacuation_timeout;  ///< VgpuMMAutomationTimeoutSecs
  std::optional<bool> hot_migrate;                      ///< vgpu.hotmigrate.enabled of vCenter
};

/// Settings of a VM besides its GPUs and NICs; empty where the scenario does not state them.
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
  Bytes framebuffer_static{};             ///< part of it that the guest does not change
  std::optional<SimTime> stun_limit;
  std::optional<double> gpu_load;    ///< share of time in which it uses its vGPUs, 0 to 1
  std::optional<SimTime> gpu_burst;  ///< length of each burst of work
  bool cpu_hot_add{};                ///< vCPUs can be added while it runs
  std::int64_t power_on = 0;         ///< VMs of a lower number are powered on before
};

/// The GPUs that a scenario gives to a VM.
struct GpusSpec {
  const GpuMode* mode = nullptr;
  std::optional<std::vector<input::At<std::string>>> devices;  ///< names of GPUs
  std::optional<input::At<std::int64_t>> count;
  std::optional<input::At<std::string>> label;    ///< hardware label that the GPUs must have
  std::optional<input::At<std::string>> profile;  ///< of vGPUs outside groups
  /// Profiles of several vGPUs, one entry each.
  std::optional<std::vector<input::At<std::string>>> profiles;
  std::optional<input::At<std::vector<input::At<DeviceGroup>>>> device_groups;
};

/// Where the process runs that uses the GPUs of a VM over the network (remote GPUs).
struct RemoteClient {
  std::string host;
  std::optional<std::string> nic;         ///< of that host; nothing: its first
  std::optional<std::string> server_nic;  ///< of the host with the GPUs; nothing: its first
  double gpu_memory = 1.0;                ///< its share of the memory of each GPU
  std::int64_t busy_clients = 0;          ///< others that compute on the same GPUs
};

/// One virtual machine of a scenario.
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
