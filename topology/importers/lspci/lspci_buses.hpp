#pragma once

#include <optional>
#include <string>
#include <vector>

#include "topology/importers/file_notes.hpp"
#include "topology/importers/lspci/lspci_record.hpp"
#include "topology/importers/pcie_ports.hpp"
#include "topology/input/diagnostics.hpp"

namespace vgsim::topology {

/// A bus below no bridge of the dump, and its functions.
struct RootBus {
  std::string root_complex;  ///< "0000:16"
  std::vector<PciFunction> functions;
};

/// Puts records under the bridges that lead to their buses; root buses in the file's order, each
/// function in that order. A bus that is not the first bus of any bridge, but within the range of
/// one, belongs to that bridge. Errors: more than 32 nested bridges.
[[nodiscard]] std::vector<RootBus> root_buses_of(std::vector<LspciRecord> records,
                                                 const FileNotes& notes,
                                                 input::Diagnostics& errors);

}  // namespace vgsim::topology
