#pragma once

#include <map>
#include <string>
#include <vector>

#include "models/vsphere/import/pci_tree.hpp"
#include "models/vsphere/import/reading.hpp"

namespace vgsim::vsphere::import {

/// The PCI functions of a host from a list, with additions from other parts of a file.
class HostFunctions {
 public:
  explicit HostFunctions(FileNotes& notes) : notes_(notes) {}

  void add(PciFunction function);

  /// The device at a bus id, if it is known. Null if not.
  [[nodiscard]] topology::inventory::Device* at(const std::string& bus_id);
  /// The same; if it is not known it becomes a device without a place in the tree.
  [[nodiscard]] topology::inventory::Device& at_or_new(const std::string& bus_id,
                                                       topology::inventory::DeviceKind kind);
  /// Whether the file lists functions.
  [[nodiscard]] bool listed() const { return !functions_.empty(); }

  /// Sets the NUMA node of each device.
  void set_numa_nodes(const std::map<std::string, std::int64_t>& nodes);

  /// Moves all to the host. Errors as of place_pci_functions().
  void place(Inventory& host);

 private:
  FileNotes& notes_;
  std::vector<PciFunction> functions_;
  std::map<std::string, std::size_t> index_;                ///< of functions_
  std::map<std::string, topology::inventory::Device> new_;  ///< not listed as functions
};

}  // namespace vgsim::vsphere::import
