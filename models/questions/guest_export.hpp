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

/// Which guest, and where its devices are in it.
struct GuestWanted {
  std::string vm;                     ///< or a host without VMs
  std::optional<std::string> layout;  ///< by default the first
  std::vector<std::string> bus_ids;   ///< of its devices in the guest, normalized
};

/// The topology file for NCCL in the guest of a VM of a scenario. Errors: those of the scenario, an
/// unknown VM or layout, more bus ids than devices.
[[nodiscard]] tl::expected<collectives::GuestTopologyFile, input::Diagnostics> export_guest(
    const Document& document, const Library& library, const input::FileLoader& load,
    const GuestWanted& wanted);

}  // namespace vgsim::scenario
