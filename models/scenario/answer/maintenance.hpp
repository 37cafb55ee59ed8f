#pragma once

#include "models/scenario/build/placement.hpp"
#include "models/scenario/run/result.hpp"

namespace vgsim::scenario {

struct Library;

/// Adds the monthly cost of the layout's maintenance plan for its training job, and the hosts of
/// the job that cannot be evacuated: their VMs cannot be moved or restarted on the other hosts.
/// These hosts also cause a warning. Hosts of one kind with the same VMs are evaluated once. The
/// cost is at most the whole month.
void add_maintenance(const Placement& placed, const Library& library, LayoutResult& result);

}  // namespace vgsim::scenario
