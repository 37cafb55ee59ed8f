#pragma once

#include <vector>

#include "models/scenario/build/disruptions.hpp"
#include "models/scenario/build/placement.hpp"
#include "models/scenario/run/result.hpp"

namespace vgsim::scenario {

struct Library;

/// Adds the cost of checkpoints and disruptions to the training time. vMotion stops all ranks; a
/// failure costs the work since the last checkpoint, the restart and the loading. Events without
/// effect cost nothing and cause a warning: a VM outside the job, a time after its end, a vMotion
/// without a target host, a failure after which the VMs cannot be restarted.
void add_disruptions(const std::vector<Disruption>& disruptions, const Placement& placed,
                     const Library& library, LayoutResult& result);

}  // namespace vgsim::scenario
