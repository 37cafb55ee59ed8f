#pragma once

#include <string>
#include <string_view>

namespace vgsim::probe::cuda {

/// Under what this machine runs, as its firmware names it ("VMware, Inc. VMware7,1"), or where a
/// guest has no such tables, as its processor does; "unknown" where neither tells, empty on bare
/// metal.
[[nodiscard]] std::string hypervisor();

/// Of the twelve characters by which hypervisors sign processors, such as "VMwareVMware".
[[nodiscard]] std::string hypervisor_signed(std::string_view signature);

}  // namespace vgsim::probe::cuda
