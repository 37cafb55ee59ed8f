#pragma once

#include "models/scenario/build/prepared.hpp"
#include "models/scenario/build/run_settings.hpp"
#include "models/scenario/run/result.hpp"

namespace vgsim::scenario {

/// Runs a collective of each size, alone on the cluster, and fills in the result.
void run_collective(const PreparedLayout& prepared, const RunSettings& settings,
                    LayoutResult& result);

}  // namespace vgsim::scenario
