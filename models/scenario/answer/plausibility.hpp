#pragma once

#include "models/scenario/build/placement.hpp"
#include "models/scenario/read/library.hpp"
#include "models/scenario/run/result.hpp"

namespace vgsim::scenario {

/// Warns about values that can be simulated but are probably typing errors: links above 16 Tbit/s,
/// and checkpoints that are due before the last one is written.
void warn_of_implausible(const Placement& placed, const Library& library, LayoutResult& result);

}  // namespace vgsim::scenario
