#pragma once

#include "models/scenario/build/placement.hpp"
#include "models/scenario/run/result.hpp"

namespace vgsim::scenario {

struct Library;

/// What the layout's maintenance plan costs its training job in a month, and which of the job's
/// hosts cannot be emptied: where their VMs cannot be moved or restarted elsewhere, or where
/// vSphere finds no place for them beside the VMs of the other hosts. Those are a warning too.
/// Hosts of one kind with the same VMs are judged once. No plan takes more than all of a month.
void add_maintenance(const Placement& placed, const Library& library, LayoutResult& result);

}  // namespace vgsim::scenario
