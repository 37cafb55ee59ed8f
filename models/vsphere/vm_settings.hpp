#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/vsphere/host_settings.hpp"
#include "sim/units.hpp"
#include "topology/input/shape.hpp"
#include "topology/input/value.hpp"

namespace vgsim::vsphere {

/// What an administrator can do with a running VM.
enum class Operation : std::uint8_t { kVmotion, kDrs, kHa, kSuspend, kSnapshot };
inline constexpr Operation kOperations[] = {Operation::kVmotion, Operation::kDrs, Operation::kHa,
                                            Operation::kSuspend, Operation::kSnapshot};

/// "vmotion", "drs", "ha", "suspend", "snapshot".
[[nodiscard]] const char* to_string(Operation operation);

/// What a VM is set to, besides its GPUs and NICs. Nothing where the scenario does not say.
struct VmSettings {
  std::optional<std::int64_t> vcpus;
  std::optional<Bytes> memory;
  std::optional<std::int64_t> hardware_version;
  bool efi = true;
  bool memory_reserved = true;
  bool unified_memory = false;
  bool linux_guest = true;
  std::optional<DriverRelease> guest_driver;
  std::optional<bool> wide_mmio;        ///< pciPassthru.use64bitMMIO
  std::optional<std::int64_t> mmio_gb;  ///< pciPassthru.64bitMMIOSizeGB
  std::size_t other_devices = 0;        ///< PCI devices in passthrough, besides GPUs and NICs
  bool nvme_snap = false;
  std::vector<Operation> required;
  std::optional<SimTime> stun_limit;
  std::optional<double> gpu_load;  ///< share of time that it has work for its vGPUs
  std::int64_t power_on = 0;       ///< VMs of a lower number are powered on before
};

/// The keys of a VM in a scenario that this is read from.
[[nodiscard]] std::vector<input::Field> vm_settings_fields();

/// Reads them from a VM that has been checked.
[[nodiscard]] VmSettings read_vm_settings(const input::Value& vm);

}  // namespace vgsim::vsphere
