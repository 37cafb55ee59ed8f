#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "models/vsphere/import/reading.hpp"
#include "models/vsphere/import/vim/vim_value.hpp"

namespace vgsim::vsphere::import {

/// Reads the CPUs, the memory and the NUMA nodes of a HostSystem: hardware.cpuInfo, .cpuPkg,
/// .memorySize and .numaInfo, and summary.hardware in their lack.
///
/// Returns the NUMA nodes of PCI devices by bus id.
[[nodiscard]] std::map<std::string, std::int64_t> read_vim_cpus(const VimValue& root,
                                                                FileNotes& notes, Inventory& host);

}  // namespace vgsim::vsphere::import
