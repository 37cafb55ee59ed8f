#pragma once

#include <string>
#include <vector>

#include "topology/catalog/catalog.hpp"
#include "topology/machine/inventory.hpp"

namespace vgsim::cli {

/// What a device is: its catalogue name where its ids or its name tell it, else its own words, else
/// its ids; "GPU" or "NIC" if nothing is known.
[[nodiscard]] std::string device_text(const topology::inventory::Device& device,
                                      const topology::Catalog& catalog);

/// Sentences on what a host has: GPUs, NICs, NUMA nodes, switches, NVLinks.
[[nodiscard]] std::vector<std::string> host_facts(const topology::inventory::Inventory& host,
                                                  const topology::Catalog& catalog);

}  // namespace vgsim::cli
