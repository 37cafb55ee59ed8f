#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "sim/units.hpp"
#include "topology/graph/device_kinds.hpp"

namespace vgsim::topology {

/// A value and its source.
template <class T>
struct Sourced {
  T value{};
  std::string source;  ///< in words: "NVIDIA A100 datasheet (datasheet)"

  bool operator==(const Sourced&) const = default;
};

/// The form factor of cards for PCIe slots, as in the catalogue. Other form factors are defined
/// only there.
inline constexpr const char* kPcieCard = "pcie";

/// Size of a PCIe card or slot: half height and half length; full height and half length; full
/// height and full length; larger.
enum class CardSize : std::uint8_t { kUnknown, kHhhl, kFhhl, kFhfl, kOversize };

/// A GPU. Peaks are dense (no sparsity); rates per direction.
struct GpuModel {
  std::string id;  ///< catalogue name: "a100-pcie-80gb"
  std::string name;
  std::vector<std::string> pci_ids;          ///< "10de:20b5"
  std::string driver_name;                   ///< "NVIDIA A100-SXM4-80GB"; empty: unknown
  std::int64_t compute_capability = 0;       ///< 10 x major + minor
  std::int64_t multiprocessors = 0;          ///< 0: unknown
  bool validated = false;                    ///< training jobs were measured on it
  std::optional<Sourced<double>> tdp_watts;  ///< thermal design power
  std::string form_factor;                   ///< "sxm5", "pcie"; empty: unknown
  std::int64_t card_width = 0;               ///< of a PCIe card, in slots; 0: unknown
  CardSize card_size = CardSize::kUnknown;   ///< of a PCIe card
  Sourced<Bytes> memory;
  Sourced<BytesPerSecond> memory_bandwidth;
  std::optional<Sourced<Bytes>> cache;  ///< of the second level
  /// By precision: "fp32", "tf32", "fp16" (also bf16), "fp8", "mxfp8", "nvfp4"; absent where the
  /// GPU lacks it.
  std::map<std::string, Sourced<FlopsPerSecond>> peak;
  std::int64_t pcie_generation = 0;
  std::int64_t pcie_lanes = 0;
  bool pcie_p2p = true;  ///< the driver allows peer-to-peer access over PCIe
  std::string nvlink;    ///< catalogue name of the generation, empty without NVLink
  std::int64_t nvlink_links = 0;
  std::int64_t bridge_gpus = 2;  ///< GPUs that the largest NVLink bridge of such cards joins
  std::optional<Sourced<BytesPerSecond>>
      nvlink_link_bandwidth;  ///< if it differs from the generation's
  /// Catalogue name of the NIC on the same card, behind a PCIe switch with the GPU (A100X); or
  /// empty.
  std::string onboard_nic;
  /// Catalogue name of a faster GPU for the same slots; or empty.
  std::string successor;

  bool operator==(const GpuModel&) const = default;
};

struct NicModel {
  std::string id;
  std::string name;
  std::vector<std::string> pci_ids;
  Sourced<BytesPerSecond> port_rate;
  std::int64_t ports = 1;
  std::int64_t pcie_generation = 0;
  std::int64_t pcie_lanes = 0;
  std::vector<std::string> form_factors;  ///< available ones: "pcie", "ocp3"; empty: unknown
  std::string link_layer;                 ///< "ethernet", "infiniband", "both"
  bool rdma = false;
  NetKind net = NetKind::kSocket;
  bool gdr = false;  ///< reaches GPU memory directly (GPUDirect)
  bool dpu = false;
  /// NCCL protocols that the plug-in enables, in the format of NCCL_PROTO; empty: all.
  std::string nccl_protocols;
  std::string nccl_algorithms;  ///< the same for NCCL_ALGO
  std::string plugin_since;     ///< first NCCL release whose plug-in limits them; empty: all
  bool upgrade = false;         ///< a current choice for its rate
  Sourced<double> payload_share;
  Sourced<SimTime> latency;

  bool operator==(const NicModel&) const = default;
};

struct CpuModel {
  std::string id;
  std::string name;
  std::string vendor;                        ///< "intel", "amd", "nvidia"
  Sourced<BytesPerSecond> memory_bandwidth;  ///< per socket, theoretical
  Sourced<double> memory_share;              ///< attainable fraction of it
  std::string socket_link;                   ///< "UPI"
  std::int64_t socket_links = 0;
  Sourced<BytesPerSecond> socket_link_bandwidth;  ///< per link and direction
  Sourced<double> socket_link_share;
  std::vector<std::pair<std::int64_t, std::int64_t>> cpuids;  ///< family, model
  std::vector<std::string>
      products;  ///< parts of the names of its models, '?' for a digit: "Gold 63??"
  /// Supported NUMA nodes per socket: NPS of AMD, SNC and cluster on die of Intel.
  std::vector<std::int64_t> numa_nodes_per_socket = {1};
  std::int64_t pcie_lanes = 0;  ///< of a socket, in the largest model of the family; 0: unknown
  std::int64_t pcie_lanes_beside_others = 0;  ///< of each of several sockets; 0: as pcie_lanes
  std::int64_t pcie_generation = 0;           ///< of its root complexes
  std::int64_t most_cores = 0;  ///< of a socket, in the largest model of the family; 0: unknown
  /// Single-thread rating of PassMark of the family's usual model; nothing: unknown.
  std::optional<Sourced<double>> single_thread;
  /// Between two NUMA nodes of a socket, per direction; nothing if unlimited.
  std::optional<Sourced<BytesPerSecond>> node_link_bandwidth;
  /// PcieGeneration::staging_share if the IOMMU translates; nothing: the same.
  std::optional<Sourced<double>> translated_staging_share;

