#pragma once

#include "models/scenario/build/prepared.hpp"
#include "models/scenario/build/run_settings.hpp"
#include "models/scenario/run/result.hpp"

namespace vgsim::scenario {

/// Simulates the iterations of a training job that splits more than its data
/// (training::TrainingJob::parallelism): exchanges of all axes are flows beside each other, see
/// training::build_split_graph; then the same with the bottleneck's kind of link taken away (for
/// what would limit next), and fills in the result.
void run_parallel(const PreparedLayout& prepared, const RunSettings& settings,
                  LayoutResult& result);

}  // namespace vgsim::scenario
