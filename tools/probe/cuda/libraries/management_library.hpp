#pragma once

#include <string>

namespace vgsim::probe::cuda {

// What the driver's management library, NVML, tells; empty where it is not there or does not know.

/// "580.159.03"
[[nodiscard]] std::string driver_version();

/// "none", "passthrough" or "vgpu"
[[nodiscard]] std::string virtualization_of(const std::string& pci_address);

}  // namespace vgsim::probe::cuda
