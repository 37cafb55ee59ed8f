#pragma once

#include "models/scenario/build/placement.hpp"
#include "models/scenario/read/library.hpp"
#include "models/scenario/run/result.hpp"

namespace vgsim::scenario {

/// Requirements of the job that vSphere or the vGPU software does not meet in its VMs: CUDA with a
/// profile without CUDA, GPUDirect Storage. Refuses the layout.
void judge_job(const Placement& placed, const Library& library, LayoutResult& result);

}  // namespace vgsim::scenario
