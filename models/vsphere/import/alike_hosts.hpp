#pragma once

#include <cstddef>
#include <vector>

#include "models/vsphere/import/vm_facts.hpp"

namespace vgsim::vsphere::import {

/// For each host the place of the first that is like it: all that is told of it is the same but
/// names, serial numbers, what runs there now, and the files that told it.
[[nodiscard]] std::vector<std::size_t> alike_hosts(const std::vector<Inventory>& hosts);

}  // namespace vgsim::vsphere::import
