#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/collectives/nccl/constants.hpp"
#include "models/collectives/nccl/machine.hpp"
#include "models/collectives/nccl/rules.hpp"

namespace vgsim::collectives::nccl {

enum class NodeType : std::uint8_t { kGpu, kDevice, kPci, kNvSwitch, kCpu, kNic, kNet };

enum class LinkType : std::uint8_t { kLocal, kNvLink, kC2c, kPci, kSys, kNet };

using NodeId = std::uint32_t;
using LinkId = std::uint32_t;

/// One direction of a link.
struct Link {
  LinkType type = LinkType::kPci;
  NodeId from = 0, to = 0;
  float bandwidth = 0;  ///< GB/s, in float as in NCCL: rounding decides close cases

  bool operator==(const Link&) const = default;
};

struct GraphNode {
  NodeType type = NodeType::kPci;
  std::uint32_t index = 0;    ///< among the nodes of its type
  int sm = 0;                 ///< of nodes with a GPU's links; else 0
  std::vector<LinkId> links;  ///< outgoing, in the order in which NCCL follows them

  bool operator==(const GraphNode&) const = default;
};

/// A GPU with a rank.
struct GraphGpu {
  NodeId node = 0;
  NodeId device = 0;  ///< the node with its links: itself or the node in front of it
  int rank = 0;       ///< in the machine
  int dev = 0;
  int sm = 0;
  bool gdr = false;
  std::size_t nvlink_island = 0, pcie_island = 0;  ///< see MachineGpu

  bool operator==(const GraphGpu&) const = default;
};

struct GraphNet {
  NodeId node = 0;
  int dev = 0;
  float bandwidth = 0;  ///< GB/s
  int port = 0;
  std::uint64_t guid = 0;
  float latency = 0;  ///< us
  bool gdr = false, coll = false;
  std::vector<int> out_of_reach;  ///< see MachineNet

  bool operator==(const GraphNet&) const = default;
};

struct GraphCpu {
  NodeId node = 0;
  CpuArch arch = CpuArch::kX86;
  CpuVendor vendor = CpuVendor::kOther;
  CpuModel model = CpuModel::kOther;

  bool operator==(const GraphCpu&) const = default;
};

/// A machine as NCCL's search models it (struct ncclTopoSystem): only GPUs, switches, CPUs and
/// NICs, with all NVSwitches as one node and two-level switches as one.
struct Graph {
  std::vector<GraphNode> nodes;
  std::vector<Link> links;
  std::vector<GraphGpu> gpus;  ///< in the order of the machine, not of ranks
  std::vector<NodeId> devices;
  std::vector<GraphNet> nets;
  std::vector<GraphCpu> cpus;
  std::vector<NodeId> nv_switches;  ///< one or none
  bool pcie_p2p = true;             ///< Machine::pcie_p2p
  bool multicast = true;            ///< Machine::multicast
  bool partial = false;             ///< Machine::partial

  /// The reverse direction of a link from `from` to `to`. Throws std::logic_error if there is none.
  [[nodiscard]] LinkId reverse(LinkId link) const;
  [[nodiscard]] const GraphCpu& cpu(NodeId node) const { return cpus[nodes[node].index]; }
  [[nodiscard]] int min_sm() const;

  bool operator==(const Graph&) const = default;
};

/// Builds the graph. `ranks`: the ranks of the machine in this NCCL node; empty for all. Throws
/// std::invalid_argument if two GPUs disagree about their NVLinks.
[[nodiscard]] Graph build_graph(const Machine& machine, const std::vector<int>& ranks,
                                bool with_nets, const Rules& rules, const Constants& constants);

}  // namespace vgsim::collectives::nccl
