#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/vsphere/facts/versions.hpp"
#include "models/vsphere/modes/device_limit.hpp"
#include "models/vsphere/spec/vm_spec.hpp"

namespace vgsim::vsphere {

struct GpuSharing;
struct HostInventory;
struct VirtualMachine;

/// A rule that disables a feature for all GPUs of a VM, and the reason.
struct Restriction {
  std::string_view rule;  ///< its id
  std::string text;
  bool always_reported = false;  ///< also where the host lacks the feature
};

/// By GPU of a VM: those with the same number use the NVLinks between them.
using NvlinkReach = std::vector<std::optional<std::size_t>>;

/// A kind of GPUs of a VM, with its properties. A new mode is a row of gpu_modes() and its
/// mechanism: the functions that the row names. Modes are compared by their address.
struct GpuMode {
  const char* key;            ///< as scenarios write it; nullptr: no VM can have it
  const char* title;          ///< as results name it
  const char* given;          ///< how the VM has its GPUs: "in passthrough"
  const char* meaning;        ///< its documentation; nullptr: another mode documents it
  const GpuSharing* sharing;  ///< of its GPUs
  const GpuSharing* mig_sharing = nullptr;  ///< of MIG-backed profiles; nullptr: the same
  DirectPath direct_path = DirectPath::kUnspecified;
  bool is_virtual = true;              ///< of a VM: the host's GPUs and IOMMU are the hypervisor's
  bool is_passed = false;              ///< DirectPath devices of the VM, without vMotion and DRS
  bool takes_profiles = false;         ///< each GPU is a vGPU of a profile; device groups hold them
  bool is_exclusive = false;           ///< no other VM can use the GPU
  bool needs_sriov = false;            ///< in the BIOS, with GPUs of Ampere or newer
  bool wants_unified = false;          ///< NVSwitches reduce for it only with unified memory
  DeviceLimit limit{};                 ///< on such GPUs of a VM, besides that on DirectPath devices
  const char* no_pcie_rule = nullptr;  ///< rule against peer-to-peer over PCIe; nullptr: it works
  const char* no_pcie_text = nullptr;
  /// The improvement that replaces vGPUs by this mode, and its requirements; nullptr: not tried.
  const char* change = nullptr;
  const char* change_needs = nullptr;

  /// The reason why an operation that its other devices allow is unavailable; nullptr: all are
  /// available.
  std::optional<std::string> (*lacks)(const VirtualMachine& vm, Operation operation,
                                      const Versions& versions, std::string_view version) = nullptr;
  /// The rule that disables NVLink for all GPUs of a VM; nullptr: none.
  std::optional<Restriction> (*nvlink_restriction)(const VirtualMachine& vm,
                                                   const HostInventory& host,
                                                   const Versions& versions,
                                                   std::string_view version) = nullptr;
  /// The GPUs that NVLink connects if no restriction applies; nullptr: all.
  NvlinkReach (*nvlink_reach)(const VirtualMachine& vm, const HostInventory& host) = nullptr;
  /// The rule that disables GPUDirect RDMA for all GPUs of a VM; nullptr: none.
  std::optional<Restriction> (*gpudirect_restriction)(const VirtualMachine& vm,
                                                      const HostInventory& host,
                                                      const Versions& versions,
                                                      std::string_view version) = nullptr;

  [[nodiscard]] bool has_pcie_peers() const { return no_pcie_rule == nullptr; }
};

/// All of them; the first is that of hosts without a hypervisor.
[[nodiscard]] std::span<const GpuMode> gpu_modes();

/// Throws std::out_of_range for a key that no mode has.
[[nodiscard]] const GpuMode& gpu_mode(std::string_view key);

[[nodiscard]] const GpuMode& bare_metal_gpus();

/// The mode of a VM's GPUs where the scenario does not state it.
[[nodiscard]] const GpuMode& default_gpu_mode();

}  // namespace vgsim::vsphere
