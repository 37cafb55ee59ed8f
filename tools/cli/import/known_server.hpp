#pragma once

#include <string>
#include <vector>

#include "topology/catalog/catalog.hpp"
#include "topology/machine/inventory.hpp"

namespace vgsim::cli {

/// The catalogue's server for the model of a host ("PowerEdge XE9680"), which has to equal one
/// of its names; nullptr if none or several match.
[[nodiscard]] const topology::ServerModel* known_server(const topology::inventory::Inventory& host,
                                                        const topology::Catalog& catalog);

/// Whether the files contain no NUMA node and no GPU of a host, like lists of hosts.
[[nodiscard]] bool has_no_devices(const topology::inventory::Inventory& host);

/// The assumptions made by taking that server for the host.
[[nodiscard]] std::vector<std::string> server_assumptions(
    const topology::inventory::Inventory& host, const topology::ServerModel& server);

}  // namespace vgsim::cli
