#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/units.hpp"
#include "topology/graph/device_kinds.hpp"
#include "topology/graph/open_point.hpp"
#include "topology/graph/pcie_width.hpp"

namespace vgsim::topology {

struct Node {
  std::string name;  ///< unique in the topology: "esx01/gpu0"
  NodeKind kind = NodeKind::kSocket;
  std::int32_t host = -1;  ///< index into Topology::hosts
  std::int32_t index = 0;  ///< the n-th of its kind in its host
  std::string model;       ///< catalogue name of the part, empty if it has none
  std::int64_t parts = 1;  ///< of them, that the node stands for; 0 where no one says how many
};

/// What a link or device can carry: the thing that flows compete for.
struct LinkResource {
  std::string name;  ///< "esx01/vmnic4 -> network"
  LinkKind kind = LinkKind::kPcie;
  BytesPerSecond line_rate{};  ///< per direction, before protocol overhead
  double payload_share = 1.0;  ///< of the line rate, that payload can use
  std::string source;          ///< where rate and share come from
  /// Directions of the link that share what the resource carries: 2 for what a root port passes on.
  std::int64_t directions = 1;
  /// Index into Topology::hosts, of a resource that no link and no port of a host points to.
  std::optional<std::size_t> host = std::nullopt;
};

using LinkResourceIndex = std::uint32_t;

/// What a link below a root complex bounds besides its bytes per direction, both directions
/// together.
struct RootPort {
  LinkResourceIndex staging = 0;     ///< what kernels of GPUs read and write in host memory
  LinkResourceIndex forwarding = 0;  ///< peer-to-peer traffic through the root
  LinkResourceIndex exchange = 0;    ///< the same of peers that each have several others at once
};

struct Link {
  LinkKind kind = LinkKind::kPcie;
  SimTime latency{};                             ///< one way, per traversal
  std::optional<LinkResourceIndex> resource;     ///< none: never a limit (kOnDie)
  std::optional<PcieWidth> pcie = std::nullopt;  ///< of a PCIe link that is known so closely
  std::int64_t nvlinks = 0;                      ///< that a link of kind kNvLink stands for
  std::optional<RootPort> root = std::nullopt;   ///< of the link below a root complex
};

/// A vertex of the device graph: index of its node.
using Vertex = std::size_t;

/// An edge of the device graph: one direction of a link.
struct Edge {
  Vertex source = 0;
  Vertex target = 0;
  std::uint32_t index = 0;  ///< in the order of adding
};

/// A NIC and what it offers to the network. Several ports of one card count as one.
struct HostNic {
  Vertex vertex{};
  std::string name;            ///< without the host: "vmnic4"
  BytesPerSecond port_rate{};  ///< line rate per direction
  double payload_share = 1.0;  ///< of it, that large transfers reach
  SimTime latency{};           ///< card and driver, one way
  bool rdma = false;
  NetKind net = NetKind::kSocket;
  bool gdr = false;  ///< reaches GPU memory directly (GPUDirect)
  bool dpu = false;
  std::string source;         ///< of the rate
  LinkResourceIndex out = 0;  ///< the port towards the network; see add_ports()
  LinkResourceIndex in = 0;   ///< and from it
  /// NCCL's protocols that its plug-in leaves on, as NCCL_PROTO has them; empty: all.
  std::string nccl_protocols = {};
  std::string bus_id = {};  ///< normalized, of an imported one that has a place on the bus
};

/// A NIC slot that nothing is plugged into.
struct FreeSlot {
  std::string name;
  Vertex under{};           ///< PCIe switch or root complex
  std::string form_factor;  ///< of the NICs that it takes; empty: not known
};

/// The vertices of one host, by kind, each in index order.
struct Host {
  std::string name;
  std::vector<Vertex> sockets;
  std::vector<Vertex> memories;  ///< memories[i] hangs on sockets[i]
  std::vector<Vertex> gpus;
  std::vector<HostNic> nics;
  std::optional<std::vector<FreeSlot>> free_slots;  ///< for NICs, where the server is known
  std::optional<Vertex> storage;
  std::optional<std::size_t> storage_nic;  ///< index into nics, where storage is reached over it
  std::string cpu_model;
  std::size_t packages = 0;                ///< of CPUs: each has one NUMA node or several
  std::optional<LinkResourceIndex> cores;  ///< what its cores can do, where that is counted
  std::optional<std::int64_t> numa_cores;  ///< of one NUMA node, where that is known
  std::optional<Bytes> numa_memory;        ///< the same
  std::optional<std::int64_t> all_cores;   ///< of all its NUMA nodes, which may differ
  std::optional<Bytes> all_memory;         ///< the same
  bool acs = false;      ///< peer-to-peer traffic over PCIe goes through the root complex
  bool pcie_p2p = true;  ///< the driver lets the GPUs reach each other over PCIe
  std::vector<std::string> assumptions;  ///< what the builder had to assume, in words
  std::vector<OpenPoint> open;           ///< of these, what an answer rests on
  std::vector<TakenPart> taken;          ///< of these, what can be named otherwise
};

/// Hosts: the directed device graph of each and the table of what their links can carry. The graph
/// is one of Boost.Graph, which only the .cpp files that search it see (device_graph.hpp).
class Topology {
 public:
  std::vector<Host> hosts;
  std::vector<LinkResource> resources;

