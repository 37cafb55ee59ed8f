#pragma once

#include <nlohmann/json_fwd.hpp>

#include "tools/studio/studio.hpp"

namespace vgsim::studio {

/// Placement of the present VMs by the rules of `vgsim place`: hosts with their GPUs and the vGPUs
/// on each as shares of its memory, VMs in power-on order with the reasons of refusals, and
/// stranded framebuffer. {"error"} if no VM can be placed.
[[nodiscard]] nlohmann::ordered_json board_json(const Studio& studio);

}  // namespace vgsim::studio
