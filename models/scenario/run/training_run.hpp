#pragma once

#include "models/scenario/build/prepared.hpp"
#include "models/scenario/build/run_settings.hpp"
#include "models/scenario/run/result.hpp"

namespace vgsim::scenario {

/// Simulates an epoch of a training job, its iterations as far as they differ; then the same with
/// one GPU (for the scaling efficiency) and with the bottleneck's kind of link taken away (for what
/// would limit next), and fills in the result.
void run_training(const PreparedLayout& layout, const RunSettings& settings, LayoutResult& result);

}  // namespace vgsim::scenario
