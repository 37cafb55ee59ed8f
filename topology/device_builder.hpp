#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "topology/catalog/catalog.hpp"
#include "topology/graph/graph.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/spec/host_spec.hpp"

namespace vgsim::topology {

/// What a NIC of the catalogue offers to the network, under a name of its host.
[[nodiscard]] HostNic host_nic(const NicModel& model, std::string name);

/// Puts the devices of one host into a topology. Catalogue servers and imported dumps both go
/// through it, so that both give the same kind of graph.
///
/// A device's name is the host's and its own: "esx01/gpu0". Parents must be vertices of the same
/// host. What the parts can carry comes from the catalogue.
class DeviceBuilder {
 public:
  DeviceBuilder(Topology& topology, const Catalog& catalog, std::string host_name);

  /// A NUMA node: a socket ("socket0"), or a part of one ("numa0"). `nodes_per_socket` of them
  /// share a socket's memory channels and links.
  Vertex add_socket(const CpuModel& cpu, std::int64_t nodes_per_socket = 1);
  /// Joins all sockets added so far, pairwise: nodes of one socket by a link of their own, which is
  /// no limit unless the catalogue states one; nodes of different sockets over the socket link,
  /// which all pairs of nodes between two sockets share.
  void join_sockets(const CpuModel& cpu, std::int64_t nodes_per_socket = 1);
  Vertex add_root_complex(Vertex socket, const std::string& name);
  Vertex add_pcie_switch(Vertex parent, const std::string& name, PcieWidth uplink,
                         const std::string& source);
  /// `model` may be null for a GPU whose model is unknown.
  Vertex add_gpu(Vertex parent, const GpuModel* model, PcieWidth slot, const std::string& source);
  /// `nic.vertex` is filled in; `model` is the catalogue name or empty.
  Vertex add_nic(Vertex parent, HostNic nic, const std::string& model, PcieWidth slot,
                 const std::string& source);
  /// Another port, or function, of the card that the NIC at `card` is the first of: both share the
  /// card's PCIe link.
  Vertex add_port(Vertex card, HostNic nic, const std::string& model);
  /// Whether no other device of the host has the name that a scenario gives to a NIC; an error that
  /// says what to write instead, if one has.
  [[nodiscard]] bool is_free_name(const input::Named<NicSpec>& nic,
                                  input::Diagnostics& diagnostics);
  /// A NIC whose place in the PCIe tree is unknown: reached from its socket without a limit.
  Vertex add_nic_without_pcie(Vertex socket, HostNic nic);
  /// The host's storage as a scenario states it: a drive behind `parent`, or reached over a NIC.
  /// Reports NICs that the host lacks.
  void add_storage(const StorageSpec& storage, Vertex parent, input::Diagnostics& diagnostics);

  /// `links` NVLinks between two GPUs.
  void join_nvlink(Vertex gpu_a, Vertex gpu_b, const NvLinkGeneration& generation,
                   std::int64_t links, const GpuModel* model);
  /// All GPUs on one NVSwitch vertex, each with all of its links, as NCCL merges the switches.
  /// `count`: how many of them; 0 where no one says.
  void join_nvswitch(const NvSwitchModel& nvswitch, std::int64_t count,
                     const std::map<Vertex, std::int64_t>& links,
                     const NvLinkGeneration& generation);

  void assume(std::string what);

  [[nodiscard]] Host& host() { return topology_->hosts[host_]; }
  [[nodiscard]] const Catalog& catalog() const { return *catalog_; }

 private:
  Vertex add(const std::string& name, NodeKind kind, std::size_t index, std::string model = {},
             std::int64_t parts = 1);
  Vertex register_nic(HostNic nic, const std::string& model);
  /// Two NUMA nodes of one socket.
  void join_nodes(Vertex a, Vertex b, const CpuModel& cpu);
  void connect_pcie(Vertex parent, Vertex device, PcieWidth width, const std::string& source);

  Topology* topology_;
  const Catalog* catalog_;
  std::size_t host_;
  std::size_t root_complexes_ = 0;
  std::size_t switches_ = 0;
};

}  // namespace vgsim::topology
