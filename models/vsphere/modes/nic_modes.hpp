#pragma once

#include <array>
#include <span>
#include <string_view>

#include "models/vsphere/modes/device_limit.hpp"
#include "models/vsphere/spec/vm_spec.hpp"

namespace vgsim::vsphere {

class NicPricing;

/// The path of a VM's NIC to the network.
struct NicCarrier {
  bool is_emulated = false;  ///< an adapter of the hypervisor, over its switch: TCP only
  /// Suffixes of the names of its parameters, after NicMode::parameters.
  std::array<const char*, 4> parameters{};
  /// Sets the costs of a NIC besides its port and TCP; nullptr: none.
  void (*price)(NicPricing& pricing) = nullptr;
};

extern const NicCarrier kPortCarrier;      ///< the card's port itself
extern const NicCarrier kFunctionCarrier;  ///< a function of it: a share of the port, and a latency
extern const NicCarrier kAdapterCarrier;   ///< an adapter that the hypervisor emulates

/// A set of operations.
class Operations {
 public:
  template <class... Operation>
  constexpr explicit Operations(Operation... operations)
      : bits_((0U | ... | (1U << static_cast<unsigned>(operations)))) {}
  [[nodiscard]] constexpr bool has(Operation operation) const {
    return (bits_ & (1U << static_cast<unsigned>(operation))) != 0;
  }

 private:
  unsigned bits_ = 0;
};

/// A kind of NIC of a VM, with its properties. A new mode is a row of nic_modes(), and a new
/// carrier if no existing one fits. Modes are compared by their address.
struct NicMode {
  const char* key;    ///< as scenarios write it; nullptr: no VM can have it
  const char* title;  ///< "SR-IOV"
  const char* given;  ///< how the VM has its NICs: "by SR-IOV"
  const NicCarrier* carrier = &kPortCarrier;
  /// Common prefix of its parameters: "sriov" of "sriov_share"; nullptr: none.
  const char* parameters = nullptr;
  bool is_exclusive = false;    ///< no other VM can use the port
  bool is_passed = false;       ///< a DirectPath device of the VM: needs the IOMMU, reserved memory
  bool reaches_gpus = false;    ///< by DMA, which GPUDirect RDMA needs
  bool needs_sriov = false;     ///< in the BIOS and on the card
  bool loses_ha = false;        ///< for every DirectPath
  bool ties_if_static = false;  ///< to one host, where devices are named by their address
  Operations loses{};           ///< except HA
  bool states_losses = true;  ///< documents state them; otherwise no document states their support
  /// Feature of vSphere that it needs; nullptr: none. Rules FEATURE-version and FEATURE-driver
  /// report it, and the required driver of the vendor.
  const char* feature = nullptr;
  DeviceLimit limit{};      ///< on such NICs of a VM, besides that on DirectPath devices
  bool is_measured = true;  ///< its throughput has been published
  /// The change of all NICs of a job to this mode, and its requirements; nullptr: not tried.
  const char* change = nullptr;
  const char* change_needs = nullptr;
};

/// All of them; the first is that of hosts without a hypervisor.
[[nodiscard]] std::span<const NicMode> nic_modes();

/// Throws std::out_of_range for a key that no mode has.
[[nodiscard]] const NicMode& nic_mode(std::string_view key);

[[nodiscard]] const NicMode& bare_metal_nic();

}  // namespace vgsim::vsphere
