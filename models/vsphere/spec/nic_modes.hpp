#pragma once

#include <cstdint>
#include <span>

#include "models/vsphere/spec/vm_spec.hpp"

namespace vgsim::vsphere {

/// What carries the traffic of a VM's NIC (nic_costs.cpp has the mechanisms).
enum class NicCarrier : std::uint8_t {
  kPort,      ///< the card's port itself
  kFunction,  ///< a function of it: a share of the port, and a latency
  kAdapter    ///< an adapter that the hypervisor emulates, over its switch: TCP alone
};

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
/// and a carrier if it works as no other does.
struct NicModeFacts {
  NicMode mode;
  const char* key;    ///< as scenarios write it; nullptr: no VM can have it
  const char* title;  ///< "SR-IOV"
  NicCarrier carrier = NicCarrier::kPort;
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
  bool is_measured = true;  ///< somebody has published what it carries
  /// The change that gives all NICs of a job this mode, and what it needs; nullptr: none is tried.
  const char* change = nullptr;
  const char* change_needs = nullptr;
};

/// All of them, in the order of NicMode.
[[nodiscard]] std::span<const NicModeFacts> nic_modes();

[[nodiscard]] const NicModeFacts& facts_of(NicMode mode);

}  // namespace vgsim::vsphere
