#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "topology/machine/inventory.hpp"

namespace vgsim::topology::inventory {

enum class ViewKind : std::uint8_t {
  kNumaNode,
  kRootComplex,
  kBridge,
  kGpu,
  kNic,
  kNvSwitch,
  kStorage,
  kOther,
};

/// A node of a host's graph. Texts are printable ASCII.
struct ViewNode {
  ViewKind kind = ViewKind::kOther;
  std::string name;  ///< unique in the host
  std::string model;
  std::string bus_id;
  std::optional<std::size_t> numa_node;  ///< index into Inventory::numa_nodes
  bool is_device = false;                ///< part of the inventory
};

enum class ViewEdgeKind : std::uint8_t {
  kPcie,
  kNoPcie,  ///< to a NIC whose PCIe position is unknown
  kNvLink,
  kXgmi,
  kCpus,
};

struct ViewEdge {
  std::size_t a = 0;  ///< node index; for kPcie the end nearer to the CPU
  std::size_t b = 0;
  ViewEdgeKind kind = ViewEdgeKind::kPcie;
  std::optional<PcieWidth> width;
  std::int64_t links = 0;                        ///< NVLinks
  std::optional<double> gigabytes_per_second{};  ///< in one direction
};

/// A host as nodes and edges, for pictures and exports.
struct View {
  std::vector<ViewNode> nodes;
  std::vector<ViewEdge> edges;
};

/// NUMA nodes first, then root complexes and devices in the order of the inventory, then NVSwitches
/// that are not in the inventory.
[[nodiscard]] View view_of(const Inventory& host);

/// Merges NVSwitches that are not in the inventory and have links to the same GPUs.
[[nodiscard]] View with_nvswitches_merged(const View& view);

/// "numa-node", "root-complex", "pcie-switch", "gpu", "nic", "nvswitch", "storage", "other".
[[nodiscard]] const char* to_word(ViewKind kind);

}  // namespace vgsim::topology::inventory
