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

/// What dumps of a machine tell of it, every value with the file that told it.
///
/// An importer reads one file into an Inventory; merge() joins those of one host; what is then
/// still unknown stays unknown. Nothing here is looked up in the catalogue.
namespace vgsim::topology::inventory {

/// A value, and the path of the file that told it ("assumed" where none did).
template <class T>
struct Told {
  T value{};
  std::string source;

  friend bool operator==(const Told& a, const Told& b) { return a.value == b.value; }
};

/// Nothing where no file tells it.
template <class T>
using Maybe = std::optional<Told<T>>;

/// Source of what was inferred, with a sentence in Inventory::assumed.
inline constexpr const char* kAssumed = "assumed";

enum class DeviceKind : std::uint8_t {
  kBridge,    ///< a PCIe switch or one of its ports, or a root port
  kGpu,       ///< also AMD's
  kNic,       ///< Ethernet, InfiniBand, EFA, Slingshot
  kNvSwitch,  ///< as a PCIe function
  kStorage,   ///< NVMe
  kOther,     ///< anything else; only kept where it was listed by name
};

/// Bus id of a peer that stands for an NVSwitch which the dump does not show.
inline constexpr const char* kHiddenNvSwitch = "fffffff:ff:ff.0";

/// Dumps state the rates of ports in Mbit/s.
inline constexpr BytesPerSecond kMegabitPerSecond{125'000};

/// NVLinks or xGMI links of a GPU to one other device.
struct NvLinks {
  Told<std::string> target;         ///< normalized bus id of the peer, or kHiddenNvSwitch
  Maybe<std::string> target_class;  ///< hex, "068000": what it is
  Told<std::int64_t> count;
  Maybe<BytesPerSecond> rate;  ///< of one link and direction, payload
  input::Location place{};     ///< in the file; without a source if the reader notes none
};

/// NVLink-C2C from a GPU to its CPU (Grace).
struct C2cLinks {
  Told<BytesPerSecond> rate;  ///< of one link
  Told<std::int64_t> count;
};

/// Attributes of an NCCL file that mean nothing here, passed on in their order.
using Attributes = std::vector<std::pair<std::string, std::string>>;

/// Something that a vGPU manager runs on a GPU.
struct Vgpu {
  std::string profile;  ///< "grid_a100d-80c"
  std::string vm;       ///< empty: not told
};

struct Gpu {
  Maybe<std::int64_t> index;          ///< NVML's number, as in GPU0
  Maybe<std::string> uuid;            ///< "GPU-5c3d..."
  Maybe<std::int64_t> sm;             ///< NVIDIA: 10 x compute capability. AMD: RCCL's number
  Maybe<std::string> gcn;             ///< AMD: "gfx942"
  Maybe<std::int64_t> rank;           ///< of the job that was dumped
  Maybe<bool> gdr;                    ///< GPUDirect RDMA was available
  Maybe<Bytes> memory;                ///< of the device, as its driver counts it
  Maybe<std::int64_t> module_id;      ///< place on the baseboard: HGX partitions use it
  Maybe<std::string> virtualization;  ///< "None", "Pass-Through", "VGPU", "Host VGPU"
  Maybe<bool> mig;                    ///< MIG mode is on
  std::vector<C2cLinks> c2c;
  Maybe<std::int64_t> numa_node;   ///< of its own memory (Grace, POWER)
  std::vector<NvLinks> nvlinks;    ///< to other devices, each target once
  bool xgmi = false;               ///< the links are AMD's
  Maybe<std::int64_t> nvlinks_up;  ///< how many are active, where only that is told
  std::vector<Vgpu> vgpus;
  Attributes nccl_attributes;
};

/// A port of a NIC, as NCCL lists it.
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
  Maybe<bool> keep;  ///< NCCL's mark of a user's own entry
  Attributes nccl_attributes;
};

/// A PCI function, or a device of which only the number is known.
struct Device {
  DeviceKind kind = DeviceKind::kOther;
  std::string bus_id;            ///< normalized_bus_id(); empty: not told
  Maybe<std::string> pci_class;  ///< hex without 0x, four or six digits: "0302", "060400"
  Maybe<std::string> vendor;     ///< hex, four digits: "10de"
  Maybe<std::string> device;
  Maybe<std::string> subsystem_vendor;
  Maybe<std::string> subsystem_device;
  Maybe<std::string> name;    ///< in the source's words: "NVIDIA A100-SXM4-80GB", "Ethernet 800G"
  Maybe<std::string> model;   ///< its catalogue name, where a person says so
  Maybe<std::string> driver;  ///< Linux driver or owner: "mlx5_core", "vfio-pci", "VMkernel"
  /// Of the link above it: what both ends can do, as far as the source tells.
  Maybe<PcieWidth> link;
  Maybe<PcieWidth> link_now;        ///< and as it runs; less if idle or degraded
  Maybe<std::string> nccl_speed;    ///< link_speed of an NCCL file, letter for letter
  Maybe<std::int64_t> nccl_width;   ///< link_width of it
  Maybe<std::int64_t> numa_node;    ///< told of the device itself
  Maybe<std::string> cpu_list;      ///< CPUs near it: "0-23,48-71"
  Maybe<std::string> parent;        ///< bus id of the bridge above it, where no tree is told
  Maybe<std::string> root_complex;  ///< domain and bus of it: "0000:16"; of a top-level device
  Maybe<bool> acs_redirect;         ///< a bridge that sends peer-to-peer traffic to the root
  Maybe<std::string> slot;          ///< "Slot 31", "PCIe.Slot.7-1"
  Maybe<bool> passthrough;          ///< ESXi: enabled and active for passthrough
  Maybe<std::int64_t> virtual_functions;  ///< SR-IOV: number that is enabled
  std::optional<Gpu> gpu;                 ///< of kGpu
  std::vector<Port> ports;                ///< of kNic
  std::vector<Device> below;              ///< of a bridge: what hangs on it, in the source's order
  input::Location place{};                ///< as of NvLinks
};

/// A NUMA node and the PCI devices that hang on it.
struct NumaNode {
  Maybe<std::int64_t> id;       ///< -1 in some VMs; not told: unknown
  Maybe<std::int64_t> package;  ///< the socket it is in, from 0
  Maybe<std::string> cpu_list;  ///< "0-23,48-71"
  Maybe<std::string> affinity;  ///< the same as NCCL writes it: "000000ff,ffff0000"
  Maybe<std::string> arch;      ///< "x86_64", "arm64", "ppc64"
  Maybe<std::string> vendor;    ///< as CPUID says: "GenuineIntel", "AuthenticAMD"
  Maybe<std::int64_t> family;   ///< as NCCL counts: base + (extended << 4)
  Maybe<std::int64_t> model;
  Maybe<std::string> cpu_name;  ///< "Intel(R) Xeon(R) Platinum 8480C"
  Maybe<std::int64_t> cores;    ///< physical ones in the node
  Maybe<Bytes> memory;
  Maybe<std::string> host_hash;  ///< of NCCL's dumps of several hosts
  std::vector<Device> devices;   ///< top level: below a root port or directly on the root complex
  /// Cards of which NCCL knew the ports, not the place on the PCI bus: kNic without a bus id.
  std::vector<Device> without_pcie;
  input::Location place{};  ///< as of NvLinks
};

/// nvidia-smi topo -m: how each device reaches each other.
struct PathMatrix {
  std::vector<std::string> names;  ///< "GPU0", "NIC0", "mlx5_0", in the order of rows
  /// cells[row][column]: "X", "NV12", "PIX", "PXB", "PHB", "NODE", "SYS"; empty where it is not
  /// told. SOC of old drivers is SYS.
  std::vector<std::vector<std::string>> cells;
  std::vector<std::string> cpu_list;              ///< by row, empty if not told
  std::vector<std::string> numa;                  ///< by row: "0", "0-1", "N/A" or empty
  std::map<std::string, std::string> nic_legend;  ///< "NIC0" to "mlx5_0"
  std::string source;
};

/// One host, as far as its dumps tell.
struct Inventory {
  Maybe<std::string> name;        ///< host name
  Maybe<std::string> object_id;   ///< in vSphere: "host-25"
  Maybe<std::string> vendor;      ///< "Dell Inc."
  Maybe<std::string> model;       ///< "PowerEdge XE8545"
  Maybe<std::string> hypervisor;  ///< "VMware ESXi 8.0.3 build-24022510"
  Maybe<std::string> driver;      ///< NVIDIA's: "535.161.08"
  Maybe<std::string> cpu_name;    ///< where it is told of the host and not of a NUMA node
  Maybe<std::int64_t> packages;   ///< sockets
  Maybe<std::int64_t> cores;      ///< physical, of the host
  Maybe<std::int64_t> threads;
  Maybe<Bytes> memory;
  Maybe<std::int64_t> nccl_version;  ///< <system version>: 1 NCCL, 2 RCCL
  std::vector<NumaNode> numa_nodes;  ///< in the source's order
  std::vector<Device> unplaced;      ///< devices whose place in a tree no file tells
  std::optional<PathMatrix> matrix;
  std::vector<ChosenGraph> graphs;
  std::vector<std::string> device_groups;  ///< vSphere's: "Nvidia:2@grid_a100d-80c%NVLink"
  std::vector<std::string> profiles;       ///< vGPU profiles that the host offers now
  std::vector<std::string> assumed;        ///< sentences: what was inferred, and from what
  std::vector<std::string> skipped;        ///< sentences: what was left out, and why
  input::Diagnostics warnings;             ///< what is odd in the files
};

/// Bus ids for devices whose own no file tells: stable, and of no real machine.
[[nodiscard]] std::string placeholder_bus_id(DeviceKind kind, std::size_t index);
[[nodiscard]] bool is_placeholder_bus_id(const std::string& bus_id);

/// Calls `visit(device)` for each device: of the NUMA nodes in order, each before those below it,
/// then those without a place.
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
