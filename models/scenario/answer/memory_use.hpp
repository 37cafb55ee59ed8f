#pragma once

#include <optional>

#include "models/scenario/build/placement.hpp"
#include "models/scenario/run/result.hpp"

namespace vgsim::scenario {

struct Library;

/// Memory needed on the fullest GPU of a training job, and the capacity of the smallest one, in
/// bytes; nothing if a GPU's model is unknown.
[[nodiscard]] std::optional<MemoryUse> memory_use(const Placement& placement,
                                                  const Library& library);

}  // namespace vgsim::scenario
