#pragma once

#include <vector>

#include "models/scenario/build/disruptions.hpp"
#include "models/scenario/build/placement.hpp"
#include "models/scenario/run/result.hpp"

namespace vgsim::scenario {

struct Library;

/// Adds to the training time what checkpoints and disruptions cost. vMotion stops all ranks; a
/// failure costs the work since the last checkpoint, the restart and the loading. What cannot occur
/// costs nothing, and a warning says why: a VM that takes no part in the job, a time after its end,
/// a vMotion without a host that has room, a failure after which nothing can restart the VMs.
void add_disruptions(const std::vector<Disruption>& disruptions, const Placement& placed,
                     const Library& library, LayoutResult& result);

}  // namespace vgsim::scenario
