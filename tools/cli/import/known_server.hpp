#pragma once

#include <string>
#include <vector>

#include "topology/catalog/catalog.hpp"
#include "topology/machine/inventory.hpp"

namespace vgsim::cli {

/// The server of the catalogue that a host says it is ("PowerEdge XE9680"), by one of its names
/// word for word; nullptr where none or several have that name.
[[nodiscard]] const topology::ServerModel* known_server(const topology::inventory::Inventory& host,
                                                        const topology::Catalog& catalog);

/// Whether the files tell no NUMA node and no GPU of a host, as lists of hosts do.
[[nodiscard]] bool tells_no_devices(const topology::inventory::Inventory& host);

/// What is assumed where that server stands for the host.
[[nodiscard]] std::vector<std::string> server_assumptions(
    const topology::inventory::Inventory& host, const topology::ServerModel& server);

}  // namespace vgsim::cli
