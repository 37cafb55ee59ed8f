#pragma once

#include <optional>

#include "topology/catalog/catalog.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/spec/server_spec.hpp"

namespace vgsim::topology {

/// A server as the catalogue would have it, without NVLinks, from what a scenario says of it.
/// Reports an unknown CPU, places that are not there, PCIe switches below themselves, and slots
/// that take more lanes than their socket has; nothing comes back then.
[[nodiscard]] std::optional<ServerModel> described_server(const ServerSpec& spec,
                                                          const Catalog& catalog,
                                                          input::Diagnostics& diagnostics);

}  // namespace vgsim::topology
