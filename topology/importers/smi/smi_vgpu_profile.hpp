#pragma once

#include <string>
#include <string_view>

namespace vgsim::topology {

/// A vGPU type as ESXi calls it, from nvidia-smi's name for it: "grid_a100d-80c" of "GRID
/// A100D-80C", "nvidia_h100xm-80c" of "NVIDIA H100XM-80C".
[[nodiscard]] std::string vgpu_profile_of(std::string_view vgpu_name);

}  // namespace vgsim::topology
