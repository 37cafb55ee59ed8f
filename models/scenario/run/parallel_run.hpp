#pragma once

#include "models/scenario/build/prepared.hpp"
#include "models/scenario/build/run_settings.hpp"
#include "models/scenario/run/result.hpp"

namespace vgsim::scenario {

/// Runs a training job that splits more than its data (training::TrainingJob::parallelism): one
/// rank of each pipeline stage, in the order of its schedule. Collectives of tensor-, context-,
/// expert- and data-parallel groups are simulated over the real links, together with those of the
/// groups that meet them on their hosts; a rank waits for those of its layers, and gradients are
/// reduced while the last micro-batch goes backward where the job overlaps them.
void run_parallel(const PreparedLayout& prepared, const RunSettings& settings,
                  LayoutResult& result);

}  // namespace vgsim::scenario
