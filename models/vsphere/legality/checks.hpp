#pragma once

#include <cstddef>
#include <string>

#include "models/vsphere/legality/judge.hpp"

namespace vgsim::vsphere {

class GuestView;

/// One VM, for the checks.
struct Case {
  const Judged& layout;
  const VirtualMachine& vm;
  const HostInventory& host;
  const GuestView& view;
  Findings& findings;

  void found(std::string_view rule, std::string text,
             std::optional<OperationAnswer> operation = std::nullopt) const {
    findings.add(rule, vm.name, std::move(text), std::move(operation));
  }
  [[nodiscard]] bool has(std::string_view feature) const {
    return layout.facts.versions.has(layout.version, feature);
  }
  [[nodiscard]] bool has_vgpus() const { return vm.mode->takes_profiles && !vm.gpus.empty(); }
  [[nodiscard]] bool has_passthrough() const { return vm.mode->is_passed && !vm.gpus.empty(); }
};

/// NICs that the guest owns as PCI devices: in passthrough, by SR-IOV or Enhanced DirectPath.
[[nodiscard]] std::size_t passed_nics(const VirtualMachine& vm);

/// The rule that disables GPUDirect RDMA for all GPUs of a VM; nothing if it works.
[[nodiscard]] std::optional<Restriction> gpudirect_restriction(const VirtualMachine& vm,
                                                               const HostInventory& host,
                                                               const Versions& versions,
                                                               std::string_view version);

/// The version's limits on devices, CPUs and memory.
void check_limits(const Case& vm);
/// Settings that the VM needs to be powered on.
void check_prerequisites(const Case& vm);
/// Releases of host and guest driver.
void check_drivers(const Case& vm);
/// NVLink and PCIe peer-to-peer of the host that the guest cannot use.
void check_peer_traffic(const Case& vm);
/// Obstacles to GPUDirect RDMA between the VM's NICs and its GPUs.
void check_gpudirect(const Case& vm);
/// vMotion, DRS, HA, suspend and snapshots.
void check_operations(const Case& vm);

/// vGPUs with a total load above 100 % of their GPU.
void check_gpu_demand(const Case& vm);

/// Compares the needs of the VMs on each host, together and each alone, with its CPUs and memory.
void check_host_size(const Judged& layout, Findings& findings);

}  // namespace vgsim::vsphere
