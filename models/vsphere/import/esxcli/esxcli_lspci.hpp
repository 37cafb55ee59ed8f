#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "topology/machine/inventory.hpp"

namespace vgsim::vsphere::import {

/// A line of lspci on ESXi, behind the address: "Network controller: Mellanox ... [vmnic4]".
struct EsxLspciLine {
  std::string kind;   ///< "Network controller", "Display controller 3D controller"
  std::string name;   ///< "Mellanox Technologies MT27700 Family [ConnectX-4]"
  std::string alias;  ///< "vmnic4", "PF_0.175.0_VF_0"; empty: none
};
[[nodiscard]] EsxLspciLine read_lspci_line(std::string_view line);

/// Whether an alias is one that ESXi alone gives, so that the line is not from Linux.
[[nodiscard]] bool is_esx_alias(std::string_view alias);

/// Of a virtual function by its alias, the bus id of its physical function. The numbers are
/// decimal: segment, bus, device and function in one. Nothing for other aliases.
[[nodiscard]] std::optional<std::string> physical_function(std::string_view alias);

/// The kind of a device by the text of lspci, if an Inventory contains it.
[[nodiscard]] std::optional<topology::inventory::DeviceKind> lspci_kind(const EsxLspciLine& line);

}  // namespace vgsim::vsphere::import
