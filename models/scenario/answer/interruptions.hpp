#pragma once

#include <vector>

#include "models/scenario/build/disruptions.hpp"
#include "models/scenario/build/placement.hpp"
#include "models/scenario/run/result.hpp"

namespace vgsim::scenario {

struct Library;

/// Adds to the training time what checkpoints and disruptions cost. vMotion stops all ranks; a
/// failure costs the work since the last checkpoint, the restart and the loading.
void add_disruptions(const std::vector<Disruption>& disruptions, const Placement& placed,
                     const Library& library, TrainingResult& result);

}  // namespace vgsim::scenario
