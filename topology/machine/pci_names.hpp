#pragma once

#include <string>
#include <string_view>

#include "topology/machine/inventory.hpp"

namespace vgsim::topology {

/// What lspci and hwloc tell of a PCI function's make, each part empty where it is not told. Hex
/// digits in lower case without 0x.
struct PciMake {
  std::string pci_class;  ///< "0302"
  std::string vendor;     ///< "10de"
  std::string device;     ///< "2330"
  std::string name;       ///< with the vendor first: "NVIDIA Corporation GH100 [H100 SXM5 80GB]"
};

/// The kind by the class and the vendor; by the name where no class is told. The display chips of
/// management controllers and of emulators are kOther, as is anything that no importer keeps.
[[nodiscard]] inventory::DeviceKind kind_of_pci(const PciMake& make);

/// Whether a name says that the function is an SR-IOV virtual function.
[[nodiscard]] bool names_virtual_function(std::string_view name);

/// Class code of a class name as lspci writes it ("3D controller" is "0302"); empty for classes of
/// which no importer keeps a device.
[[nodiscard]] std::string pci_class_by_name(std::string_view class_name);

/// Ids that a name tells: the vendor by its name in the PCI ID list, the device where that list
/// lacks it ("NVIDIA Corporation Device 2330"). Empty where it does not.
[[nodiscard]] std::string vendor_by_name(std::string_view name);
[[nodiscard]] std::string device_by_name(std::string_view name);

}  // namespace vgsim::topology
