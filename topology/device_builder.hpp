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

/// The network properties of a catalogue NIC, under a name in its host.
[[nodiscard]] HostNic host_nic(const NicModel& model, std::string name);

/// Adds the devices of one host to a topology, for catalogue servers and imported dumps alike.
///
/// A device has the name of the host and of the device: "esx01/gpu0". Parents must be vertices of
/// the same host. Rates and latencies come from the catalogue.
class DeviceBuilder {
 public:
  DeviceBuilder(Topology& topology, const Catalog& catalog, std::string host_name);

  /// A NUMA node: a socket ("socket0"), or a part of one ("numa0"). `nodes_per_socket` of them
  /// share a socket's memory channels and links.
  Vertex add_socket(const CpuModel& cpu, std::int64_t nodes_per_socket = 1);
  /// Connects all sockets added so far, pairwise. Nodes of one socket get a separate link,
  /// unlimited unless the catalogue states a rate. Nodes of different sockets use the socket link,
  /// which all pairs of nodes between two sockets share.
  void join_sockets(const CpuModel& cpu, std::int64_t nodes_per_socket = 1);
  Vertex add_root_complex(Vertex socket, const std::string& name);
  Vertex add_pcie_switch(Vertex parent, const std::string& name, PcieWidth uplink,
                         const std::string& source);
  /// `model` is null for a GPU of unknown model.
  Vertex add_gpu(Vertex parent, const GpuModel* model, PcieWidth slot, const std::string& source);
  /// Sets `nic.vertex`. `model` is the catalogue name or empty.
  Vertex add_nic(Vertex parent, HostNic nic, const std::string& model, PcieWidth slot,
                 const std::string& source);
  /// Adds another port or function of the card whose first NIC is `card`; both share the PCIe link.
  Vertex add_port(Vertex card, HostNic nic, const std::string& model);
  /// Whether the name that a scenario gives to a NIC is unused in the host. If it is used, reports
  /// an error that states what to write instead.
  [[nodiscard]] bool is_free_name(const input::Named<NicSpec>& nic,
                                  input::Diagnostics& diagnostics);
  /// A NIC whose PCIe position is unknown: connected to its socket without a limit.
  Vertex add_nic_without_pcie(Vertex socket, HostNic nic);
  /// The host's storage in a scenario: a drive below `parent`, or storage reached over a NIC.
  /// Reports NICs that do not exist.
  void add_storage(const StorageSpec& storage, Vertex parent, input::Diagnostics& diagnostics);

  /// `links` NVLinks between two GPUs.
  void join_nvlink(Vertex gpu_a, Vertex gpu_b, const NvLinkGeneration& generation,
                   std::int64_t links, const GpuModel* model);
  /// Connects all GPUs to one NVSwitch vertex, each with all its links, as NCCL merges the
  /// switches. `count`: number of switches; 0 if unknown.
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
  /// Connects two NUMA nodes of one socket.
  void join_nodes(Vertex a, Vertex b, const CpuModel& cpu);
  void connect_pcie(Vertex parent, Vertex device, PcieWidth width, const std::string& source);

  Topology* topology_;
  const Catalog* catalog_;
  std::size_t host_;
  std::size_t root_complexes_ = 0;
  std::size_t switches_ = 0;
};

}  // namespace vgsim::topology
