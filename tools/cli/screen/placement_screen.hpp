#pragma once

#include <string>
#include <vector>

#include "models/scenario/build/vm_placement.hpp"
#include "tools/text/room.hpp"

namespace vgsim::cli {

/// Whether all VMs fit, which do not and why, and what is left over, on one screen: VMs that get
/// the same on hosts that keep the same are one line.
[[nodiscard]] std::string placement_screen(const std::vector<scenario::LayoutPlacement>& layouts,
                                           const text::Room& room);

/// The same verdict, then every VM and host.
[[nodiscard]] std::string placement_in_full(const std::vector<scenario::LayoutPlacement>& layouts,
                                            const text::Room& room);

}  // namespace vgsim::cli
