#pragma once

#include "models/traces/traced_iteration.hpp"

namespace vgsim::traces {

/// Adds the sums of all-reduces and reduce-scatters in each pass; gradients are separate from sums
/// among tensor-parallel ranks.
void add_sums(const Trace& trace, TracedPasses& passes);

}  // namespace vgsim::traces