  bool operator==(const CpuModel&) const = default;
};

struct NetworkSwitchModel {
  std::string id;
  std::string name;
  BytesPerSecond port_rate{};
  std::optional<Sourced<SimTime>> latency;  ///< port to port
  bool reduces = false;                     ///< performs in-network reduction (SHARP)

  bool operator==(const NetworkSwitchModel&) const = default;
};

struct PcieGeneration {
  std::int64_t generation = 0;
  Sourced<BytesPerSecond> lane_rate;  ///< after line encoding
  Sourced<double> payload_share;      ///< fraction of it after packet headers
  Sourced<SimTime> hop_latency;
  /// Fractions of a root port's line rate per direction, for both directions together: accesses of
  /// GPU kernels behind it to host memory, and peer-to-peer traffic through the root complex, with
  /// one peer or with several others at once.
  Sourced<double> staging_share;
  Sourced<double> forward_share;
  Sourced<double> exchange_share;
  Sourced<double> translation_share;  ///< if the IOMMU translates the addresses of peers

  bool operator==(const PcieGeneration&) const = default;
};

struct NvLinkGeneration {
  std::string id;
  Sourced<BytesPerSecond> link_bandwidth;
  Sourced<double> payload_share;
  Sourced<SimTime> hop_latency;

  bool operator==(const NvLinkGeneration&) const = default;
};

struct NvSwitchModel {
  std::string id;
  Sourced<SimTime> latency;

  bool operator==(const NvSwitchModel&) const = default;
};

/// A PCIe link and the device above it.
struct PcieAttachment {
  std::string under;  ///< root complex or PCIe switch of the same server
  std::int64_t generation = 0;
  std::int64_t lanes = 0;
  std::string source;
  std::string form_factor = {};  ///< of NICs that fit the slot: "ocp3"; empty: unknown

  bool operator==(const PcieAttachment&) const = default;
};

/// The NVLink topology of the GPUs of a host.
struct NvLinkLayout {
  enum class Kind : std::uint8_t { kNone, kBridge, kMesh, kNvSwitch, kMatrix };
  Kind kind = Kind::kNone;
  std::vector<std::pair<std::size_t, std::size_t>> pairs;  ///< kBridge: pairs that can be bridged
  std::int64_t links_per_pair = 0;                         ///< kMesh
  std::string nvswitch;                                    ///< kNvSwitch: catalogue name
  std::int64_t nvswitches = 0;                             ///< 0: unknown
  std::vector<std::vector<std::int64_t>> links;            ///< kMatrix: links per pair
  std::string source;

  bool operator==(const NvLinkLayout&) const = default;
};

/// A board with GPUs and the NVLinks between them.
struct BoardModel {
  std::string id;
  std::string name;               ///< "HGX A100 with eight GPUs"
  std::vector<std::string> gpus;  ///< catalogue names of supported models
  std::int64_t count = 0;
  std::string cpu_vendor;  ///< of the required CPUs; empty: any
  NvLinkLayout nvlink;

  bool operator==(const BoardModel&) const = default;
};

struct RootComplex {
  std::int64_t socket = 0;
  std::int64_t numa_node = 0;  ///< inside the socket
  /// Quarter of the socket: its NUMA node if the BIOS splits a socket in four. Two adjacent
  /// quarters are one node of two.
  std::optional<std::int64_t> quadrant = std::nullopt;

  bool operator==(const RootComplex&) const = default;
};

struct ServerModel {
  std::string id;
  std::string name;
  Sourced<std::string> cpu;
  std::int64_t sockets = 0;
  std::int64_t numa_nodes_per_socket = 1;
  std::map<std::string, RootComplex> root_complexes;
  std::map<std::string, PcieAttachment> pcie_switches;
  std::vector<PcieAttachment> gpu_slots;
  std::map<std::string, PcieAttachment> nic_slots;
  std::optional<PcieAttachment> nvme;
  NvLinkLayout nvlink;
  std::string default_gpu;  ///< catalogue name, empty without a default
  /// Constraints of its GPU slots; empty, 0, kUnknown: unknown.
  std::vector<std::string> gpu_form_factors;
  std::int64_t gpu_slot_width = 0;  ///< in slots of single width
  CardSize gpu_slot_size = CardSize::kUnknown;
  double gpu_slot_watts = 0;
  std::string other_lanes;         ///< other uses of PCIe lanes of the CPUs, in words; may be empty

  bool operator==(const ServerModel&) const = default;
};

struct Dataset {
  std::string id;
  std::string name;
  std::int64_t samples = 0;
  std::optional<Sourced<Bytes>> stored_bytes;  ///< per sample

  bool operator==(const Dataset&) const = default;
};

}  // namespace vgsim::topology
