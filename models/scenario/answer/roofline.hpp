#pragma once

#include <optional>

#include "models/scenario/build/placement.hpp"
#include "models/scenario/run/result.hpp"

namespace vgsim::scenario {

struct Library;

/// The layers of a training job under the roofs of its first GPU: the peak in the job's precision
/// and the bandwidth of its memory (S. Williams et al., Roofline, 2009). Layers whose forward pass
/// does the same work are one point. Nothing for networks without operations.
[[nodiscard]] std::optional<Roofline> roofline(const Placement& placement, const Library& library);

}  // namespace vgsim::scenario
