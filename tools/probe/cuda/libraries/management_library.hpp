#pragma once

#include <string>

namespace vgsim::probe::cuda {

// Data of NVML; empty if it is missing or has no answer.

/// "580.159.03"
[[nodiscard]] std::string driver_version();

/// "none", "passthrough" or "vgpu"
[[nodiscard]] std::string virtualization_of(const std::string& pci_address);

}  // namespace vgsim::probe::cuda
