#pragma once

#include <vector>

#include "models/questions/check/finding.hpp"
#include "models/scenario/answer/metrics.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/value.hpp"

namespace vgsim::scenario {

/// Compares a figure with its expectation {"value", "tolerance", "min", "max"} (of expect_shape()).
/// Returns violations, without the layout. Errors: an unreadable quantity, or an empty expectation.
[[nodiscard]] std::vector<Finding> judge_figure(const input::Value& expected, const Metric& metric,
                                                input::Diagnostics& diagnostics);

}  // namespace vgsim::scenario
