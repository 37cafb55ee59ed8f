#pragma once

#include <array>
#include <span>
#include <string_view>

#include "models/vsphere/modes/device_limit.hpp"
#include "models/vsphere/spec/vm_spec.hpp"

namespace vgsim::vsphere {

class NicPricing;

/// What carries the traffic of a VM's NIC.
struct NicCarrier {
  bool is_emulated = false;  ///< an adapter of the hypervisor, over its switch: TCP alone
  /// Ends of the names of the model's parameters that it needs, after NicMode::parameters.
  std::array<const char*, 4> parameters{};
  /// Fills in what a NIC costs besides its port, and TCP; nullptr: nothing.
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

/// A way in which a VM gets a NIC, and all that follows from it. A new one is a row of nic_modes(),
/// and a carrier if it works as no other does. Modes are compared by their address.
struct NicMode {
  const char* key;    ///< as scenarios write it; nullptr: no VM can have it
  const char* title;  ///< "SR-IOV"
  const char* given;  ///< how the VM has its NICs: "by SR-IOV"
  const NicCarrier* carrier = &kPortCarrier;
  /// Of the model's parameters, their common beginning: "sriov" of "sriov_share"; nullptr: none.
  const char* parameters = nullptr;
  bool is_exclusive = false;    ///< no other VM can use the port
  bool is_passed = false;       ///< a DirectPath device of the VM: needs the IOMMU, reserved memory
  bool reaches_gpus = false;    ///< by DMA, which GPUDirect RDMA needs
  bool needs_sriov = false;     ///< in the BIOS and on the card
  bool loses_ha = false;        ///< however devices are named
  bool ties_if_static = false;  ///< to one host, where devices are named by their address
  Operations loses{};           ///< but for HA
  /// Of vSphere, that has it; nullptr: all versions do. Rules FEATURE-version and FEATURE-driver
  /// say so, and that the vendor's driver must take part.
  const char* feature = nullptr;
  DeviceLimit limit{};      ///< on such NICs of a VM, besides that on DirectPath devices
  bool is_measured = true;  ///< somebody has published what it carries
  /// The change that gives all NICs of a job this mode, and what it needs; nullptr: none is tried.
  const char* change = nullptr;
  const char* change_needs = nullptr;
};

/// All of them; the first is that of hosts without a hypervisor.
[[nodiscard]] std::span<const NicMode> nic_modes();

/// Throws std::out_of_range for a key that no mode has.
[[nodiscard]] const NicMode& nic_mode(std::string_view key);

[[nodiscard]] const NicMode& bare_metal_nic();

}  // namespace vgsim::vsphere
