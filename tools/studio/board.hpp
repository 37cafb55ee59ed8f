#pragma once

#include <nlohmann/json_fwd.hpp>

#include "tools/studio/studio.hpp"

namespace vgsim::studio {

/// Where vSphere puts the VMs as they stand, by the rules of `vgsim place`: hosts with their GPUs
/// and what is on each as shares of its memory, VMs in the order of power-on with what speaks
/// against them, and framebuffer that is stranded. {"error"} where no VM can be placed at all.
[[nodiscard]] nlohmann::ordered_json board_json(const Studio& studio);

}  // namespace vgsim::studio
