#pragma once

#include <cstddef>
#include <vector>

#include "models/vsphere/import/vm_facts.hpp"

namespace vgsim::vsphere::import {

/// For each host the index of the first equal host. Names, serial numbers, running vGPUs and source
/// files may differ.
[[nodiscard]] std::vector<std::size_t> alike_hosts(const std::vector<Inventory>& hosts);

}  // namespace vgsim::vsphere::import
