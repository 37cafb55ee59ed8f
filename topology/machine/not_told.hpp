#pragma once

#include <string>
#include <vector>

#include "topology/machine/device_names.hpp"
#include "topology/machine/inventory.hpp"

namespace vgsim::topology::inventory {

/// What an architect would ask of a device or NUMA node and no file answers, by the keys of a
/// topology file: "link", "memory", "speed".
[[nodiscard]] std::vector<std::string> not_told_of(const NamedDevice& named);
[[nodiscard]] std::vector<std::string> not_told_of(const NumaNode& node);

/// The same of the whole host, for people: "link of gpu0 to gpu7", "socket of numa0, numa1".
[[nodiscard]] std::vector<std::string> not_told(const Inventory& host);

}  // namespace vgsim::topology::inventory
