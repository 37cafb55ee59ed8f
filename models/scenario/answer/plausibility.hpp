#pragma once

#include "models/scenario/build/placement.hpp"
#include "models/scenario/read/library.hpp"
#include "models/scenario/run/result.hpp"

namespace vgsim::scenario {

/// Warns of values that may be simulated but are rather mistyped: links of more than 16 Tbit/s,
/// checkpoints that are due before the last one is written.
void warn_of_implausible(const Placement& placed, const Library& library, LayoutResult& result);

}  // namespace vgsim::scenario
