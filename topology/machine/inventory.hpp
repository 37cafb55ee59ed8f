#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/units.hpp"
#include "topology/graph/pcie_width.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/source_file.hpp"
#include "topology/machine/chosen_graph.hpp"

/// The facts in dumps of a machine, each with its source file.
///
/// An importer reads one file into an Inventory; merge() combines those of one host; facts that no
/// file states stay unknown. The catalogue is not used here.
namespace vgsim::topology::inventory {

/// A value and the path of its source file ("assumed" if it was inferred).
template <class T>
struct Stated {
  T value{};
  std::string source;

  friend bool operator==(const Stated& a, const Stated& b) { return a.value == b.value; }
};

/// Nothing if no file states it.
template <class T>
using Maybe = std::optional<Stated<T>>;

/// Source of inferred values; each has a sentence in Inventory::assumed.
inline constexpr const char* kAssumed = "assumed";

enum class DeviceKind : std::uint8_t {
  kBridge,    ///< a PCIe switch or one of its ports, or a root port
  kGpu,       ///< also AMD
  kNic,       ///< Ethernet, InfiniBand, EFA, Slingshot
  kNvSwitch,  ///< as a PCIe function
  kStorage,   ///< NVMe
  kOther,     ///< other kinds, kept only if listed by name
};

/// Bus id of a peer that represents an NVSwitch missing from the dump.
inline constexpr const char* kHiddenNvSwitch = "fffffff:ff:ff.0";

/// Dumps state the rates of ports in Mbit/s.
inline constexpr BytesPerSecond kMegabitPerSecond{125'000};

/// NVLinks or xGMI links of a GPU to one other device.
struct NvLinks {
  Stated<std::string> target;       ///< normalized bus id of the peer, or kHiddenNvSwitch
  Maybe<std::string> target_class;  ///< hex, "068000": what it is
  Stated<std::int64_t> count;
  Maybe<BytesPerSecond> rate;  ///< of one link and direction, payload
  input::Location place{};     ///< in the file; no source if the reader does not record it
};

/// NVLink-C2C from a GPU to its CPU (Grace).
struct C2cLinks {
  Stated<BytesPerSecond> rate;  ///< of one link
  Stated<std::int64_t> count;
};

/// Attributes of an NCCL file without a meaning here, preserved in their order.
using Attributes = std::vector<std::pair<std::string, std::string>>;

/// A vGPU on a GPU.
struct Vgpu {
  std::string profile;  ///< "grid_a100d-80c"
  std::string vm;       ///< empty: unknown
};

struct Gpu {
  Maybe<std::int64_t> index;          ///< NVML's number, as in GPU0
  Maybe<std::string> uuid;            ///< "GPU-5c3d..."
  Maybe<std::int64_t> sm;             ///< NVIDIA: 10 x compute capability. AMD: RCCL's number
  Maybe<std::string> gcn;             ///< AMD: "gfx942"
  Maybe<std::int64_t> rank;           ///< of the dumped job
  Maybe<bool> gdr;                    ///< GPUDirect RDMA was available
  Maybe<Bytes> memory;                ///< of the device, as its driver reports it
  Maybe<std::int64_t> module_id;      ///< position on the baseboard; HGX partitions use it
  Maybe<std::string> virtualization;  ///< "None", "Pass-Through", "VGPU", "Host VGPU"
  Maybe<bool> mig;                    ///< MIG mode is on
  std::vector<C2cLinks> c2c;
  Maybe<std::int64_t> numa_node;   ///< of its memory (Grace, POWER)
  std::vector<NvLinks> nvlinks;    ///< to other devices, each target once
  bool xgmi = false;               ///< the links are AMD xGMI
  Maybe<std::int64_t> nvlinks_up;  ///< number of active links, if only that is stated
  std::vector<Vgpu> vgpus;
  Attributes nccl_attributes;
};

/// A port of a NIC in NCCL terms.
struct Port {
  Maybe<std::string> name;  ///< "mlx5_0", "vmnic4"
  Maybe<std::int64_t> dev;  ///< NCCL's number
  Maybe<BytesPerSecond> rate;
  Maybe<std::int64_t> port;  ///< number on the card
  Maybe<std::string> guid;   ///< hex with "0x"
  Maybe<std::int64_t> maxconn;
  Maybe<SimTime> latency;
  Maybe<bool> gdr;
  Maybe<bool> coll;  ///< in-network reduction (SHARP)
  Maybe<bool> keep;  ///< NCCL mark of a user entry
  Attributes nccl_attributes;
};

/// A PCI function, or a device without a known bus id.
struct Device {
  DeviceKind kind = DeviceKind::kOther;
  std::string bus_id;            ///< normalized_bus_id(); empty: unknown
  Maybe<std::string> pci_class;  ///< hex without 0x, four or six digits: "0302", "060400"
  Maybe<std::string> vendor;     ///< hex, four digits: "10de"
  Maybe<std::string> device;
  Maybe<std::string> subsystem_vendor;
  Maybe<std::string> subsystem_device;
  Maybe<std::string> name;    ///< as in the source: "NVIDIA A100-SXM4-80GB", "Ethernet 800G"
  Maybe<std::string> model;   ///< its catalogue name, if a user states it
  Maybe<std::string> driver;  ///< Linux driver or owner: "mlx5_core", "vfio-pci", "VMkernel"
  /// Capability of the link above it: of both ends if the source states both.
  Maybe<PcieWidth> link;
  Maybe<PcieWidth> link_now;        ///< current state of it; lower if idle or degraded
  Maybe<std::string> nccl_speed;    ///< link_speed of an NCCL file, unchanged
  Maybe<std::int64_t> nccl_width;   ///< link_width of it
  Maybe<std::int64_t> numa_node;    ///< stated for the device itself
  Maybe<std::string> cpu_list;      ///< CPUs near it: "0-23,48-71"
  Maybe<std::string> parent;        ///< bus id of the bridge above it, if there is no tree
  Maybe<std::string> root_complex;  ///< domain and bus of it: "0000:16"; of a top-level device
  Maybe<bool> acs_redirect;         ///< a bridge that sends peer-to-peer traffic to the root
  Maybe<std::string> slot;          ///< "Slot 31", "PCIe.Slot.7-1"
  Maybe<bool> passthrough;          ///< ESXi: enabled and active for passthrough
  Maybe<std::int64_t> virtual_functions;  ///< SR-IOV: number that is enabled
  std::optional<Gpu> gpu;                 ///< of kGpu
  std::vector<Port> ports;                ///< of kNic
  std::vector<Device> below;              ///< children of a bridge, in the source's order
  input::Location place{};                ///< as in NvLinks
};

/// A NUMA node and its PCI devices.
struct NumaNode {
  Maybe<std::int64_t> id;       ///< -1 in some VMs; nothing: unknown
  Maybe<std::int64_t> package;  ///< its socket, from 0
  Maybe<std::string> cpu_list;  ///< "0-23,48-71"
  Maybe<std::string> affinity;  ///< the same in the format of NCCL: "000000ff,ffff0000"
  Maybe<std::string> arch;      ///< "x86_64", "arm64", "ppc64"
  Maybe<std::string> vendor;    ///< as in CPUID: "GenuineIntel", "AuthenticAMD"
  Maybe<std::int64_t> family;   ///< as in NCCL: base + (extended << 4)
  Maybe<std::int64_t> model;
  Maybe<std::string> cpu_name;  ///< "Intel(R) Xeon(R) Platinum 8480C"
  Maybe<std::int64_t> cores;    ///< physical ones in the node
  Maybe<Bytes> memory;
  Maybe<std::string> host_hash;  ///< of NCCL's dumps of several hosts
  std::vector<Device> devices;   ///< top level: below a root port or directly on the root complex
  /// Cards whose ports NCCL lists without a PCI address: kNic without a bus id.
  std::vector<Device> without_pcie;
  input::Location place{};  ///< as in NvLinks
};

/// Output of nvidia-smi topo -m: the path class of each pair of devices.
struct PathMatrix {
  std::vector<std::string> names;  ///< "GPU0", "NIC0", "mlx5_0", in the order of rows
  /// cells[row][column]: "X", "NV12", "PIX", "PXB", "PHB", "NODE", "SYS"; empty if unknown.
  /// SOC of old drivers is SYS.
  std::vector<std::vector<std::string>> cells;
  std::vector<std::string> cpu_list;              ///< by row, empty if unknown
  std::vector<std::string> numa;                  ///< by row: "0", "0-1", "N/A" or empty
  std::map<std::string, std::string> nic_legend;  ///< "NIC0" to "mlx5_0"
  std::string source;
};

/// The known facts of one host.
struct Inventory {
  Maybe<std::string> name;        ///< host name
  Maybe<std::string> object_id;   ///< in vSphere: "host-25"
  Maybe<std::string> vendor;      ///< "Dell Inc."
  Maybe<std::string> model;       ///< "PowerEdge XE8545"
  Maybe<std::string> hypervisor;  ///< "VMware ESXi 8.0.3 build-24022510"
  Maybe<std::string> driver;      ///< NVIDIA's: "535.161.08"
  Maybe<std::string> cpu_name;    ///< if stated for the host, not for a NUMA node
  Maybe<std::int64_t> packages;   ///< sockets
  Maybe<std::int64_t> cores;      ///< physical, of the host
  Maybe<std::int64_t> threads;
  Maybe<Bytes> memory;
  Maybe<std::int64_t> nccl_version;  ///< <system version>: 1 NCCL, 2 RCCL
  std::vector<NumaNode> numa_nodes;  ///< in the source's order
  std::vector<Device> unplaced;      ///< devices without a known place in a tree
  std::optional<PathMatrix> matrix;
  std::vector<ChosenGraph> graphs;
  std::vector<std::string> device_groups;  ///< vSphere's: "Nvidia:2@grid_a100d-80c%NVLink"
  std::vector<std::string> profiles;       ///< vGPU profiles that the host offers now
  std::vector<std::string> assumed;        ///< sentences: inferred facts and their basis
  std::vector<std::string> skipped;        ///< sentences: omitted facts and the reason
  input::Diagnostics warnings;             ///< unusual content of the files
};

/// Placeholder bus ids for devices without a known one: stable, and not used by real machines.
[[nodiscard]] std::string placeholder_bus_id(DeviceKind kind, std::size_t index);
[[nodiscard]] bool is_placeholder_bus_id(const std::string& bus_id);

/// Calls `visit(device)` for each device: those of the NUMA nodes in order, parents before
/// children, then those without a place.
template <class Host, class Visit>
void for_each_device(Host& host, Visit&& visit) {
  const auto walk = [&visit](auto& self, auto& devices) -> void {
    for (auto& device : devices) {
      visit(device);
      self(self, device.below);
    }
  };
  for (auto& node : host.numa_nodes) {
    walk(walk, node.devices);
    walk(walk, node.without_pcie);
  }
  walk(walk, host.unplaced);
}

}  // namespace vgsim::topology::inventory
