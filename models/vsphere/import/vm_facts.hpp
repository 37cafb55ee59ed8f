#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/vsphere/import/table/host_table.hpp"
#include "sim/units.hpp"
#include "topology/machine/inventory.hpp"

/// Facts of VMs and of their hosts from files of vSphere, each value with its source file.
namespace vgsim::vsphere::import {

using topology::inventory::Device;
using topology::inventory::DeviceKind;
using topology::inventory::Gpu;
using topology::inventory::Inventory;
using topology::inventory::kAssumed;
using topology::inventory::Maybe;
using topology::inventory::NumaNode;
using topology::inventory::Port;
using topology::inventory::Stated;

enum class PciKind : std::uint8_t {
  kPassthrough,         ///< DirectPath I/O: a device of one host, by its bus id
  kDynamicPassthrough,  ///< Dynamic DirectPath I/O: any device of these ids
  kVgpu,                ///< a vGPU of a profile
  kSriov,               ///< a virtual function as a network adapter
  kDvx,                 ///< a device of a vendor's class (Device Virtualization Extensions)
};

/// A PCI device of a VM. Members that its kind does not have are empty.
struct VmPciDevice {
  PciKind kind = PciKind::kPassthrough;
  std::string label;          ///< as the file names it: "pciPassthru0", "PCI device 0"
  Maybe<std::string> bus_id;  ///< of the host's device, normalized; of kSriov the physical function
  Maybe<std::string> vendor;  ///< hex, four digits: "10de"
  Maybe<std::string> device;  ///< hex, four digits
  std::vector<std::string> allowed;  ///< of kDynamicPassthrough: "10de:20f1"
  Maybe<std::string> custom_label;   ///< of kDynamicPassthrough: assignable-hardware label
  Maybe<std::string> profile;        ///< of kVgpu: "grid_a100d-80c"
  Maybe<std::string> device_class;   ///< of kDvx
  Maybe<std::int64_t> group;         ///< instance of the device group that it came with
  Maybe<std::string> network;        ///< of kSriov: port group
};

/// A virtual network adapter.
struct VmAdapter {
  std::string label;           ///< "ethernet0", "Network adapter 1"
  Maybe<std::string> type;     ///< "vmxnet3", "e1000e", "pvrdma", "sriov"
  Maybe<std::string> network;  ///< port group
};

struct VmFacts {
  Maybe<std::string> name;
  Maybe<std::string> host;     ///< name of the host that runs it
  Maybe<std::string> host_id;  ///< its id in vSphere, "host-25", where the file has no name
  Maybe<bool> powered_on;
  Maybe<std::int64_t> vcpus;
  Maybe<std::int64_t> cores_per_socket;
  Maybe<Bytes> memory;
  Maybe<bool> memory_reserved;  ///< all of it
  Maybe<std::int64_t> hardware_version;
  Maybe<std::string> firmware;  ///< "efi", "bios"
  Maybe<std::string> guest_os;  ///< as in the file: "ubuntu64Guest", "Ubuntu Linux (64-bit)"
  Maybe<std::string> latency_sensitivity;  ///< "normal", "high"
  Maybe<std::string> numa_affinity;        ///< numa.nodeAffinity: "0,1"
  Maybe<std::int64_t> vcpus_per_numa_node;
  Maybe<bool> allow_p2p;        ///< pciPassthru.allowP2P
  Maybe<bool> relax_acs;        ///< pciPassthru.RelaxACSforP2P, in any of its spellings
  Maybe<bool> wide_mmio;        ///< pciPassthru.use64bitMMIO
  Maybe<std::int64_t> mmio_gb;  ///< pciPassthru.64bitMMIOSizeGB
  Maybe<bool> unified_memory;   ///< pciPassthruN.cfg.enable_uvm of any of its vGPUs
  std::map<std::string, Stated<std::string>>
      advanced;  ///< further settings that concern its devices
  std::vector<VmPciDevice> pci;
  std::vector<VmAdapter> adapters;
  std::map<std::int64_t, Stated<std::string>>
      device_groups;  ///< by instance: "Nvidia:2@...%NVLink"
};

/// The facts of one file.
struct VsphereFacts {
  std::vector<Inventory> hosts;
  std::vector<VmFacts> vms;
  std::vector<PlannedHosts> planned;
  std::vector<std::string> assumed;  ///< sentences: inferred facts and their sources
  std::vector<std::string> skipped;  ///< sentences: omitted parts and the reasons
  input::Diagnostics warnings;
};

}  // namespace vgsim::vsphere::import
