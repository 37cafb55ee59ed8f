#pragma once

#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "models/collectives/guest_topology_file.hpp"
#include "models/scenario/read/document.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/file_loader.hpp"

namespace vgsim::scenario {

struct Library;

/// The guest, and the addresses of its devices.
struct GuestWanted {
  std::string vm;                     ///< name of a VM, or of a host without VMs
  std::optional<std::string> layout;  ///< default: the first layout
  std::vector<std::string> bus_ids;   ///< bus ids of its devices in the guest, normalized
};

/// The topology file for NCCL in the guest of a VM of a scenario. Errors: those of the scenario, an
/// unknown VM or layout, more bus ids than devices.
[[nodiscard]] tl::expected<collectives::GuestTopologyFile, input::Diagnostics> export_guest(
    const Document& document, const Library& library, const input::FileLoader& load,
    const GuestWanted& wanted);

}  // namespace vgsim::scenario
