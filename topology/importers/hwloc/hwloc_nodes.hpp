#pragma once

#include <hwloc.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "topology/importers/file_notes.hpp"
#include "topology/machine/inventory.hpp"

namespace vgsim::topology {

/// The NUMA nodes of a host that have CPUs, and where objects belong.
class HwlocNodes {
 public:
  /// Adds the nodes to the host. `stated`: whether the file has any; otherwise libhwloc creates one
  /// with all CPUs, and the node has no id. Nodes without CPUs (GPU memory, CXL, HBM) are omitted
  /// with a note.
  HwlocNodes(hwloc_topology_t topology, bool stated, inventory::Inventory& host, FileNotes& notes);

  /// The node of an object, by the NUMA nodes that are near it. If these are several or none, a
  /// node without an id.
  [[nodiscard]] inventory::NumaNode& node_of(hwloc_obj_t object);
  /// Whether a single NUMA node is near the object.
  [[nodiscard]] bool has_one_node(hwloc_obj_t object) const;

  /// NUMA node of the memory of the GPU with that bus id.
  [[nodiscard]] std::optional<std::int64_t> gpu_memory(const std::string& bus_id) const;

 private:
  void add(hwloc_obj_t object, bool stated);
  void set_package(hwloc_obj_t object, inventory::NumaNode& node);
  void set_cores(hwloc_obj_t object, inventory::NumaNode& node);
  void set_cpus(hwloc_obj_t object, inventory::NumaNode& node);
  [[nodiscard]] std::vector<std::size_t> near(hwloc_obj_t object) const;

  hwloc_topology_t topology_;
  inventory::Inventory& host_;
  FileNotes& notes_;
  std::vector<unsigned> os_indices_;           ///< of the host's nodes
  std::map<std::string, std::size_t> shared_;  ///< nodes without an id, by the sets of nodes
  std::map<std::string, std::int64_t> gpu_memory_;
};

/// Reads the facts of the whole host: name, vendor, sockets and others.
void read_hwloc_machine(hwloc_topology_t topology, inventory::Inventory& host, FileNotes& notes);

}  // namespace vgsim::topology
