#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "topology/importers/file_notes.hpp"
#include "topology/importers/pcie_ports.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/machine/inventory.hpp"

namespace vgsim::topology {

/// The buses behind a bridge.
struct BusRange {
  std::int64_t secondary = 0;
  std::int64_t subordinate = 0;
};

/// The facts of one PCI function in lspci.
struct LspciRecord {
  inventory::Device device;  ///< `link` is the capability of its end (LnkCap)
  std::int64_t domain = 0;
  std::int64_t bus = 0;
  std::int64_t devfn = 0;  ///< device << 3 | function
  bool is_bridge = false;  ///< a PCI bridge, with or without known buses
  PciePort port = PciePort::kUnknown;
  std::optional<BusRange> behind;
  bool is_virtual = false;  ///< an SR-IOV virtual function, by its name
  bool has_details = false;
  bool has_iommu_group = false;
  bool link_hidden = false;  ///< lspci was not run by root
  /// SR-IOV: distance of the first virtual function and from one to the next, as routing ids.
  std::optional<std::int64_t> vf_offset;
  std::optional<std::int64_t> vf_stride;
  std::size_t offset = 0;  ///< of its first line in the file

  /// Bus, device and function as one number.
  [[nodiscard]] std::int64_t routing_id() const { return bus << 8 | devfn; }
};

/// Whether a line begins a record: "[dddd:]bb:dd.f Class: ...".
[[nodiscard]] bool begins_lspci_record(std::string_view line);

/// Reads the first line, at that offset of the file. `line` begins a record.
[[nodiscard]] LspciRecord begin_lspci_record(std::string_view line, std::size_t offset,
                                             FileNotes& notes);

/// Reads a further line of the record, indented or not; lines without known facts are ignored.
void read_lspci_detail(std::string_view line, std::size_t offset, LspciRecord& record,
                       FileNotes& notes);

/// All records of the file. Errors: more than 4096, two of one bus id are a warning.
[[nodiscard]] std::vector<LspciRecord> read_lspci_records(const input::SourcePtr& source,
                                                          FileNotes& notes,
                                                          input::Diagnostics& errors);

}  // namespace vgsim::topology
