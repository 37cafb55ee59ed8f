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
  std::int32_t index = 0;  ///< index among its kind in its host
  std::string model;       ///< catalogue name of the part, empty if it has none
  std::int64_t parts = 1;  ///< number of devices that the node represents; 0 if unknown
};

/// Capacity of a link or device that flows share.
struct LinkResource {
  std::string name;  ///< "esx01/vmnic4 -> network"
  LinkKind kind = LinkKind::kPcie;
  BytesPerSecond line_rate{};  ///< per direction, before protocol overhead
  double payload_share = 1.0;  ///< fraction of the line rate available to payload
  std::string source;          ///< of rate and share
  /// Directions of the link that share the resource: 2 for the forwarding of a root port.
  std::int64_t directions = 1;
  /// Index into Topology::hosts, for a resource without a link or port.
  std::optional<std::size_t> host = std::nullopt;
};

using LinkResourceIndex = std::uint32_t;

/// Further limits of a link below a root complex, for both directions together.
struct RootPort {
  LinkResourceIndex staging = 0;  ///< accesses of GPU kernels to host memory
  /// The same if the IOMMU translates; nothing: the same limit.
  std::optional<LinkResourceIndex> translated_staging;
  LinkResourceIndex forwarding = 0;  ///< peer-to-peer traffic through the root complex
  LinkResourceIndex exchange =
      0;  ///< the same when each peer exchanges data with several others at once
  /// The same if the IOMMU translates the addresses of each request.
  LinkResourceIndex translation = 0;

  [[nodiscard]] std::vector<LinkResourceIndex> resources() const {
    std::vector<LinkResourceIndex> all{staging, forwarding, exchange, translation};
    if (translated_staging) all.push_back(*translated_staging);
    return all;
  }
};

struct Link {
  LinkKind kind = LinkKind::kPcie;
  SimTime latency{};                             ///< one way, per traversal
  std::optional<LinkResourceIndex> resource;     ///< none: unlimited (kOnDie)
  std::optional<PcieWidth> pcie = std::nullopt;  ///< of a PCIe link, if known
  std::int64_t nvlinks = 0;                      ///< number of links in an edge of kind kNvLink
  std::optional<RootPort> root = std::nullopt;   ///< of the link below a root complex
};

/// A vertex of the device graph: the index of its node.
using Vertex = std::size_t;

/// An edge of the device graph: one direction of a link.
struct Edge {
  Vertex source = 0;
  Vertex target = 0;
  std::uint32_t index = 0;  ///< in the order of adding
};

/// A NIC and its network properties. Several ports of one card count as one NIC.
struct HostNic {
  Vertex vertex{};
  std::string name;            ///< without the host: "vmnic4"
  BytesPerSecond port_rate{};  ///< line rate per direction
  double payload_share = 1.0;  ///< fraction of the rate that large transfers reach
  SimTime latency{};           ///< card and driver, one way
  bool rdma = false;
  NetKind net = NetKind::kSocket;
  bool gdr = false;  ///< reaches GPU memory directly (GPUDirect)
  bool dpu = false;
  std::string source;         ///< of the rate
  LinkResourceIndex out = 0;  ///< port, towards the network; see add_ports()
  LinkResourceIndex in = 0;   ///< port, from the network
  /// NCCL protocols that the plug-in enables, in the format of NCCL_PROTO; empty: all.
  std::string nccl_protocols = {};
  std::string nccl_algorithms = {};  ///< the same for NCCL_ALGO
  std::string plugin_since = {};     ///< first NCCL release whose plug-in limits them; empty: all
  std::string bus_id = {};           ///< normalized; for an imported NIC with a PCI address
};

/// A NIC slot without a NIC.
struct FreeSlot {
  std::string name;
  Vertex under{};           ///< PCIe switch or root complex
  std::string form_factor;  ///< of NICs that fit; empty: unknown
};

/// The vertices of one host, by kind, each in index order.
struct Host {
  std::string name;
  std::vector<Vertex> sockets;
  std::vector<Vertex> memories;  ///< memories[i] is connected to sockets[i]
  std::vector<Vertex> gpus;
  std::vector<HostNic> nics;
  std::optional<std::vector<FreeSlot>> free_slots;  ///< for NICs; nothing if the server is unknown
  std::optional<Vertex> storage;
  std::optional<std::size_t> storage_nic;  ///< index into nics, where storage is reached over it
  std::string server;  ///< of the catalogue; empty where the host is described or imported
  std::string cpu_model;
  std::size_t packages = 0;                ///< CPU sockets; each has one or more NUMA nodes
  std::optional<LinkResourceIndex> cores;  ///< compute capacity of its cores, if modelled
  std::optional<std::int64_t> numa_cores;  ///< of one NUMA node, if known
  std::optional<Bytes> numa_memory;        ///< the same
  std::optional<std::int64_t> all_cores;   ///< of all its NUMA nodes, which may differ
  std::optional<Bytes> all_memory;         ///< the same
  bool acs = false;               ///< peer-to-peer traffic over PCIe goes through the root complex
  bool iommu_translates = false;  ///< addresses of peer-to-peer traffic through the root complex
  /// The same for accesses of GPU kernels to host memory.
  bool staging_translated = false;
  bool coherent_gpus = false;            ///< GPUs access host memory by NVLink-C2C (Grace, GB10)
  bool pcie_p2p = true;                  ///< the driver allows peer-to-peer access over PCIe
  std::vector<std::string> assumptions;  ///< of the builder, as sentences
  std::vector<OpenPoint> open;           ///< assumptions that affect results
  std::vector<TakenPart> taken;          ///< assumptions that the user can replace by a named part
};

/// Hosts: their directed device graphs and the resources of their links. The graph is a
/// Boost.Graph, accessible only in .cpp files that search it (device_graph.hpp).
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

  /// Adds both directions of a full-duplex link, each a separate resource with the given rate.
  void connect(Vertex a, Vertex b, LinkKind kind, BytesPerSecond rate_per_direction,
               double payload_share, SimTime latency, const std::string& source);

  /// Adds both directions of a link that share one resource (DRAM).
  void connect_half_duplex(Vertex a, Vertex b, LinkKind kind, BytesPerSecond rate,
                           double payload_share, SimTime latency, const std::string& source);

  /// Sets the PCIe generation and width of both directions of a link.
  void set_pcie(Vertex a, Vertex b, PcieWidth width, std::optional<RootPort> root);

  /// Sets the number of NVLinks in both directions of a link.
  void set_nvlinks(Vertex a, Vertex b, std::int64_t links);

  /// Adds both directions of an unlimited link.
  void connect_unlimited(Vertex a, Vertex b, LinkKind kind, SimTime latency);

  /// Adds a resource without a link, for links that share it (see connect_through).
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

  /// For searches; defined in device_graph.hpp.
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
