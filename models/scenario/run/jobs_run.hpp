#pragma once

#include "models/scenario/build/prepared.hpp"
#include "models/scenario/build/run_settings.hpp"
#include "models/scenario/run/result.hpp"

namespace vgsim::scenario {

/// Runs the jobs of a layout together, after its first one has run alone (`result`). Sets
/// LayoutResult::jobs, and the times of the first job as they are beside the others.
///
/// Does nothing for a layout of one job.
void run_jobs(const PreparedLayout& layout, const RunSettings& settings, LayoutResult& result);

}  // namespace vgsim::scenario