  Topology();
  Topology(const Topology& other);
  Topology(Topology&& other) noexcept;
  Topology& operator=(const Topology& other);
  Topology& operator=(Topology&& other) noexcept;
  ~Topology();

  Vertex add_node(Node node);

  /// Adds both directions of a full-duplex link, each a resource of its own with the given rate.
  void connect(Vertex a, Vertex b, LinkKind kind, BytesPerSecond rate_per_direction,
               double payload_share, SimTime latency, const std::string& source);

  /// Adds both directions of a link that share one resource (DRAM).
  void connect_half_duplex(Vertex a, Vertex b, LinkKind kind, BytesPerSecond rate,
                           double payload_share, SimTime latency, const std::string& source);

  /// Says of both directions of a link between two vertices what kind of PCIe link it is.
  void set_pcie(Vertex a, Vertex b, PcieWidth width, std::optional<RootPort> root);

  /// Says how many NVLinks join two vertices, in both directions.
  void set_nvlinks(Vertex a, Vertex b, std::int64_t links);

  /// Adds both directions of a link that is never a limit.
  void connect_unlimited(Vertex a, Vertex b, LinkKind kind, SimTime latency);

  /// A resource without a link yet, for links that share one (see connect_through).
  LinkResourceIndex add_resource(LinkResource resource);

  /// Adds both directions of a link over resources that other links may use as well.
  void connect_through(Vertex a, Vertex b, LinkKind kind, SimTime latency, LinkResourceIndex a_to_b,
                       LinkResourceIndex b_to_a);

  /// In the order of adding; vertices are their indices.
  [[nodiscard]] const std::vector<Node>& nodes() const { return nodes_; }
  [[nodiscard]] const Node& node(Vertex v) const { return nodes_[v]; }
  [[nodiscard]] const Link& link(const Edge& edge) const { return links_[edge.index]; }

  /// Edges in the order of adding: all, those that leave or enter a vertex, the first between two.
  [[nodiscard]] const std::vector<Edge>& edges() const { return edges_; }
  [[nodiscard]] std::vector<Edge> edges_from(Vertex v) const;
  [[nodiscard]] std::vector<Edge> edges_to(Vertex v) const;
  [[nodiscard]] std::optional<Edge> edge(Vertex from, Vertex to) const;

  /// For searches: what device_graph.hpp defines.
  [[nodiscard]] const struct DeviceGraph& graph() const { return *graph_; }

 private:
  void add_edge(Vertex from, Vertex to, Link link);
  [[nodiscard]] Link& link_between(Vertex from, Vertex to);

  std::vector<Node> nodes_;
  std::vector<Edge> edges_;
  std::vector<Link> links_;  ///< by Edge::index
  std::unique_ptr<DeviceGraph> graph_;
};

}  // namespace vgsim::topology
