#pragma once

#include <string>

#include "topology/importers/smi/smi_gpu_facts.hpp"

namespace vgsim::topology {

/// Warns if a GPU's part of the NVLink fabric is not registered or not healthy, as its facts tell,
/// and mentions a fabric that is shared with other hosts.
void tell_of_smi_fabric(const SmiGpuFacts& facts, const std::string& name, SmiReport& report);

}  // namespace vgsim::topology
