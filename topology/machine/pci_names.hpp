#pragma once

#include <string>
#include <string_view>

#include "topology/machine/inventory.hpp"

namespace vgsim::topology {

/// Class, ids and name of a PCI function from lspci or hwloc; unknown parts are empty. Hex digits
/// in lower case without 0x.
struct PciMake {
  std::string pci_class;  ///< "0302"
  std::string vendor;     ///< "10de"
  std::string device;     ///< "2330"
  std::string name;       ///< with the vendor first: "NVIDIA Corporation GH100 [H100 SXM5 80GB]"
};

/// The kind by class and vendor; by name without a class. Display chips of management controllers
/// and emulators, and functions that no importer keeps, are kOther.
[[nodiscard]] inventory::DeviceKind kind_of_pci(const PciMake& make);

/// Whether a name denotes an SR-IOV virtual function.
[[nodiscard]] bool names_virtual_function(std::string_view name);

/// Class code of a class name in lspci ("3D controller" is "0302"); empty for classes that no
/// importer keeps.
[[nodiscard]] std::string pci_class_by_name(std::string_view class_name);

/// Ids in a name: the vendor by its name in the PCI ID list, the device if that list lacks it
/// ("NVIDIA Corporation Device 2330"). Otherwise empty.
[[nodiscard]] std::string vendor_by_name(std::string_view name);
[[nodiscard]] std::string device_by_name(std::string_view name);

}  // namespace vgsim::topology
