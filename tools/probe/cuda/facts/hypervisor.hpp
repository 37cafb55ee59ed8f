#pragma once

#include <string>
#include <string_view>

namespace vgsim::probe::cuda {

/// The hypervisor by the firmware's tables ("VMware, Inc. VMware7,1"), or without such tables
/// by CPUID; "unknown" if neither names it, empty on bare metal.
[[nodiscard]] std::string hypervisor();

/// By the signature of twelve characters in CPUID, such as "VMwareVMware".
[[nodiscard]] std::string hypervisor_signed(std::string_view signature);

}  // namespace vgsim::probe::cuda
