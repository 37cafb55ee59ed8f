#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "topology/machine/inventory.hpp"

/// Derived facts of an inventory that need no catalogue.
namespace vgsim::topology::inventory {

/// Six hex digits: the class of the device, else the usual one of its kind; empty if neither
/// exists.
[[nodiscard]] std::string pci_class_of(const Device& device);

/// "10de:20b0" as in the catalogue; empty if either id is missing, or 0000 or ffff as in
/// hand-written files.
[[nodiscard]] std::string pci_id_of(const Device& device);

/// A PCIe link in the format in which NCCL reads it from Linux.
struct LinkText {
  std::string speed;       ///< "16.0 GT/s PCIe"; empty: unknown
  std::int64_t lanes = 0;  ///< 0: unknown
};

/// The link above a device as in an NCCL file; otherwise the capability of both ends.
[[nodiscard]] LinkText link_text_of(const Device& device);

/// Upper bound on port rates: 10 Tbit/s. Plug-ins for Slingshot write kbit/s where NCCL uses
/// Mbit/s.
inline constexpr BytesPerSecond kFastestPort{10'000'000 * kMegabitPerSecond.count()};

/// Total rate of the ports of a card; 0 if unknown. Rates above kFastestPort are ignored.
[[nodiscard]] BytesPerSecond stated_rate(const std::vector<Port>& ports);

/// A port's GUID as a number; 0 if it has none.
[[nodiscard]] std::uint64_t guid_of(const Port& port);

/// The number of a NUMA node: its id; -1 for a node without an id if others have one; its index if
/// no node has one.
[[nodiscard]] std::int64_t numa_number(const Inventory& host, std::size_t node);

}  // namespace vgsim::topology::inventory
