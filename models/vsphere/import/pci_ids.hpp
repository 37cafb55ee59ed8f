#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "topology/machine/inventory.hpp"

/// PCI addresses, ids and classes as the tools of vSphere write them. Results are as in Inventory:
/// normalized bus ids, ids and classes of four hex digits.
namespace vgsim::vsphere::import {

/// An id as the API has it: 16 bits, signed (-32634 is 0x8086) or not. Empty if it is neither.
[[nodiscard]] std::string pci_id(std::int64_t id);

/// An id in hex, with "0x" or without: "0x10de", "10d3", "43". Empty if it is none.
[[nodiscard]] std::string hex_pci_id(std::string_view text);

/// A bus id in hex as the API, OVF and esxcli write it: "0000:1a:00.1", or without the domain, as
/// hosts before 5.5 do. Empty if it is none.
[[nodiscard]] std::string hex_bus_id(std::string_view text);

/// A bus id in decimal as .vmx files write it: "00000:026:00.1", without the domain "130:00.0", or
/// by hand "0:66:0.0". Empty if it is none.
[[nodiscard]] std::string decimal_bus_id(std::string_view text);

/// The parent of a device in "esxcli hardware pci list": "PCI 0:174:0:0", decimal. Empty if it is
/// none.
[[nodiscard]] std::string esxcli_bus_id(std::string_view text);

/// Domain and bus of a normalized bus id: "0000:1a".
[[nodiscard]] std::string bus_of(std::string_view bus_id);

/// The kind of a function, if an Inventory contains it: bridges between PCI buses, GPUs of NVIDIA,
/// AMD and Intel (not the display of a management controller), NICs, NVMe, NVSwitches.
[[nodiscard]] std::optional<topology::inventory::DeviceKind> device_kind(std::string_view pci_class,
                                                                         std::string_view vendor);
/// A root of PCI buses listed as a function.
[[nodiscard]] bool is_host_bridge(std::string_view pci_class);

}  // namespace vgsim::vsphere::import
