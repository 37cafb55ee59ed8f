#pragma once

#include "models/scenario/build/prepared.hpp"
#include "models/scenario/build/run_settings.hpp"
#include "models/scenario/run/result.hpp"

namespace vgsim::scenario {

/// Simulates an epoch of a training job, without repeated iterations; then one GPU alone (for the
/// scaling efficiency) and the job with infinitely fast links of the bottleneck's kind (for the
/// next bottleneck), and fills in the result.
void run_training(const PreparedLayout& layout, const RunSettings& settings, LayoutResult& result);

}  // namespace vgsim::scenario
