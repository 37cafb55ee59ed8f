#pragma once

#include <optional>

#include "topology/catalog/catalog.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/spec/server_spec.hpp"

namespace vgsim::topology {

/// Converts a server described in a scenario to a catalogue model, without NVLinks. Reports an
/// unknown CPU, parents that do not exist, cycles of PCIe switches, and slots that use more lanes
/// than their socket has; then returns nothing.
[[nodiscard]] std::optional<ServerModel> described_server(const ServerSpec& spec,
                                                          const Catalog& catalog,
                                                          input::Diagnostics& diagnostics);

}  // namespace vgsim::topology
