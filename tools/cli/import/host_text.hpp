#pragma once

#include <string>
#include <vector>

#include "topology/catalog/catalog.hpp"
#include "topology/machine/inventory.hpp"

namespace vgsim::cli {

/// A device in words: its catalogue name by its ids or name, else its own name, else its ids;
/// "GPU" or "NIC" if unknown.
[[nodiscard]] std::string device_text(const topology::inventory::Device& device,
                                      const topology::Catalog& catalog);

/// Sentences on the devices of a host: GPUs, NICs, NUMA nodes, switches, NVLinks.
[[nodiscard]] std::vector<std::string> host_facts(const topology::inventory::Inventory& host,
                                                  const topology::Catalog& catalog);

}  // namespace vgsim::cli
