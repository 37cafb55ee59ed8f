#pragma once

#include "models/scenario/build/placement.hpp"
#include "models/scenario/run/result.hpp"

namespace vgsim::scenario {

struct Library;

/// Adds to a training job what it takes beside time: GPU-hours; energy of its GPUs, which draw a
/// share of their thermal design power while they compute and another while they wait, and of their
/// hosts; money, where prices are given; and what failures make of its time, where the layout says
/// how reliable its parts are. A fraction of a GPU counts as that fraction, and a host as the share
/// of its GPUs that the job has, which is said; licences are those of vGPUs.
void add_economy(const Placement& placement, const Library& library, LayoutResult& result);

}  // namespace vgsim::scenario
