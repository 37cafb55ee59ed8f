#pragma once

#include <string>
#include <vector>

#include "topology/machine/device_names.hpp"
#include "topology/machine/inventory.hpp"

namespace vgsim::topology::inventory {

/// Important facts of a device or NUMA node that no file states, as keys of a topology file:
/// "link", "memory", "speed".
[[nodiscard]] std::vector<std::string> unknown_keys(const NamedDevice& named);
[[nodiscard]] std::vector<std::string> unknown_keys(const NumaNode& node);

/// The same for the whole host, as text: "link of gpu0 to gpu7", "socket of numa0, numa1".
[[nodiscard]] std::vector<std::string> unknown_facts(const Inventory& host);

}  // namespace vgsim::topology::inventory
