#pragma once

#include <string>
#include <tl/expected.hpp>

#include "topology/catalog/catalog.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/machine/inventory.hpp"

namespace vgsim::cli {

/// Differences of an imported host from a server of the catalogue with a NIC in every slot:
/// path classes, then speeds. Data of GPUs that the dump lacks is taken from the server.
/// Errors: an unknown server, a host that cannot be built.
[[nodiscard]] tl::expected<std::string, input::Diagnostics> server_comparison(
    const topology::inventory::Inventory& host, const std::string& server,
    const topology::Catalog& catalog);

}  // namespace vgsim::cli
