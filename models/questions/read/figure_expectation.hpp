#pragma once

#include <vector>

#include "models/questions/check/finding.hpp"
#include "models/scenario/answer/metrics.hpp"
#include "topology/input/diagnostics.hpp"
#include "topology/input/value.hpp"

namespace vgsim::scenario {

/// Holds a figure against what is expected of it: {"value", "tolerance", "min", "max"}, of the
/// shape of expect_shape(). Returns what does not hold, without the layout. Errors: a quantity that
/// cannot be read as such a figure, or nothing that is expected.
[[nodiscard]] std::vector<Finding> judge_figure(const input::Value& expected, const Metric& metric,
                                                input::Diagnostics& diagnostics);

}  // namespace vgsim::scenario
