#pragma once

#include "models/traces/traced_iteration.hpp"

namespace vgsim::traces {

/// Adds what all-reduces and reduce-scatters sum up in each pass, gradients apart from what
/// tensor-parallel ranks sum up among themselves.
void add_sums(const Trace& trace, TracedPasses& passes);

}  // namespace vgsim::traces
