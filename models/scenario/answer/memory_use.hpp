#pragma once

#include <optional>

#include "models/scenario/build/placement.hpp"
#include "models/scenario/run/result.hpp"

namespace vgsim::scenario {

struct Library;

/// What the fullest GPU of a training job keeps in memory, and what there is on the smallest;
/// nothing where the model of a GPU is not known.
[[nodiscard]] std::optional<MemoryUse> memory_use(const Placement& placement,
                                                  const Library& library);

}  // namespace vgsim::scenario
