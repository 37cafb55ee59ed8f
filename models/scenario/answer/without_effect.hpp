#pragma once

#include "models/scenario/build/placement.hpp"
#include "models/scenario/run/result.hpp"

namespace vgsim::scenario {

struct Library;

/// Warns of what the scenario lets happen beside the job and the job never meets, as its result
/// shows: stragglers that are none of its ranks, neighbours on other hosts, links that fail while
/// it is not running or that it does not cross.
void warn_of_no_effect(const Placement& placed, const Library& library, LayoutResult& result);

}  // namespace vgsim::scenario
