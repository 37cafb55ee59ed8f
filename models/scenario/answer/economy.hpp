#pragma once

#include "models/scenario/build/placement.hpp"
#include "models/scenario/run/result.hpp"

namespace vgsim::scenario {

struct Library;

/// Adds GPU-hours, energy, cost and the effect of failures to a training result. Energy: GPUs draw
/// one share of their thermal design power while computing and another while waiting, hosts a
/// constant power. Cost: only with prices. Failures: only with "reliability". A fraction of a GPU
/// counts as that fraction, and a host as the share of its GPUs used by the job (listed as an
/// assumption); only vGPUs need licences.
void add_economy(const Placement& placement, const Library& library, LayoutResult& result);

}  // namespace vgsim::scenario
