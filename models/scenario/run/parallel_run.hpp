#pragma once

#include "models/scenario/build/placement.hpp"
#include "models/scenario/build/run_settings.hpp"
#include "models/scenario/run/result.hpp"
#include "topology/input/diagnostics.hpp"

namespace vgsim::scenario {

struct Library;

/// Runs a training job that splits more than its data (TrainingJob::parallelism): one rank of each
/// pipeline stage, in the order of its schedule. Collectives of tensor-, context-, expert- and
/// data-parallel groups are simulated over the real links, together with those of the groups that
/// meet them on their hosts; a rank waits for those of its layers, and gradients are reduced while
/// the last micro-batch goes backward where the job overlaps them.
void run_parallel(const Placement& placement, const Library& library, const RunSettings& settings,
                  LayoutResult& result);

/// Reports what run_parallel() would not know: rates of GPUs.
void check_parallel(const Placement& placement, const Library& library,
                    input::Diagnostics& diagnostics);

}  // namespace vgsim::scenario
