#pragma once

#include <vector>

#include "models/scenario/build/disruptions.hpp"
#include "models/scenario/run/result.hpp"

namespace vgsim::scenario {

struct Library;

/// Adds to the training time what checkpoints and disruptions cost. vMotion stops all ranks for the
/// expected stun; a failure costs the work since the last checkpoint, the restart and the loading.
void add_disruptions(const std::vector<Disruption>& disruptions, const Checkpoints& checkpoints,
                     const Cluster& cluster, const Library& library, TrainingResult& result);

}  // namespace vgsim::scenario
