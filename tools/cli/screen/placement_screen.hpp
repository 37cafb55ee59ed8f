#pragma once

#include <string>
#include <vector>

#include "models/scenario/build/vm_placement.hpp"
#include "tools/text/terminal_size.hpp"

namespace vgsim::cli {

/// Whether all VMs can be placed, which cannot and why, and what remains free, on one screen;
/// equal VMs on equal hosts are one line.
[[nodiscard]] std::string placement_screen(const std::vector<scenario::LayoutPlacement>& layouts,
                                           const text::TerminalSize& terminal);

/// The same verdict, then every VM and host.
[[nodiscard]] std::string placement_in_full(const std::vector<scenario::LayoutPlacement>& layouts,
                                            const text::TerminalSize& terminal);

}  // namespace vgsim::cli
