#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "topology/machine/inventory.hpp"

/// What follows from the facts of an inventory without a catalogue.
namespace vgsim::topology::inventory {

/// Six hex digits: the class that the device states, else the usual one of its kind. Empty if there
/// is neither.
[[nodiscard]] std::string pci_class_of(const Device& device);

/// "10de:20b0" as the catalogue writes it; empty if either id is missing, or 0000 or ffff as in
/// files that were written by hand.
[[nodiscard]] std::string pci_id_of(const Device& device);

/// A PCIe link as NCCL reads it from Linux.
struct LinkText {
  std::string speed;       ///< "16.0 GT/s PCIe"; empty: not stated
  std::int64_t lanes = 0;  ///< 0: not stated
};

/// What an NCCL file states of the link above a device; else what both of its ends can do.
[[nodiscard]] LinkText link_text_of(const Device& device);

/// Faster than any port: 10 Tbit/s. Plug-ins for Slingshot write kbit/s where NCCL has Mbit/s.
inline constexpr BytesPerSecond kFastestPort{10'000'000 * kMegabitPerSecond.count()};

/// The sum of a card's ports; 0 if none states a rate. Rates beyond kFastestPort do not count.
[[nodiscard]] BytesPerSecond stated_rate(const std::vector<Port>& ports);

/// A port's GUID as a number; 0 if it has none.
[[nodiscard]] std::uint64_t guid_of(const Port& port);

/// The number of a NUMA node: its id; -1 for one without where others have one; its place in the
/// list where none has.
[[nodiscard]] std::int64_t numa_number(const Inventory& host, std::size_t node);

}  // namespace vgsim::topology::inventory
