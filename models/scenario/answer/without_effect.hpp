#pragma once

#include "models/scenario/build/placement.hpp"
#include "models/scenario/run/result.hpp"

namespace vgsim::scenario {

struct Library;

/// Warns about events of the scenario that do not affect the job: stragglers without ranks of the
/// job, neighbours on other hosts, faults of links outside the job's run time or paths.
void warn_of_no_effect(const Placement& placed, const Library& library, LayoutResult& result);

}  // namespace vgsim::scenario
