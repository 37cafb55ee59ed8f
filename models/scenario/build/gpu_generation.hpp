#pragma once

#include "topology/catalog/parts.hpp"

namespace vgsim::scenario {

/// The generation whose parameters a GPU has: "volta" (also older), "ampere", "hopper",
/// "blackwell".
[[nodiscard]] const char* generation_of(const topology::GpuModel& gpu);

}  // namespace vgsim::scenario
